#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --try: what happens while an action is in force.  The program forks, makes a thread, allocates
# anew, ends or is killed, or the tool is killed: result, exit code, malloc, CPUs and memory policies
# are as without a trial.  (Large pages: try_pages.sh; two real memory nodes: tests/qemu/nodes.sh.)
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 15

cp "$srcdir/tests/e2e/tried_faults.c" .
psc_instrument gcc -g -O2 -pthread -o tried_faults tried_faults.c || {
	echo "Bail out! tried_faults.c"
	exit 1
}
phase=tried_faults.c:$(grep -n 'the steps' tried_faults.c | tail -n 1 | cut -d: -f1)
[ -d /sys/devices/system/node/node1 ] && nodes=yes || nodes=

# as_alone ACTION MODE [CODE]
as_alone() {
	code=0
	psc_frontend -q --lockstep --app ./tried_faults --phase "$phase" -o report --no-psc \
		--try "$1" -- 20000 "$2" >out 2>err || code=$?
	./tried_faults 1 "$2" >alone
	[ $code = "${3:-7}" ] && diff alone out
}
# The tool is killed; the program goes on and ends.
killed() {
	psc_frontend -q --lockstep --app ./tried_faults --phase "$phase" -o report --no-psc \
		--try "$1" -- 20000 tool >out 2>err
	tries=0
	while [ "$(ours tried_faults)" ] && [ $((tries += 1)) -lt 3000 ]; do sleep 0.05; done
	./tried_faults 1 tool >alone
	diff alone out
}
# fault ACTION MODE [CODE]: the behaviour, and whether the fault came in state B
fault() {
	[ "$2" = tool ] && by=killed || by=as_alone
	if [ "${1%:interleave}" != "$1" ] && [ -z "$nodes" ]; then
		skip "$1: $2" "one memory node"
	else
		check "$1: $2" "$by" "$@"
		grep -q 'in state B' err || echo "# not in state B"
	fi
}
for action in malloc threads:spread table:interleave; do
	for mode in fork exit tool; do fault $action $mode; done
	fault $action kill 137
done
fault threads:spread thread
fault malloc unmap
fault table:interleave unmap
