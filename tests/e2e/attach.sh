#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --attach: a program that runs already is analysed as one that psc_frontend starts, and goes on as if nothing had been.
. "${srcdir:-.}/tests/e2e/lib.sh"

cp "$srcdir/tests/e2e/attached.c" .
psc_instrument --attach gcc -O1 -g -o serial attached.c -lpthread && psc_instrument --attach gcc -O1 -g -fopenmp -o team attached.c &&
	gcc -O1 -g -o plain attached.c -lpthread && psc_instrument --attach gcc -O1 -g -static -o fixed attached.c -lpthread ||
	{ echo "Bail out!"; exit 1; }
program=
trap 'cd "$work" && : >end; [ -z "$program" ] || kill -CONT "$program" 2>/dev/null; sleep 1; rm -rf "$work"' EXIT
loop=attached.c:$(grep -n 'the phase' attached.c | cut -d: -f1)

# begin PROGRAM ARGUMENTS...: runs in the background until $processes, or 1, have begun; sets program
begin() {
	rm -f end said
	: >begun
	chmod 666 begun
	"$@" >said 2>&1 &
	program=$!
	i=0
	until [ "$(wc -c <begun)" -ge "${processes:-1}" ] || [ $i -ge 3000 ]; do sleep 0.02; i=$((i + 1)); done
}
# end CODE: the program ends with that code and has printed what it prints alone
end() {
	: >end
	code=0
	wait $program || code=$?
	[ $code = "$1" ] && diff said alone
}
# attach CODE ARGUMENTS...
attach() {
	want=$1
	shift
	code=0
	# a machine of its own: findings are ranked by counts, not by times
	timeout 300 psc_frontend -v --machine itanium2 "$@" >out 2>err || code=$?
	! grep 'check: wrong' err || return 1
	[ "$code" = "$want" ] || { echo "exit code $code, not $want"; return 1; }
}
# analysed: a program that is being analysed for long; sets program and front
analysed() {
	begin ./serial
	rm -f front.err         # of an analysis before
	timeout 300 psc_frontend --attach $program --phase "$loop" --no-psc --clean 64 --count 64 --counters 1 >front.out 2>front.err &
	front=$!
	i=0
	until grep -qs "is analysed" front.err || [ $i -ge 3000 ]; do sleep 0.1; i=$((i + 1)); done
}
# the property and the path of the first finding
first() { sed -n '2s/^\([^,]*,[^,]*,\).*,"\(Application[^"]*\)".*/\1\2/p' "$1"; }

./serial 2 >alone
OMP_NUM_THREADS=1 ./team 2 | diff - alone || { echo "Bail out!"; exit 1; }

# --- one process

check "started by psc_frontend: analysed" run 5 --machine itanium2 --app ./serial --phase "$loop" --no-psc --csv started.csv -- 60
begin ./serial
check "attached: analysed" attach 0 --attach $program --phase "$loop" --no-psc --csv attached.csv
check "attached: the first finding is the same" test "$(first started.csv)" = "$(first attached.csv)"
check "attached: there is one" test "$(wc -l <attached.csv)" -gt 1
check "attached: the report says so, and what is not known" grep -q "began while the program ran (process $program)" out
check "attached: the process is named on standard error" grep -q "process $program is analysed" err
check "the program runs on" kill -0 $program
check "no descriptor of the monitor is left open" sh -c "! ls -l /proc/$program/fd | grep -E 'memfd|/proc/|socket'"
check "attached again: analysed" attach 0 --attach $program --phase "$loop" --no-psc --csv again.csv
check "attached again: the first finding is the same" test "$(first started.csv)" = "$(first again.csv)"
check "attached again, the phase by time: analysed" attach 0 --attach $program --no-psc --csv again.csv
check "attached again, the phase by time: the first finding is the same" test "$(first started.csv)" = "$(first again.csv)"
check "the program's output and exit code are its own" end 5
begin ./serial
check "without --phase: analysed" attach 0 --attach $program --no-psc --csv chosen.csv
check "without --phase: the first finding is the same" test "$(first started.csv)" = "$(first chosen.csv)"
check "without --phase: the program's output and exit code are its own" end 5

# --- threads

OMP_NUM_THREADS=2
begin ./team
check "a team of two threads: analysed" attach 0 --attach $program --phase "$loop" --no-psc
check "a team of two threads: both are measured" grep -q "^Run *1 process, 2 threads" out
check "a team of two threads: the program's output and exit code are its own" end 5
OMP_NUM_THREADS=1

begin ./serial 2 sleeps
check "one thread sleeps, another computes: analysed" attach 0 --attach $program --no-psc --csv beside.csv
check "one thread sleeps, another computes: that one is measured" grep -q "thread's\|diffuse" beside.csv
check "one thread sleeps, another computes: no system call was interrupted, output and exit code are its own" end 5

# --- how it ends

begin ./serial
rm -f err
ends() {
	attach 4 --attach $program --phase "$loop" --no-psc --delay 1000000 &
	until grep -qs "is analysed" err || ! kill -0 $!; do sleep 0.05; done
	: >end
	wait $!
}
check "the program ends during the analysis: a partial report" ends
check "the program ends during the analysis: said" grep -q "the application ended before the search did" out
check "the program ends during the analysis: its output and exit code are its own" end 5
analysed
check "analysed already: refused" attach 2 --attach $program --no-psc
check "analysed already: says why" grep -q "process $program (serial) is being analysed already" err
kill -INT $front
code=0
wait $front || code=$?
check "Ctrl-C: exit code 130" test $code = 130
check "Ctrl-C: attached again: analysed" attach 0 --attach $program --phase "$loop" --no-psc
check "Ctrl-C: the program runs on, its output and exit code are its own" end 5
analysed
kill -KILL $(pgrep -P $front psc_frontend)
wait $front 2>/dev/null
check "psc_frontend is killed: nothing of it is left" nothing_left
check "psc_frontend is killed: the program's output and exit code are its own" end 5
analysed
for p in $(ours psc_agent); do kill -KILL "$p"; done
code=0
wait $front || code=$?
check "the agents are killed: exit code 4" eval 'test $code = 4 || { echo "exit code $code"; cat front.err; false; }'
# The program notices it at the end of an execution; psc_frontend asks it again until then.
check "the agents are killed: attached again: analysed" attach 0 --attach $program --phase "$loop" --no-psc
check "the agents are killed: the program's output and exit code are its own" end 5

# --- what cannot be attached

begin ./serial 0 ignores
check "SIGURG ignored: refused" attach 2 --attach $program --no-psc
check "SIGURG ignored: says why" grep -q "process $program (serial) ignores SIGURG" err
check "SIGURG ignored: the program notices nothing" end 5
begin ./serial 0 blocks
check "SIGURG blocked: refused" attach 2 --attach $program --no-psc
check "SIGURG blocked: says why" grep -q "all its threads block SIGURG" err
check "SIGURG blocked: the program notices nothing" end 5
begin ./serial 0 handles
check "SIGURG used by the program: refused" attach 2 --attach $program --no-psc
check "SIGURG used by the program: says why" grep -q "has a handler of its own" err
sed -i 's/0 signals/1 signals/' alone
check "SIGURG used by the program: it gets one" end 5
sed -i 's/1 signals/0 signals/' alone
begin ./plain
# A busy host may leave it without a sample.
its_time() { attach 0 --attach $program --no-psc --max-time 1 || [ $code = 4 ]; }
if psc_foreign --times-here >times 2>&1; then
	check "not instrumented: the kernel samples its time" its_time
	check "not instrumented: says so" grep -q "its time is sampled" err
else
	for i in 1 2; do skip "not instrumented" "$(cat times)"; done
fi
check "not instrumented: the program notices nothing" end 5
check "no such process: refused" attach 2 --attach $program --no-psc
check "no such process: says so" grep -q "there is no process $program" err
begin ./serial
kill -STOP $program
check "stopped: refused" attach 2 --attach $program --no-psc
check "stopped: says so" grep -q "process $program (serial) is stopped" err
kill -CONT $program
check "stopped: the program notices nothing" end 5
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 711 "$work"
	begin setpriv --reuid=65534 --regid=65534 --clear-groups ./serial
	check "of another user: refused" attach 2 --attach $program --no-psc
	check "of another user: says so" grep -q "process $program belongs to user 65534" err
	check "of another user: the program notices nothing" end 5
else
	for i in refused "says so" "the program notices nothing"; do skip "of another user: $i" "not root, or no setpriv"; done
fi
begin ./fixed
check "static: analysed" attach 0 --attach $program --phase "$loop" --no-psc --csv fixed.csv
check "static: the first finding is the same" test "$(first started.csv)" = "$(first fixed.csv)"
check "static: the program's output and exit code are its own" end 5
for wrong in "--app ./serial" "--max-runs 2" "--mpinumprocs 2" "--hosts a" "--doctor" "-- ./serial"; do
	# shellcheck disable=SC2086
	check "with $wrong: refused" attach 2 --attach 1 $wrong
	check "with $wrong: says why" grep -q "attach does not go with" err
done

# --- several processes, and examples/lu

processes=2
begin sh -c './serial & ./serial & wait; exit 7'
check "the launcher of two processes: analysed" attach 0 --attach $program --phase "$loop" --no-psc
check "the launcher of two processes: both" grep -q "^Run *2 processes, 1 thread each" out
cat alone alone >both
: >end
code=0
wait $program || code=$?
check "the launcher of two processes: output and exit code are its own" sh -c "test $code = 7 && diff said both"

OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
if command -v mpicc >/dev/null && command -v mpirun >/dev/null && psc_instrument --attach mpicc -O1 -g -DRANKS -o ranks attached.c -lpthread; then
	begin mpirun --oversubscribe --bind-to none -np 2 ./ranks
	check "mpirun: its ranks are analysed" attach 0 --attach $program --phase "$loop" --no-psc --csv ranks.csv
	check "mpirun: both ranks" grep -q "^Run *2 processes" out
	check "mpirun: the first finding is the same" test "$(first started.csv)" = "$(first ranks.csv)"
	: >end
	code=0
	wait $program || code=$?
	check "mpirun: each rank's output and exit code are its own" \
		sh -c "test $code = 5 && test \"\$(grep -cxF '$(cat alone)' said)\" = 2"
else
	for i in "its ranks are analysed" "both ranks" "the first finding is the same" "each rank's output"; do
		skip "mpirun: $i" "no mpicc or mpirun"
	done
fi

build_lu .
processes=0
begin ./lu 33 6000
sleep 0.5
check "examples/lu: analysed" attach 0 --attach $program --phase ssor.f:109 --no-psc --csv lu.csv
check "examples/lu: started by psc_frontend" run 0 --machine itanium2 --app ./lu --phase ssor.f:109 --no-psc --csv lu2.csv -- 33 60
check "examples/lu: the first finding is the same" test "$(first lu.csv)" = "$(first lu2.csv)"
kill $program
wait $program 2>/dev/null
check "nothing is left" nothing_left
echo "1..$n"
