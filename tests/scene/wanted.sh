#!/bin/bash
# needs: test
# Scenes as users of other codes write them (tests/scene/files/wanted) run unchanged, but shortened, and have the right
# values.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
scree=$(realpath "${SCREE:-build/test/scree}")
cp tests/scene/files/wanted/* "$box"
cd "$box" || exit 70
run() { # SCENE FOLDER SETS...
	local sets=()
	for set in "${@:3}"; do sets+=(--set "$set"); done
	"$scree" run "$1.scene.yaml" -o "$2" "${sets[@]}" >out 2>&1
	code=$?
}
ends() { test "$code" = "$1"; }
near() { # VALUE WANTED SLACK
	awk -v a="$1" -v b="$2" -v s="$3" 'BEGIN { exit !(a != "" && a >= b - s && a <= b + s) }'
}
# FILE CONDITION: the sum of COLUMN (default: mass) over the rows of a table where the awk condition holds; columns are
# fields by name, as in row["size"] > 1e-3
sum() { # FILE CONDITION [COLUMN]
	awk -F, '/^#/ { next } !n++ { for (i = 1; i <= NF; ++i) name[i] = $i; next }
		{ for (i = 1; i <= NF; ++i) row[name[i]] = $i } '"$2"' { all += row["'"${3:-mass}"'"] } END { printf "%.12g", all }' "$1"
}
part() { # FILE CONDITION: of the mass
	awk -v a="$(sum "$1" "$2")" -v b="$(sum "$1" 1)" 'BEGIN { print a / b }'
}
hash_of() { "$scree" hash "$1" --json | /usr/bin/python3 -c 'import json, sys; print(json.load(sys.stdin)["hash"])'; }
bodies='output.bodies.every=1 ms'

# ------------------------------------------------------------------ shares of the mass, and a dense fill
wide=8 solid=0.55
if in_short; then wide=6 solid=0.45; fi
run mass_share share L=${wide}mm phi=$solid "$bodies"
check "shares of the mass run" ends 0
check "bodies grow where random positions do not reach the solid fraction" says "for $solid small bodies grow, as with dense: true"
check "this part of the region is solid" near "$(sum share/mass_share_bodies.csv 1)" \
	"$(awk -v l=$wide -v p=$solid 'BEGIN { print p * l ^ 3 * 2500e-9 }')" 2e-6
if ! in_short; then
	sed 's/mass_share: 1\(.*\)}\]/share: 1\1, by: mass, dense: true}]/' mass_share.scene.yaml >same.scene.yaml
	run same same L=8mm "$bodies"
	check "the same bodies as by by: mass and dense: true" test "$(hash_of share/mass_share.snap)" = "$(hash_of same/same.snap)"
fi
check "the resolved scene has the longer form" grep -q 'dense: true' share/mass_share.resolved.scene.yaml
sed 's/: 1, size: 1 mm}/: 3, size: 1 mm}, {shape: ball, mass_share: 1, size: 2 mm}/' mass_share.scene.yaml >two.scene.yaml
run two two L=8mm phi=0.2 "$bodies"
check "shares of two sizes" near "$(part two/two_bodies.csv 'row["size"] > 1.5e-3')" 0.25 0.02
if ! in_short; then
	run two grown L=8mm "$bodies"
	check "so they are in a dense fill" near "$(part grown/two_bodies.csv 'row["size"] > 1.5e-3')" 0.25 0.02
fi
cp two/two.resolved.scene.yaml again.scene.yaml
run again again
check "the resolved scene runs, with the same bodies" test "$(hash_of two/two.snap)" = "$(hash_of again/again.snap)"
run mass_share none L=8mm 'fill.0.dense=false'
check "dense: false keeps random positions" ends 2
check "with what they reach" says 'no free position was found'

# ------------------------------------------------------------------ rows of a sieve curve
run sieve_curve sieve L=10mm phi=$solid "$bodies"
table=sieve/sieve_curve_bodies.csv
check "a sieve curve in rows runs" ends 0
check "the grains that pass the finest sieve are noted" says '20 % of the mass pass the finest sieve of 0.001 m; these bodies have this size'
check "a fifth of the mass has the size of the finest sieve" near "$(part $table 'row["size"] == 1e-3')" 0.2 0.01
check "halfway in the logarithm of the size 60 per cent pass" near "$(part $table 'row["size"] < sqrt(2) * 1e-3')" 0.6 0.03
check "no grain is smaller or larger" test "$(sum $table 'row["size"] < 1e-3 || row["size"] > 2e-3')" = 0
if ! in_short; then
	sed 's/\[\[1 mm, 0.2\], \[2 mm, 1\]\]/{size: [1 mm, 2 mm], passing: [20 %, 100 %]}/' sieve_curve.scene.yaml >lists.scene.yaml
	run lists lists L=10mm phi=$solid "$bodies"
	check "the same bodies as by two lists" test "$(hash_of sieve/sieve_curve.snap)" = "$(hash_of lists/lists.snap)"
fi

# ------------------------------------------------------------------ walls moved by loads
run wall wall 'run.until=20 ms' 'run.step.time=0.1 ms' 'output.walls.every=20 ms'
check "a torque and an inertia run" ends 0
check "angular velocity: torque times time over inertia" near \
	"$(sum wall/wall_walls.csv 'row["wall"] == "wheel" && row["time"] > 0.0199' wy)" 2 1e-9
check "about no other axis" near "$(sum wall/wall_walls.csv 'row["wall"] == "wheel"' wx)" 0 1e-12
sed 's/motion: {torque\(.*kg\*m^2\)}/motion: {wheel: {torque\1}}/' wall.scene.yaml >wheel.scene.yaml
run wheel wheel 'run.until=20 ms' 'run.step.time=0.1 ms'
check "the same as a wheel" test "$(hash_of wall/wall.snap)" = "$(hash_of wheel/wheel.snap)"
run wall turned 'run.until=20 ms' 'run.step.time=0.1 ms' 'stages=[{name: a, until: 10 ms}, {name: b, until: 10 ms, walls: {wheel: {motion: {torque: -0.1 N*m}}}}]' 'output.walls.every=20 ms'
check "a stage turns the torque around" near "$(sum turned/wall_walls.csv 'row["wall"] == "wheel" && row["time"] > 0.0199' wy)" 0 1e-9

# ------------------------------------------------------------------ shapes, cells, a wall for one species
each=$(for s in capsule ellipsoid rod super; do printf '{shape: %s, size: 1 mm, material: glass, lattice: 4 mm, region: {box: {min: [0, 0, 0], max: [4 mm, 4 mm, 4 mm]}}}, ' $s; done)
run shapes shapes "fill=[${each%, }]" "$bodies" run.step.time=1us run.guard.overlap=0
volume() { awk -v m="$(sum shapes/shapes_bodies.csv 'row["shape"] == "'$1'"')" 'BEGIN { print 1e9 * m / 2500 }'; }
check "shapes run" ends 0
check "volume of a capsule, in mm^3" near "$(volume capsule)" "$(awk 'BEGIN { print 4 * atan2(1, 1) * (2 / 4 + 1 / 6) }')" 1e-4
check "volume of an ellipsoid" near "$(volume ellipsoid)" 3.14159 1e-4
check "volume of a cylinder with rounded edges" near "$(volume rod)" 2.2 0.16
check "volume of a superquadric" near "$(volume super)" 1.6205 1e-3
run strain strain L=18mm 'run.until=20 ms' 'output.history.every=20 ms'
check "a strained cell has the strain of its rate" near "$(sum strain/strain_history.csv 'row["time"] > 0.0199' strain_x)" -0.02 5e-5
run triax triax L=20mm 'run.until=0.2 s' 'output.history.every=0.2 s'
for axis in xx yy zz; do
	check "a cell has its stress $axis" near "$(sum triax/triax_history.csv 'row["time"] > 0.1999' stress_$axis)" 10000 1500
done
run wall_for_one_species law
check "a law without stiffness is no way through a wall" ends 3
check "the message names the key" says 'walls.gate.only'
run wall_for_one_species only 'walls.gate.only=[a]'
check "with it the run ends" ends 0
check "one species bounces, the other one passes" test "$(sum only/wall_for_one_species_bodies.csv 'row["time"] > 0.29 && row["z"] > 0' id)-$(sum only/wall_for_one_species_bodies.csv 'row["time"] > 0.29 && row["z"] < 0' id)" = 1-2
echo "1..$n"
