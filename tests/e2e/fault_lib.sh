# SPDX-License-Identifier: BSD-3-Clause
# For the tests of faults: a program that waits at a step until it may go on.  Sourced after lib.sh.
phase=gate.c:$(grep -n 'step <= steps' "$srcdir/tests/e2e/gate.c" | cut -d: -f1)
steps=40

# build_gate COMPILER...: compiles it as "gate"
build_gate() {
	psc_instrument "$@" -O2 -g -o gate "$srcdir/tests/e2e/gate.c" || { echo "Bail out! gate.c does not compile"; exit 1; }
}
# until_true SECONDS COMMAND...: waits until it succeeds
until_true() {
	limit=$(($(date +%s) + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$(date +%s)" -le $limit ] || { echo "in vain: $*"; return 1; }
		sleep 0.1
	done
}
# analyse WAY K OPTIONS...: in the background; the program, $gate_program, waits before step K
analyse() {
	way=$1 gate=$2
	shift 2
	psc_frontend --lockstep --agents "$way" --machine itanium2 --properties levels --psc r.psc --phase "$phase" "$@" \
		--app "${gate_program:-../gate}" -- $steps "$gate" >out 2>err &
	front=$!
}
program_waits() {
	[ -e here ] && program=$(ours gate) && [ -n "$program" ] && kill -0 $program
}
found() { [ -s r.psc.journal ] && [ "$(psc_report --csv r.psc.journal | wc -l)" -gt 1 ]; }
# finish CODE: the program may go on
finish() {
	touch go
	code=0
	wait $front || code=$?
	right && [ $code = "$1" ] || { echo "exit code $code"; return 1; }
	nothing_left && [ ! -e r.psc.journal ]
}
# After a case that failed: ends all that is ours.
end_all() {
	for p in $(ours psc_frontend) $(ours psc_) $(ours mpirun) $(ours gate); do kill -KILL "$p" 2>/dev/null; done
}
right() { grep -q 'the sums are right' out; }
