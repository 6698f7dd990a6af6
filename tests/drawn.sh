# drawn.sh: for scripts of sh and bash: a part of a test in ./dev test, the whole test in ./dev test builds and ./dev
# check
# shellcheck shell=sh
in_short() { [ -n "${SCREE_TEST_SHORT:-}" ]; }
# true in each eighth call in short form, the first among them
turn_of_drawn=0
chosen() {
	turn_of_drawn=$(((turn_of_drawn + 1) % 8))
	! in_short || [ $turn_of_drawn -eq 1 ]
}
# COMMAND...: every eighth of these commands in short form
drawn() { if chosen; then "$@"; fi; }
