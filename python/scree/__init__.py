"""scree: granular matter of particles of any shape, driven from Python.

    import scree
    with scree.open("drum.scene.yaml", sets={"run.until": "1 s"}) as world:
        world.run_until(0.5)
        print(world.time, world.bodies.position.mean(axis=0), world.ledger())

Units are SI. The engine is the shared library libscree (include/scree/world.h).
"""
from ._library import version
from .columns import Bodies, Column
from .errors import (BusyError, Error, FileError, GuardError, InputError, InputTypeError, InternalError, Problem, SceneError, StaleError,
                     UnknownNameError)
from .forces import ForceRows
from .divisions import rank, ranks
from .world import (Cell, Contacts, Guards, Ledger, Measures, Progress, Properties, Wall, Walls, World, machines, open,  # noqa: A004
                    read_table, responses, restore)

__version__: str = version()
__all__ = ["Bodies", "BusyError", "Cell", "Column", "Contacts", "Error", "FileError", "ForceRows", "GuardError", "Guards", "InputError",
           "InputTypeError", "InternalError", "Ledger", "Measures", "Problem", "Progress", "Properties", "SceneError", "StaleError",
           "UnknownNameError", "Wall", "Walls", "World", "machines", "open", "rank", "ranks", "read_table", "responses", "restore", "version"]
