#!/bin/bash
# Shapes and walls from files: valid ones act correctly; those that are too large, too thin, too far or too long are
# refused or give a warning with its cause, and similar valid ones are not.
cd "$(dirname "$0")/../.." || exit 70
scree=$(realpath "${SCREE:-build/test/scree}")
. tests/checks.sh
run() { # ARGUMENTS: $code, and all words in "$box/out"
	(cd "$box" && "$scree" "$@") >"$box/out" 2>&1
	code=$?
}
is() { [ "$code" = "$1" ]; }

# a ball over the notch of an L-shaped floor in one concave polygon falls, three over the floor rest
printf 'x,y,z\n1.3,1.3,0.3\n0.5,0.5,0.3\n1.6,0.5,0.3\n0.5,1.6,0.3\n' >"$box/balls.csv"
corners='1 2 0\n0 2 0\n0 0 0\n2 0 0\n2 1 0\n1 1 0\n'
# shellcheck disable=SC2059
{
	printf "OFF\n6 1 0\n${corners}6 0 1 2 3 4 5\n" >"$box/floor.off"
	printf "$corners" | sed 's/^/v /; $a f 1 2 3 4 5 6' >"$box/floor.obj"
	printf "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\n" >"$box/floor.ply"
	printf "element face 1\nproperty list uchar int vertex_indices\nend_header\n${corners}6 0 1 2 3 4 5\n" >>"$box/floor.ply"
}
for form in off obj ply; do
	cat >"$box/notch.scene.yaml" <<-END
		scene: 1
		materials: {stone: {density: 2000 kg/m^3, young: 5 MPa, poisson: 0.25}}
		contacts: {default: {law: hertz, restitution: 0.3, friction: 0.5}}
		shapes: {ball: {sphere: {diameter: 1}}}
		walls: {floor: {mesh: {file: floor.$form}, two_sided: true, material: stone}}
		fill: [{from: balls.csv, material: stone, shape: ball, size: 0.2 m}]
		run: {until: 1 s, guard: {overlap: 0.5}}
		output: {bodies: {every: 1 s}}
	END
	run run notch.scene.yaml -o "o_$form"
	check "$form: one ball falls through the notch, three rest" eval 'is 0 && tail -4 "$box/o_$form/notch_bodies.csv" |
		awk -F, "{n += \$2 == 1 ? \$5 < -4 && \$5 > -5 : \$5 > 0.09 && \$5 < 0.1} END {exit n != 4}"'
done

# one body that touches nothing
scene() { # SHAPE [MORE]
	cat >"$box/one.scene.yaml" <<-END
		scene: 1
		materials: {s: {density: 2600 kg/m^3, young: 20 MPa}}
		shapes: {g: $1, b: {sphere: 1}}
		fill: [{from: one.csv, material: s, shape: g, size: 20 mm}]
		run: {until: 1 ms, step: 10 us}
		${2:-}
	END
}
printf 'x,y,z\n0,0,0\n' >"$box/one.csv"
for shape in '{clump: {centers: [[0, 0, 0], [0.5, 0, 0]], radii: [0.5]}}' '{sphere: 1}' '{box: [1, 2, 3]}'; do
	scene "$shape"
	run check one.scene.yaml
	check "a lone body, $shape: its step in words" eval 'is 0 && says "100 steps until 0.001 s; no bodies or walls can touch" && ! says "1/0" && ! says "up to 0 s"'
done
run check one.scene.yaml --set 'run={until: 0}' --set 'fill=[]'
check "no bodies and no run: no step is made up" eval 'is 0 && says "no steps; no bodies or walls can touch" && ! says "step 1 s"'

# cuboids of unit width and length, from (X, 0, 0)
plate() { # HEIGHT X
	awk -v h="$1" -v x="$2" 'BEGIN {
		print "OFF\n8 12 0"
		for (k = 0; k < 8; k++) printf "%.17g %d %.17g\n", x + k % 2, int(k / 2) % 2, (k > 3 ? h : 0)
		n = split("0 2 3,0 3 1,4 5 7,4 7 6,0 1 5,0 5 4,2 6 7,2 7 3,0 4 6,0 6 2,1 3 7,1 7 5", t, ",")
		for (k = 1; k <= n; k++) print 3, t[k]
	}' >"$box/plate.off"
}
plate 1e-6 0
scene '{clump: {file: plate.off, count: 12}}'
run check one.scene.yaml
check "a clump of a plate 1 : 1e6 is refused" eval 'is 2 && says "too thin for them"'
plate 0.1 0
run check one.scene.yaml
check "a clump that fills a quarter is warned of" eval 'is 0 && says "warning: shape g: its spheres fill"'
plate 1 0
run check one.scene.yaml
check "a clump of a cube is not" eval 'is 0 && ! says warning'

plate 1 1e15
scene '{mesh: {file: plate.off, as: compound}}'
run check one.scene.yaml
check "vertices at 1e15 times the size are refused" eval 'is 2 && says "move it to the origin"'
plate 1 1e9
run check one.scene.yaml
check "at 1e9 times the size they are not" is 0
for far in 1e15 1e9; do # the same as a wall
	plate 1 $far
	scene '{sphere: 1}' 'walls: {m: {mesh: {file: plate.off, scale: 10 cm}, two_sided: true, material: s}}'
	run run one.scene.yaml -o far
	case $far in
	1e15) check "a wall at 1e15 times its size is refused" eval 'is 2 && says "file: the mesh is 1 long" && says "move it to the origin"' ;;
	1e9) check "one at 1e9 times its size is not" eval '! says "move it to the origin"' ;;
	esac
done

# a sphere of many triangles
ball() { # N
	awk -v n="$1" 'BEGIN {
		pi = atan2(0, -1); m = 2 * n
		printf "OFF\n%d %d 0\n0 0 1\n", (n - 1) * m + 2, 2 * m * (n - 1)
		for (i = 1; i < n; i++) for (j = 0; j < m; j++)
			printf "%.17g %.17g %.17g\n", sin(pi * i / n) * cos(pi * j / n), sin(pi * i / n) * sin(pi * j / n), cos(pi * i / n)
		print "0 0 -1"; last = (n - 1) * m + 1
		for (j = 0; j < m; j++) print 3, 0, 1 + j, 1 + (j + 1) % m
		for (i = 0; i < n - 2; i++) for (j = 0; j < m; j++) {
			a = 1 + i * m + j; b = 1 + i * m + (j + 1) % m
			print 3, a, a + m, b; print 3, b, a + m, b + m
		}
		for (j = 0; j < m; j++) print 3, last - m + j, last, last - m + (j + 1) % m
	}' >"$box/ball.off"
}
ball 50
scene '{mesh: {file: ball.off, as: compound}}'
SECONDS=0
run check one.scene.yaml
check "a compound of 9,800 triangles is refused at once" eval 'is 2 && says "has 9800 triangles, but only meshes of up to 8192 can be cut into convex parts" && [ $SECONDS -lt 20 ]'
ball 20
scene '{mesh: {file: ball.off, as: compound}}' 'contacts: {default: {law: hertz}}'
run check one.scene.yaml
check "one of 1,520 is read" is 0

# an obstacle whose facets are all far from the bodies
cat >"$box/u.off" <<-END
	OFF
	16 28 0
	$(printf '%s %s 0\n' -0.5 -0.5 0.5 -0.5 0.5 0.5 0.25 0.5 0.25 -0.25 -0.25 -0.25 -0.25 0.5 -0.5 0.5)
	$(printf '%s %s 0.25\n' -0.5 -0.5 0.5 -0.5 0.5 0.5 0.25 0.5 0.25 -0.25 -0.25 -0.25 -0.25 0.5 -0.5 0.5)
	$(printf '3 %s %s %s\n' 4 1 0 5 4 0 3 2 1 4 3 1 6 5 0 7 6 0 8 9 12 8 12 13 9 10 11 9 11 12 8 13 14 8 14 15)
	$(for k in 0 1 2 3 4 5 6 7; do j=$(((k + 1) % 8)) && echo "3 $k $j $((j + 8))" && echo "3 $k $((j + 8)) $((k + 8))"; done)
END
obstacle() { # SCALE
	scene '{sphere: 1}' "walls: {u: {mesh: {file: u.off, scale: $1}, material: s}}"
	run check one.scene.yaml
}
obstacle '5 m'
check "an obstacle that comes near nothing is warned of" eval 'is 0 && says "warning: walls.u: has no facet within 1.24 m" && says "set scale: 1 mm"'
obstacle '10 m'
check "a larger one by its size" eval 'is 0 && says "warning: walls.u: is 10 m long, 500 times as long as the box around the bodies"'
obstacle '0.5 m'
check "one of the size of the room is not" eval 'is 0 && ! says warning'

# soft balls at rest in each other and in the floor: no message about their overlaps if their springs are loaded, too
soft() { # NAME FILL FLOOR
	cat >"$box/$1.scene.yaml" <<-TEXT
		scene: 1
		world: {gravity: [0, 0, -9.81 m/s^2]}
		materials: {m: {density: 2500 kg/m^3, young: 0.1 MPa, poisson: 0.25}}
		contacts: {default: {law: hertz, restitution: 0.1, friction: 0.5}}
		shapes: {ball: {sphere: {diameter: 1}}}
		walls: {$3: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m}}
		fill: [$2]
		run: {until: 0.4 s}
	TEXT
}
soft soft "{lattice: 10 mm, region: {box: {min: [0, 0, 0], max: [10 mm, 10 mm, 20 mm]}}, material: m, shape: ball, size: 10 mm}" floor
run run soft.scene.yaml -o soft
check "soft balls come to rest" is 0
soft rest "{from: soft/soft.snap}" floor
run check rest.scene.yaml
check "a packing with its histories is at rest: no word on overlaps" eval 'is 0 && says "contacts with their histories" && ! says "overlap before the first step"'
soft other "{from: soft/soft.snap}" base
run check other.scene.yaml
check "without the springs of the floor it is warned of" says "overlap before the first step"
printf '%s\n' x,y,z 0.1,0,0.0045 >"$box/deep.csv"
soft more "{from: soft/soft.snap}, {from: deep.csv, material: m, shape: ball, size: 10 mm}" floor
run check more.scene.yaml
check "so is a body beside it that is deeper in the floor" says "overlap before the first step by up to 5"
run check rest.scene.yaml --set run.response=hard
check "and a packing whose contacts become hard" says "overlap before the first step"

# bonds of a broken plate: its pieces continue unchanged
last() { tail -1 "$box/$1/$2_history.csv" | cut -d, -f7,8; } # bonds and broken ones
cp scenes/bonded_plate.scene.yaml "$box/plate.scene.yaml"
run run plate.scene.yaml -o plate
check "a plate breaks" eval 'is 0 && [ "$(last plate plate)" = 66,6 ]'
awk '/^fill:/ { print "fill: [{from: plate/plate.snap}]\n"; skip = 1 } /^run:/ { skip = 0 } !skip' "$box/plate.scene.yaml" >"$box/pieces.scene.yaml"
run run pieces.scene.yaml -o pieces --set run.until=0.1ms --set output.history.every=0.1ms
check "what broke does not become bonded again, and what did not stays so" eval 'is 0 && [ "$(last pieces pieces)" = 66,0 ]'
check "also before the first step" test "$(sed -n 3p "$box/pieces/pieces_history.csv" | cut -d, -f6-8)" = 66,66,0

# their springs are stored for another time by another response, half a step apart: a freely oscillating plate, whose
# elastic energy is only that of bonds and changes by 0.3 % in that time
run run plate.scene.yaml -o swing --set run.until=1.48ms --set output.history.every=1.48ms
check "a plate swings without contacts" test "$(tail -1 "$box/swing/plate_history.csv" | cut -d, -f6-8)" = 66,66,6
sed 's|plate/plate|swing/plate|' "$box/pieces.scene.yaml" >"$box/swings.scene.yaml"
run run swings.scene.yaml -o by --set run.response=implicit --set run.until=0.1ms --set output.history.every=0.1ms
check "by implicit steps it continues" is 0
had=$(tail -1 "$box/swing/plate_history.csv" | cut -d, -f3) has=$(sed -n 3p "$box/by/swings_history.csv" | cut -d, -f3)
check "and bonds hold as much energy, $has of $had J" awk "BEGIN {exit !($has/$had < 1 + 1e-5 && $has/$had > 1 - 1e-5)}"

# two balls in an impact, which another run continues with any response: its ledger begins with the energy of the
# contacts at that time
printf 'x,y,z,vx,vy,vz\n0,0,0,0.1,0,0\n0.01,0.002,0,-0.1,0.02,0\n' >"$box/two.csv"
cat >"$box/impact.scene.yaml" <<-END
	scene: 1
	materials: {s: {density: 2600 kg/m^3, young: 5 MPa, poisson: 0.25}}
	contacts: {default: {law: hertz, restitution: 0.6, friction: 0.3}}
	shapes: {b: {sphere: 1}}
	fill: [{from: two.csv, material: s, shape: b, size: 10 mm}]
	run: {until: 1.5 ms}
	output: {history: {every: 1 ms}}
END
for first in forces implicit; do
	run run impact.scene.yaml -o "by_$first" --set "run.response=$first" --set run.until=1.2ms
	sed "s|^fill.*|fill: [{from: by_$first/impact.snap}]|" "$box/impact.scene.yaml" >"$box/$first.scene.yaml"
	for then in forces implicit hard; do
		run run "$first.scene.yaml" -o "$first$then" --set "run.response=$then" --set run.until=6ms
		residual=$(tail -1 "$box/$first$then/${first}_history.csv" | cut -d, -f12)
		check "an impact by $first, then by $then: energy is kept to $residual J of 1.2e-5" \
			eval 'is 0 && awk "BEGIN {exit !($residual < 1e-7 && $residual > -1e-7)}"'
	done
done

# words
printf 'scene: 1\nlet: {%s: 1 mm}\nrun: {until: 1 s}\n' "$(printf 'k%.0s' {1..1100})" >"$box/key.scene.yaml"
run check key.scene.yaml
check "a key of 1,100 characters" eval 'is 2 && says "a key of more than 1000 characters" && ! says "well-formed"'
scene '{sphere: 1}'
run run one.scene.yaml -o threads -t 65
check "more threads than there can be" eval 'is 2 && says "from 1 to 64"'
run run one.scene.yaml -o threads -t 64
check "as many as there can be" eval 'is 0 && says "threads 64"'
echo "1..$n"
