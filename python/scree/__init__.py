"""scree: granular matter of particles of any shape, driven from Python.

    import scree
    with scree.open("drum.scene.yaml", sets={"run.until": "1 s"}) as world:
        world.run_until(0.5)
        print(world.time, world.bodies.position.mean(axis=0), world.ledger())

Units are SI. The engine is the shared library libscree (include/scree/world.h).
"""
from ._library import version
from .columns import Bodies, Column
from .errors import Error, FileError, GuardError, InputError, InternalError, Problem, SceneError, StaleError
from .divisions import rank, ranks
from .world import Cell, Contacts, Guards, Ledger, Measures, Progress, Wall, Walls, World, open, read_table, responses, restore  # noqa: A004

__version__ = version()
__all__ = ["Bodies", "Cell", "Column", "Contacts", "Error", "FileError", "GuardError", "Guards", "InputError", "InternalError", "Ledger",
           "Measures", "Problem", "Progress", "SceneError", "StaleError", "Wall", "Walls", "World", "open", "rank", "ranks", "read_table",
           "responses", "restore", "version"]
