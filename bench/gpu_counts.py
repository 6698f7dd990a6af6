"""What the steps of a device read, write and compute: `bench/gpu_counts.py [CASE...]`; no graphics card is needed.

The kernels of packings at rest run on the processor, by gpu_counts.c, a library in place of OpenCL. They are compiled by
clang with a call at each access to device memory, and with the number of operations of each block of instructions. Hashes
are compared with the processor's. Counted are, in each launch of a kernel:

  read, written  the sectors of 32 bytes that it touches, each once: what passes between memory and a cache that keeps
                 everything until the kernel ends
  accessed       the bytes of all loads, stores and atomic operations
  stack          those of accesses to arrays of an item, as clang compiles them
  operations     of numbers of 64 bits: div and sqrt count as 10, others as 1; integer: instructions for whole numbers

What items of the law keep for themselves is left out of the tables, since a large world has only 65,536 of them.
Searches are counted in the same packing with gravity across, so that it begins to flow. Packings are kept under
.cache/bench. A projection to a card follows from these counts, not from a measurement.
  SCREE  the command, build/release/scree by default
"""
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from engines import ROOT, fail, kept  # next to this file

CLANG = ["clang", "-ffp-contract=off", "-fPIC", "-O2"]
FRONT = "-x cl -cl-std=CL1.2 -fno-vectorize -fno-slp-vectorize -S -emit-llvm -Xclang -finclude-default-header".split()
FRONT += "-Xclang -ffake-address-space-map -Xclang -cl-ext=+all -Wno-everything".split()

# ------------------------------------------------------------------ counting instructions

SIZES = {"double": 8, "float": 4, "ptr": 8}
DEVICE = "addrspace(1)"
OPERATIONS = ("add", "mul", "div", "sqrt", "compare", "convert", "whole")
OF = {"fadd": "add", "fsub": "add", "fmul": "mul", "fdiv": "div", "fcmp": "compare", "sitofp": "convert", "uitofp": "convert", "fptosi": "convert",
      "fptoui": "convert", **dict.fromkeys("add sub mul udiv sdiv urem srem and or xor shl lshr ashr icmp select".split(), "whole")}
INSTRUCTION = re.compile(r"\s+(?:(%[-\w.]+) = )?(?:(?:tail|musttail|notail) )?(\w+)\b(.*)")
ENDS = ("br", "ret", "switch", "unreachable", "indirectbr")
ACCESS = re.compile(r"(?: volatile)? (.*?)(, | )(\S.*)$")


def size_of(kind):
    """bytes of a type"""
    kind = kind.strip()
    if kind.endswith("*"):
        return 8
    if kind in SIZES:
        return SIZES[kind]
    if re.fullmatch(r"i\d+", kind):
        return max(1, int(kind[1:]) // 8)
    of = re.fullmatch(r"[<\[](\d+) x (.*)[>\]]", kind)
    if of:
        return int(of[1]) * size_of(of[2])
    raise ValueError(f"size of the type {kind}")


class Counter:
    """adds calls to the text of a module"""

    def __init__(self):
        self.lines, self.names = [], 0
        self.clear()

    def clear(self):
        self.stack, self.number = 0, dict.fromkeys(OPERATIONS, 0)

    def access(self, kind, pointer_type, pointer, size):
        """an access of this many bytes, known before the run or not"""
        if DEVICE not in pointer_type:
            if "addrspace" not in pointer_type and isinstance(size, int):
                self.stack += size
            return
        at = pointer
        if pointer_type not in ("ptr addrspace(1)", "i8 addrspace(1)*"):
            self.names += 1
            at = f"%counted.{self.names}"
            self.lines.append(f"  {at} = bitcast {pointer_type} {pointer} to i8 addrspace(1)*")
        self.lines.append(f"  call void @gpu_counts_{kind}(i8 addrspace(1)* {at}, i64 {size})")

    def end_block(self):
        if self.stack or any(self.number.values()):
            arguments = ", ".join(f"i64 {n}" for n in (self.stack, *self.number.values()))
            self.lines.append(f"  call void @gpu_counts_block({arguments})")
        self.clear()

    def copies(self, name, rest):
        """memcpy, memmove, memset"""
        arguments = split(rest[rest.index("(") + 1:rest.rindex(")")])
        size = arguments[2].split()[-1]
        size = int(size) if size.isdigit() else size
        for kind, argument in zip(("write", "read"), arguments[:1 if "memset" in name else 2]):
            self.access(kind, argument.split("*")[0] + "*", argument.split()[-1], size)

    def instruction(self, line):
        found = INSTRUCTION.match(line)
        if not found:
            return
        _, name, rest = found.groups()
        if name in OF:
            self.number[OF[name]] += 1
        elif name == "load":
            kind, pointer = split(rest.replace(" volatile", ""))[:2]
            self.access("read", *pointer.rsplit(" ", 1), size_of(kind))
        elif name == "store":
            value, pointer = split(rest.replace(" volatile", ""))[:2]
            self.access("write", *pointer.rsplit(" ", 1), size_of(value.rsplit(" ", 1)[0]))
        elif name == "call":
            if "@_Z4sqrtd" in rest or "@llvm.sqrt" in rest:
                self.number["sqrt"] += 1
            called = re.search(r"@llvm\.(mem(?:cpy|move|set))", rest)
            if called:
                self.copies(called[1], rest[called.start():])
        elif name in ENDS:
            self.end_block()


def split(text):
    """parts between commas outside of brackets, stripped"""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "([{<") - (c in ")]}>")
        if c == "," and not depth:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return parts + [part.strip()]


def counted(text):
    counter, inside = Counter(), False
    for line in text.replace("spir_kernel ", "").replace("@_Z4sqrtd", "@sqrt").splitlines():
        if inside and line.startswith("  "):
            counter.instruction(line.replace("@sqrt", "@llvm.sqrt"))
        inside = line.startswith("define") or (inside and line != "}")
        counter.lines.append(line)
    numbers = ", ".join(["i64"] * (1 + len(OPERATIONS)))
    return "\n".join(counter.lines + [f"declare void @gpu_counts_{k}(i8 addrspace(1)*, i64)" for k in ("read", "write")] +
                     [f"declare void @gpu_counts_block({numbers})", ""])


def compile_text(text, library):
    """makes a shared library of kernels that count"""
    module = library + ".ll"
    subprocess.run([*CLANG, *FRONT, text, "-o", module], check=True)
    with open(module, encoding="utf-8") as file:
        lines = counted(file.read())
    with open(module, "w", encoding="utf-8") as file:
        file.write(lines)
    subprocess.run([*CLANG, "-shared", "-Xclang", "-disable-llvm-passes", "-Wno-everything", module, "-o", library], check=True)


# ------------------------------------------------------------------ scenes

CASES = {"spheres hertz": ("sphere: 1", "law: hertz", 4096, 16, 6),
         "cubes linear": ("box: [1, 1, 1]", "law: linear, stiffness: 10 kN/m", 2000, 14, 5),
         "cubes overlap": ("box: [1, 1, 1]", "law: overlap", 2000, 14, 5)}
STEPS = 100


def scene_text(case, lattice=0):
    """a packing that comes to rest under gravity, or bodies apart from each other in a box of this width"""
    shape, law, count, wide, until = CASES[case]
    young = 100 if "sphere" in shape else 10
    wide = lattice or wide
    high = count / wide**2 * (1 if "sphere" in shape else 2)
    place = f"dense: true, count: {count}, orientation: random"
    if lattice:
        high, place = wide, f"lattice: {{spacing: 2 m, count: [{wide // 2}, {wide // 2}, {wide // 2}]}}"
    return f"""scene: 1
title: {case}
world: {{gravity: [0, 0, -1 m/s^2]}}
materials: {{grain: {{density: 1 kg/m^3, young: {young} kPa, poisson: 0.3}}}}
contacts: {{default: {{{law}, restitution: 0.3, friction: 0.5}}}}
shapes: {{grain: {{{shape}}}}}
walls: {{room: {{box: {{min: [0, 0, 0], max: [{wide} m, {wide} m, {3 * wide} m], open: [z_max]}}, material: grain}}}}
fill: [{{material: grain, shape: grain, size: 1 m, region: {{box: {{min: [0, 0, 0], max: [{wide} m, {wide} m, {high} m]}}}}, {place}}}]
run: {{until: {until} s, guard: {{overlap: 90 %}}}}
output: {{}}
"""


class Counts:
    """runs scree with the library that counts"""

    def __init__(self, scree, box):
        self.scree, self.box, self.file = scree, box, f"{box}/counts"
        library = ["gcc", "-std=gnu17", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", f"{ROOT}/bench/gpu_counts.c", "-ldl"]
        subprocess.run([*library, "-o", f"{box}/libOpenCL.so.1"], check=True)
        text, made = f"{box}/kernels.cl", f"{box}/kernels.so"
        compiler = f"{sys.executable} {ROOT}/bench/gpu_counts.py compile {text} {made}"
        self.env = dict(os.environ, LD_LIBRARY_PATH=box, XDG_CACHE_HOME=f"{box}/cache", GPU_COUNTS=self.file, GPU_COUNTS_TEXT=text,
                        GPU_COUNTS_LIBRARY=made, GPU_COUNTS_COMPILE=compiler)

    def call(self, *arguments):
        done = subprocess.run([self.scree, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.env, check=False)
        if done.returncode:
            fail(f"scree {' '.join(arguments)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
        return done.stdout

    def rest(self, case):
        """snapshot of the packing"""
        text = scene_text(case)
        folder = kept(text, self.call("--version"), "gpu_counts")
        if not os.path.isfile(f"{folder}/grains.snap"):
            with open(f"{folder}/grains.scene.yaml", "w", encoding="ascii") as out:
                out.write(text)
            print(f"making the packing of {case} ...", file=sys.stderr, flush=True)
            self.call("run", f"{folder}/grains.scene.yaml", "--quiet", "--overwrite", "-o", folder)
        return f"{folder}/grains.snap"

    def flow(self, snapshot):
        """snapshot of the packing after it began to flow, with gravity across"""
        folder = os.path.dirname(snapshot) + "/flow"
        if not os.path.isfile(f"{folder}/grains.snap"):
            self.call("run", "--resume", snapshot, "--set", "world.gravity=[1 m/s^2, 0, -1 m/s^2]", "--set", "run.until=1000 s", "--steps", "1000",
                      "--quiet", "--overwrite", "-o", folder)
        return f"{folder}/grains.snap"

    def memory(self, case):
        """bytes on the device for a number of bodies: from two packings large enough that records have their full size"""
        sides, bytes_ = (90, 110), []  # large enough for the most items of the law and the most records
        for side in sides:
            with open(f"{self.box}/lattice.scene.yaml", "w", encoding="ascii") as out:
                out.write(scene_text(case, side))
            text = self.call("check", f"{self.box}/lattice.scene.yaml", "--machine", "opencl")
            bytes_.append(1e6 * float(re.search(r"^machine .* (\S+) MB as a packing", text, re.M)[1]))
        per_body = 8 * (bytes_[1] - bytes_[0]) / (sides[1] ** 3 - sides[0] ** 3)
        return lambda bodies: bytes_[0] + per_body * (bodies - sides[0] ** 3 / 8)

    def of(self, *arguments):
        """counts of each kernel, bytes of records, output; hashes are compared with the processor's"""
        here, there = self.call(*arguments, "--machine", "cpu"), self.call(*arguments, "--machine", "opencl")
        if hash_in(here) != hash_in(there):
            fail(f"{' '.join(arguments)}: the hash is not the processor's")
        with open(self.file, encoding="ascii") as file:
            (_, *records), *rows = (line.split() for line in file)
        return {name: dict(zip(COLUMNS, map(int, numbers))) for name, *numbers in rows}, list(map(int, records)), there


COLUMNS = ("launches", "items", "read", "written", "accessed", "stack", "atomics", *OPERATIONS)


def hash_in(text):
    return re.search(r"^hash (\S+)", text, re.M)[1]


def figure(text, name):
    return float(re.search(rf"\b{name} (\S+)", text)[1])


# ------------------------------------------------------------------ a step

STAGES = {"drift": ("resident_drifts", "resident_poses"),
          "law": ("resident_pairs", "resident_on_walls", "resident_on_solids", "resident_solids", "resident_solid_wall"),
          "sums": ("resident_sums",), "kick": ("resident_kicks",), "batch": ("resident_look", "resident_look_at_walls", "resident_records")}
WALLS = re.compile(r"at_wall_|resident_meets|resident_on_walls|resident_solid_wall|_at_walls")
MOST_WORKERS = 65536  # items of the law


def own_of(kernel):
    """bytes of the memory that an item of the law keeps for itself, in sectors that it writes: 26 words of sums, and what
    parts of a patch's computation pass"""
    with open(f"{ROOT}/src/kernel/resident.h", encoding="utf-8") as header:
        passed = int(re.search(r"ITEM_WORDS = ITEM_PASSED \+ (\d+)", header.read())[1])
    return 208 + 8 * passed if kernel in ("resident_solids", "resident_solid_wall") else 228


def stage_of(kernel):
    if kernel.startswith(("(", "search_")):
        return "copies" if kernel.startswith("(") else "search"
    return next((stage for stage, kernels in STAGES.items() if kernel in kernels), "narrow phase")


class Kernel:
    """one kernel, per body and step or search"""

    def __init__(self, name, counts, bodies, times, launches):
        """times: steps or searches; launches: of each, all kernels together; others found nothing to do"""
        self.name, self.stage, per = name, stage_of(name), 1 / (bodies * times)
        self.launches, self.items = counts["launches"] / launches, counts["items"] / counts["launches"] / bodies
        own = own_of(name) * counts["items"] * times / counts["launches"] if self.stage == "law" else 0
        self.read, self.written = counts["read"] * per, max(0, counts["written"] - own) * per
        self.accessed, self.stack = counts["accessed"] * per, counts["stack"] * per
        self.atomics, self.whole = counts["atomics"] * per, counts["whole"] * per
        self.number = {k: counts[k] * per for k in OPERATIONS if k != "whole"}
        if self.stage == "sums":  # its items are fewer than bodies
            self.read = self.accessed = self.stack = self.atomics = self.whole = 0
        self.operations = sum(n * (10 if k in ("div", "sqrt") else 1) for k, n in self.number.items())


HEAD = ("kernel", "launches", "read", "written", "accessed", "stack", "atomic", "add", "mul", "div", "sqrt", "compare", "convert",
        "operations", "integer")


def row(name, of):
    launches, atomics, *rest = (sum(getattr(k, what) for k in of)
                                for what in ("launches", "atomics", "read", "written", "accessed", "stack", "operations", "whole"))
    one = [sum(k.number[name] for k in of) for name in of[0].number]
    whole = [f"{n:.0f}" for n in (*rest[:4], *one, *rest[4:])]
    return f"| {' | '.join([name, f'{launches:.3g}', *whole[:4], f'{atomics:.1f}', *whole[4:]])} |"


def print_table(kernels):
    print(f"\n| {' | '.join(HEAD)} |\n{'|---' * len(HEAD)}|")
    for stage in dict.fromkeys(k.stage for k in kernels):
        of = [k for k in kernels if k.stage == stage]
        for k in of:
            print(row(f"`{k.name}`", [k]))
        print(row(f"**{stage}**", of))


# ------------------------------------------------------------------ the projection

BANDWIDTH, SPEED, LAUNCH = 0.8 * 4.8e12, 0.1 * 17e12, 4e-6  # of an H200: bytes/s, operations/s, s


def launches_of(kernel, bodies, records):
    """a list is divided so that the records of its rows need at most 1 GiB"""
    size = records[kernel.name.startswith("at_wall")] if re.match("pair_|at_wall_", kernel.name) else 0
    return kernel.launches * (-(-int(kernel.items * bodies) // (2**30 // size)) if size else 1)


def seconds(kernels, bodies, counted, records, idle):
    """of a step or search of this number of bodies: limits by bytes, operations and launches, the sum of the larger one
    for each kernel, and the same if all accesses pass memory. counted: bodies when counted; idle: launches per launch
    that found something to do"""
    limits = [0] * 5
    for k in kernels:
        number = bodies * ((counted / bodies) ** (1 / 3) if WALLS.search(k.name) else 1)  # surfaces of a world grow less
        fixed = own_of(k.name) * min(MOST_WORKERS, k.items * bodies) if k.stage in ("law", "sums") else 0
        by_bytes, by_access = ((number * n + fixed) / BANDWIDTH for n in (k.read + k.written, k.accessed + k.stack))
        by_operations, by_launches = number * k.operations / SPEED, idle * LAUNCH * launches_of(k, number, records)
        all_ = by_bytes, by_operations, by_launches, max(by_bytes, by_operations) + by_launches, max(by_access, by_operations) + by_launches
        limits = [a + b for a, b in zip(limits, all_)]
    return limits


def print_projection(step, search, every, idle, counted, records, memory):
    print("\nProjection to an H200, not measured:\n\n| bodies | memory (ms) | operations (ms) | launches (ms) | ms per step | "
          "particle steps per second | GB |\n|---|---|---|---|---|---|---|")
    for bodies in (10**6, 34 * 10**6):
        of = [a + b / every for a, b in zip(seconds(step, bodies, counted, records, idle), seconds(search, bodies, counted, records, 1))]
        print(f"| {bodies / 1e6:.0f}e6 | {' | '.join(f'{1000 * t:.3g}' for t in of[:3])} | {1000 * of[3]:.3g} to {1000 * of[4]:.3g} | "
              f"{bodies / of[4]:.2g} to {bodies / of[3]:.2g} | {memory(bodies) / 1e9:.1f} |")


def measure(counts, case):
    """tables of a case"""
    snapshot, bodies = counts.rest(case), CASES[case][2]
    rest, records, text = counts.of("bench", snapshot, "--steps", str(STEPS))
    flow, _, moving = counts.of("bench", counts.flow(snapshot), "--steps", str(STEPS * 5))
    searches, launched = flow["search_margins"]["launches"], flow["resident_kicks"]["launches"]
    every, idle = STEPS * 5 / figure(moving, "searches"), launched / figure(moving, "device_steps")
    steps, made = figure(text, "device_steps"), rest["resident_kicks"]["launches"]
    step = [Kernel(name, of, bodies, steps, made) for name, of in rest.items() if stage_of(name) not in ("search", "batch", "copies")]
    search = [Kernel(name, of, bodies, searches, searches) for name, of in flow.items() if stage_of(name) == "search"]
    print(f"\n## {case}\n\n{bodies} bodies at rest, {figure(text, 'contacts') / bodies:.2f} contacts and "
          f"{figure(text, 'rows') / bodies:.2f} rows each; {STEPS} steps. Per body and step:")
    print_table(step)
    print(f"\nPer body and search, of which there is one in {every:.0f} steps while the packing flows ({idle:.2f} launches per step made, since "
          "those after a stop do nothing):")
    print_table(search)
    print_projection(step, search, every, idle, bodies, records, counts.memory(case))


def main(names):
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as box:
        counts = Counts(os.environ.get("SCREE", "build/release/scree"), box)
        for name in names or CASES:
            measure(counts, name)


if __name__ == "__main__":
    if sys.argv[1:2] == ["compile"]:
        compile_text(*sys.argv[2:])
    else:
        main(sys.argv[1:])
