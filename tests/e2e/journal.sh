#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Agents or the front end die while the program runs: what was found before is not lost.
. "${srcdir:-.}/tests/e2e/lib.sh"
build_lu .
steps=$((20000 + $$ % 5000))    # a number of our own, so that another test's program is not taken for ours

finish() { code=0; wait $front || code=$?; }
end_program() { kill -TERM "$program" 2>/dev/null; }
# The report has findings, and says that it is partial, and why.
tells() { grep -q "^Partial analysis: .*$1" "$2" && grep -q '^ 1 ' "$2"; }
# settled: the front end has written all that the stopped agents had sent: it waits, and the journal
# does not change any more
settled() {
	i=0
	while [ $i -lt 120 ]; do
		size=$(stat -c %s lu.psc.journal)
		sleep 1
		[ "$(stat -c %s lu.psc.journal)" != "$size" ] || ! grep -q '^State:.S' "/proc/$front/status" || return 0
		i=$((i + 1))
	done
}
same_findings() { psc_report --csv "$1" | cut -d, -f1-4; }

plan 11
until_found "$steps" local
psc_report lu.psc.journal >read
check "while an analysis runs, its journal is a report" tells 'was not finished' read
agents=$(ours psc_agent)
kill -STOP $agents
settled
same_findings lu.psc.journal >before
kill -KILL $agents
i=0
until tells 'agents failed' out || [ $i -ge 3000 ]; do sleep 0.1; i=$((i + 1)); done
check "all agents are killed: what they had found is reported at once" tells 'agents failed' out
check "and the program goes on" kill -0 "$program"
end_program
finish
same_findings lu.psc >after
check "the same findings, in the file, too" cmp before after
check "the exit code is the program's" test $code = 143
check "no journal is left" test ! -e lu.psc.journal
check "nothing else is left" nothing_left

until_found "$steps" local
kill -KILL $front
finish
sleep 1
check "the front end is killed: the program goes on" kill -0 "$program"
check "agents and their files go" nothing_left
psc_report lu.psc.journal >read
check "the journal can be reported" tells 'was not finished' read
end_program
rm -f lu.psc.journal
psc_frontend -q --lockstep --agents local --app ./lu --phase ssor.f:109 -- 12 40 >out 2>err
check "a finished analysis leaves no journal" sh -c '[ -s lu.psc ] && [ ! -e lu.psc.journal ]'
