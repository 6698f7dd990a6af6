#!/usr/bin/python3
# needs: test
"""Scenes of users on a device (PoCL, which runs on the processor): from a state with contacts on, the hash of the
processor's state at every 100th step, and of a run that goes from the processor to the device and back, for some through
snapshots. The device makes the steps."""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "python"), os.path.join(ROOT, "tests")]
SCREE = os.path.abspath(os.environ.get("SCREE", f"{ROOT}/build/test/scree"))
os.environ.setdefault("SCREE_LIBRARY", os.path.join(os.path.dirname(SCREE), "libscree.so"))
sys.dont_write_bytecode = True

import scree  # noqa: E402
import tap  # noqa: E402

SHORT = "SCREE_TEST_SHORT" in os.environ
CUBES = {"run.response": "forces", "run.step": "1e-5 s",
    "fill.0.region": "{box: {min: [= -4*1.02*a, = -2*1.02*a, = -R+stem+0.1*a], max: [= 4*1.02*a, = 2*1.02*a, = -R+stem+4.1*1.02*a]}}",
    "fill.0.count": "128", "fill.0.velocity": "[5 cm/s, 0, -1 m/s]", "walls.shell.motion.from": "0 s", "walls.blade.motion.from": "0 s",
    "walls.wings.motion.from": "0 s"}
PAPER = {"run.narrow_phase": "separating-plane/govender2015", "run.guard": "{overlap: 90 %, speed: 50 m/s}",
         "contacts": "{default: {law: hertz, restitution: 0.5, friction: 0.4}}"}
# walls far away: with walls of all forms, scenes have the same kernels, which PoCL compiles for many seconds
FAR = {"walls.far_tube": "{cylinder: {center: [0, 0, -9 m], radius: 1 m, length: 1 m, axis: z, side: inside}, material: MATERIAL}",
       "walls.far_sheet": "{polygon: [[0, 0, -9 m], [1 m, 0, -9 m], [0, 1 m, -9 m]], material: MATERIAL}"}


def far(material):
    return {key: text.replace("MATERIAL", material) for key, text in FAR.items()} if SHORT else {}


# scene, changes so that bodies soon touch, steps of the processor before, walls that are touched
SCENES = {
    "drum": ("examples/drum.scene.yaml", CUBES, 900, {"shell", "wings"}),
    "drum by Govender et al.": ("examples/drum.scene.yaml", CUBES | PAPER, 900, {"shell", "wings"}),
    "cubes": ("scenes/settling_cubes.scene.yaml", far("wood"), 2200, {"box.z_min"}),
    "hopper": ("examples/hopper.scene.yaml", {"fill.0.velocity": "[2 cm/s, 3 cm/s, -1 m/s]"}, 2000, {"cone", "tube"}),
    "mill": ("examples/mill.scene.yaml", {"fill.0.velocity": "[0, 0, -3 m/s]", "fill.1.velocity": "[1 m/s, 0, -4 m/s]"} | ({"fill.1.count": "300"} if SHORT else {}), 3500,
             {"shell", "lifter_7", "lifter_8"}),
    "press": ("examples/press.scene.yaml", far("stone") | {"fill.0.velocity": "[2 cm/s, 1 cm/s, 1 m/s]"}, 600, {"lid"}),
    "crater": ("examples/crater.scene.yaml", {"let.wait": "2 ms"} | ({"let.B": "40 mm"} if SHORT else {}), 300, {"box.z_min"}),
    "settle": ("scenes/settling_spheres.scene.yaml", {}, 1500, {"box.z_min"}),
    "gas": ("verify/scenes/gas.scene.yaml", {}, 600, set()),
}

# these also change their machine through snapshots
SAVED = {"drum", "mill"}


def saved(snapshot, machines):
    """The hashes at every 100th step, with these machines in turn, each of which continues from a snapshot."""
    found = []
    for machine in machines:
        with scree.restore(snapshot) as world:
            world.use_machine(machine)
            world.step(100)
            found.append(world.hash())
            snapshot = os.path.join(os.path.dirname(snapshot), "on.snap")
            world.save(snapshot)
    return found


def by_device(snapshot, steps):
    """How many of these steps the device makes, and the output of `scree bench`, which makes a few more before it measures."""
    out = subprocess.run([SCREE, "bench", snapshot, "--steps", str(steps), "--machine", "opencl"], capture_output=True, text=True, check=False)
    made = re.search(r"^device_steps (\d+) ", out.stdout, re.M)
    return int(made.group(1)) if made else 0, out.stdout + out.stderr


def hashes(snapshot, machines, hundreds):
    """The hashes at every 100th step, with these machines in turn, and the walls that are touched at these steps."""
    found, touched = [], set()
    with scree.restore(snapshot) as world:
        for k in range(hundreds):
            world.use_machine(machines[k % len(machines)])
            world.step(100)
            found.append(world.hash())
            touched |= {wall.name for wall in world.walls if wall.contacts}
        return found, touched if world.progress().contacts else None


def same(name, folder, hundreds):
    path, sets, steps, walls = SCENES[name]
    snapshot = os.path.join(folder, "begin.snap")
    with scree.open(os.path.join(ROOT, path), sets=sets) as world:
        world.step(steps)
        world.save(snapshot)
    here, touched = hashes(snapshot, ["cpu"], hundreds)
    there, _ = hashes(snapshot, ["opencl"], hundreds)
    tap.case(f"{name}: the hash of the processor at every 100th step", here == there, (here, there))
    tap.case(f"{name}: bodies and walls touch", touched is not None and walls <= touched, touched)
    made, out = by_device(snapshot, 100)
    tap.case(f"{name}: the device makes most of the steps", made > 80, out)
    back, _ = hashes(snapshot, ["cpu", "opencl"], hundreds)
    tap.case(f"{name}: the processor and the device in turn", back == here, (back, here))
    if name in SAVED:
        back = saved(snapshot, ["cpu", "opencl", "cpu"])
        tap.case(f"{name}: the same through snapshots", back == here[:3], (back, here))


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        os.environ.setdefault("POCL_CACHE_DIR", folder)
        for name in sys.argv[1:] or SCENES:
            same(name, folder, 3 if SHORT else 20)
    tap.end()


main()
