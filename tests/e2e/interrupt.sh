#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Signals: the application gets them as without us, what was found is printed, nothing is left.
agents=auto
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 14
build_lu .

# launch SIGNAL...: psc_frontend on a long run, signalled once its first experiment is done
launch() {
	rm -f out err
	psc_frontend --app ./lu --phase ssor.f:109 --no-psc "$@" >out 2>err &
	pid=$!
	i=0
	until grep -q "experiment 2" err 2>/dev/null || [ $i -ge 3000 ]; do sleep 0.1; i=$((i + 1)); done
}
# Numbers of steps of our own, so that another test's processes are not taken for ours.
long=$((20000 + $$ % 5000))
short=$((120 + $$ % 50))
wait_lu() {     # until the program runs
	i=0
	until pgrep -f "^./lu 33 $1" >/dev/null || [ $i -ge 3000 ]; do sleep 0.1; i=$((i + 1)); done
	sleep 0.3
}
finish() { code=0; wait $pid || code=$?; }
no_lu() { ! pgrep -f "^./lu 33 $long" >/dev/null; }

launch -- 33 $long
kill -TERM $pid
finish
check "SIGTERM: exit code 143" test $code = 143
check "SIGTERM: what was found is printed" grep -q "^SURE " out
check "SIGTERM: the application has ended" no_lu
check "SIGTERM: nothing is left" nothing_left

# A terminal's Ctrl-C reaches the whole foreground group; here the group is one of our own (and a shell's
# background commands ignore SIGINT unless told otherwise).
rm -f out err
setsid env --default-signal=INT psc_frontend --app ./lu --phase ssor.f:109 --no-psc -- 33 $long \
	>out 2>err &
pid=$!
i=0
until grep -q "experiment 2" err 2>/dev/null || [ $i -ge 3000 ]; do sleep 0.1; i=$((i + 1)); done
kill -INT -$pid
finish
check "SIGINT to the group: exit code 130" test $code = 130
check "SIGINT: what was found is printed" grep -q "^SURE " out
check "SIGINT: the application has ended" no_lu
check "SIGINT: nothing is left" nothing_left

# SIGUSR1 (psc_frontend --stop) ends the analysis, not the program.
psc_frontend --app ./lu --phase ssor.f:109 --no-psc --delay 100000 -- 33 $short >out 2>err &
pid=$!
wait_lu $short
psc_frontend --stop $pid
finish
check "--stop: the analysis is partial" test $code = 4
check "--stop: the program ran to its end" grep -q "Verification: SUCCESSFUL" out

# Killed outright: the keeper cleans up, the program goes on.
psc_frontend --app ./lu --phase ssor.f:109 --no-psc --delay 100000 -- 33 $long >out 2>err &
front=$!
wait_lu $long
kill -KILL $front
sleep 0.5
check "SIGKILL of the front end: the program goes on" pgrep -f "^./lu 33 $long"
check "SIGKILL of the front end: the agents and their files go" nothing_left
pkill -KILL -f "^./lu 33 $long"
wait 2>/dev/null

# An agent that is killed takes nothing with it.
psc_frontend --app ./lu --phase ssor.f:109 --no-psc --delay 100000 -- 33 $short >out 2>err &
pid=$!
wait_lu $short
for p in $(grep -lsz "^TMPDIR=$TMPDIR" /proc/[0-9]*/environ | cut -d/ -f3); do
	case $(cat /proc/$p/comm 2>/dev/null) in psc_agent*) kill -KILL "$p" ;; esac
done
finish
check "agents killed: the program ran to its end" grep -q "Verification: SUCCESSFUL" out
check "agents killed: said so, exit code 4, nothing left" sh -c "[ $code = 4 ] && grep -q 'agents failed' err"
nothing_left || echo "# something is left after the agents were killed"
