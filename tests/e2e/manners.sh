#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# psc_frontend as a guest: what the program inherits, what --stop stops, where reports can go, what is left after
# the worst, and what is said where there is no room.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 46

cat >steps.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static double a[20000], b[20000];
static void step(int k) { for (int i = 1; i < 19999; i++) a[i] = 0.5 * b[i] + k; }
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 30;
	for (int i = 0; i < n; i++) {
		step(i);
		if (argc > 2)
			usleep(argv[2][0] == 's' ? 10000 : 200000);
	}
	if (argc < 5)
		puts("the end");
	return argc > 3 ? atoi(argv[3]) : 0;
}
EOF
psc_instrument gcc -O1 -g -o steps steps.c && gcc -o sees "$srcdir/tests/e2e/sees.c" || { echo "Bail out!"; exit 1; }
loop=steps.c:$(grep -n 'i < n' steps.c | cut -d: -f1)

# --- what is said before

# The default is two recorded executions, each 6 to 35 times as long; steps take 0.2 s, or more on a busy machine.
long_steps() {
	psc_frontend --no-psc --lockstep --app ./steps --phase "$loop" "$@" -- 9 long >out 2>err
	sed -n 's/^psc: next, 2 executions of \([0-9.]*\) s will be recorded, which takes \([0-9.]*\) s to \([0-9.]*\) s.*/\1 \2 \3/p' err |
		awk '{ good = $1 >= 0.2 && $2 > 9 * $1 && $2 < 15 * $1 && $3 > 55 * $1 && $3 < 85 * $1 } END { exit !good }'
}
check "executions that take long: recording them is announced with its time" long_steps
check "a sample, or short executions: nothing is announced" sh -c "! { psc_frontend --no-psc \
	--app ./steps --phase $loop 2>&1; psc_frontend --no-psc --app ./steps --phase $loop \
	--sample 8 --max-executions 8 -- 9 long 2>&1; } | grep 'will be recorded'"

# on_terminal: the program's line and each of ours are whole, and nothing is written over
on_terminal() {
	script -qec "psc_frontend --lockstep --no-psc --app ./steps --phase $loop -- 30" typed >/dev/null </dev/null
	tr -d '\r' <typed >out
	grep -x 'the end' out && [ "$(grep -cx 'psc: experiment [0-9].* \(to sum up\|no findings yet\)' out)" -ge 2 ] &&
		! grep '\[K' out
}
what="on a terminal, lines of progress and those of the program stay apart"
if command -v script >/dev/null; then check "$what" on_terminal; else skip "$what" "no script"; fi

# --- what the program inherits

# same NAME COMMAND: the command as it is, and with psc_frontend in front of what `run` stands for
same() {
	what=$1
	shift
	sh -c "$(echo "$*" | sed "s,RUN,./sees native ./steps 30,")" >out 2>err
	sh -c "$(echo "$*" | sed "s,RUN,psc_frontend -q -vv --no-psc --exe ./steps --phase $loop -- ./sees ours ./steps 30,")" \
		>out 2>err
	check "$what: the program finds it" diff native ours
	rm -f native ours
}
same "nothing special" RUN
same "signals ignored, a mask for files, small files" "trap '' PIPE HUP INT TERM USR1 CHLD; umask 027; ulimit -S -f 8; RUN"
same "signals blocked, niceness, no core files" \
	"ulimit -c 0; PSC_INFO=0 nice -n 3 env --block-signal=ALRM,TERM,USR2,CHLD RUN"
same "descriptors of its own, few open files" "exec 5<steps.c 9>nine; ulimit -S -n 30; RUN"
same "standard input closed" "RUN <&-"
same "standard output closed" "RUN >&-"
same "all three closed" "RUN <&- >&- 2>&-"
if perl -e 1 2>/dev/null; then
	same "an alarm that is running" "perl -e 'alarm 1000; exec @ARGV' RUN"
else
	skip "an alarm that is running" "perl is not installed"
fi

check "all three closed: the report can be had all the same" sh -c "
	psc_frontend -v -o closed.txt --psc closed.psc --app ./steps --phase $loop <&- >&- 2>&- &&
	grep -q '^Where the accesses' closed.txt && psc_report closed.psc"
{ psc_frontend --no-psc --app ./steps --phase "$loop" -- 60 slow 0 quiet 2>err; echo $? >code; } | sh -c 'exec <&-'
check "nobody reads our report: the program is not touched, the analysis is whole" test "$(cat code)" = 0
{ psc_frontend --no-psc --app ./steps --phase "$loop" -- 60 slow 7 quiet 2>err; echo $? >code; } | sh -c 'exec <&-'
check "the program fails then: its exit code" test "$(cat code)" = 7

# --- --stop, with mpirun, which takes more to end

PSC_AGENTS=auto
sleep 100 &
other=$!
check "--stop: another process is left alone" sh -c "! psc_frontend --stop $other 2>err && kill -0 $other"
check "--stop: and that is said" grep -q "$other is not a psc_frontend" err
kill $other
psc_frontend --stop 4194000 >out 2>err
check "--stop: a process that is not there" test $? = 2
long=$((20000 + $$ % 5000))
running() {     # ARGUMENTS: a long run, until its program runs
	psc_frontend --no-psc --app ./steps --phase "$loop" --delay 100000 "$@" >out 2>err &
	front=$!
	i=0
	until app=$(pgrep -f "^./steps $long") || [ $i -ge 3000 ]; do sleep 0.1; i=$((i + 1)); done
	keeper=$(pgrep -P $front psc_keeper)
}
running -- $long slow
check "--stop with the program's PID stops its analysis" psc_frontend --stop "$app"
i=0
until grep -q "stopped on request" out || [ $i -ge 1000 ]; do sleep 0.1; i=$((i + 1)); done
check "--stop: the report has come, the program runs on" sh -c "grep -q 'stopped on request' out && kill -0 $app"
kill "$app"
code=0
wait $front || code=$?
check "the program ended by a signal: 128 + its number" test $code = 143
check "--stop: nothing is left" nothing_left

# --- faults

running -- $long slow
kill -STOP "$keeper"
kill "$app"
check "a stopped keeper: the front end ends" timeout 200 tail --pid=$front -f /dev/null
check "a stopped keeper: nothing is left" nothing_left
running -- $long slow
kill -KILL "$keeper"
kill "$app"
check "a killed keeper: the front end ends" timeout 200 tail --pid=$front -f /dev/null
check "a killed keeper: nothing is left" nothing_left
running -- $long slow
kill -STOP "$keeper"
kill -KILL $front "$keeper"
kill "$app"
check "front end and keeper are both killed: the directory is left" sh -c "ls -d '$TMPDIR'/psc-*"
mkdir "$TMPDIR/psc-foreig" "$TMPDIR/psc-other1"
check "the next run removes it, and nothing else" sh -c "psc_frontend --no-psc --app ./steps --phase $loop >out 2>err &&
	[ \"\$(ls '$TMPDIR' | tr '\n' ' ')\" = 'psc-foreig psc-other1 ' ]"
rmdir "$TMPDIR"/psc-*
check "and nothing is left" nothing_left

# --- where reports can go

PSC_AGENTS=local
mkfifo fifo
cat fifo >read &
check "-o FIFO" psc_frontend -v --no-psc -o fifo --app ./steps --phase "$loop"
wait
check "-o FIFO: the report is what was read" grep -q "^Where the accesses" read
for form in html json csv psc; do
	mkfifo fifo.$form
	cat fifo.$form >read.$form &
done
check "the other forms to a FIFO each" psc_frontend --html fifo.html --json fifo.json --csv fifo.csv --psc fifo.psc \
	--app ./steps --phase "$loop"
wait
check "and all of each was read" sh -c "psc_report read.psc >read && psc_report --html read.psc | cmp - read.html && grep -q periscope-c read.json &&
	grep -q '^rank,' read.csv"
check "-o /dev/stdout goes behind the program's output" sh -c "
	psc_frontend -v --no-psc -o /dev/stdout --app ./steps --phase $loop >both 2>err &&
	grep -q '^the end' both && grep -q '^Where the accesses' both"
check "-o /dev/fd/7" sh -c "psc_frontend -v --no-psc -o /dev/fd/7 --app ./steps --phase $loop 7>seven 2>err >out &&
	grep -q '^Where the accesses' seven"
psc_frontend --no-psc -o fifo --app ./steps --phase "$loop" >out 2>err &
front=$!
i=0
until grep -q "nobody reads" err || [ $i -ge 2000 ]; do sleep 0.1; i=$((i + 1)); done
kill -TERM $front
code=0
wait $front || code=$?
check "a pipe that nobody reads: SIGTERM ends the waiting" test $code = 143
check "a pipe that nobody reads: nothing is left" nothing_left

# --- what cannot be

# no COMMAND TEXT: set-up error 2 with that text, at once
no() {
	code=0
	timeout 200 sh -c "$1" >out 2>err || code=$?
	[ $code = 2 ] || { echo "exit code $code"; return 1; }
	grep -q -- "$2" err
}
front="psc_frontend --app ./steps --no-psc --phase $loop"
check "ulimit -n 10: said at once" no "ulimit -n 10; $front" "open files is 10 (ulimit -n)"
check "ulimit -n 30: too few for mpirun, said at once" no "ulimit -n 30; $front --agents mpirun" "open files is 30 (ulimit -n)"
check "ulimit -n 30: agents without mpirun are started" sh -c "ulimit -n 30; $front --agents auto"
check "ulimit -f 1: said at once" no "ulimit -f 1; $front" "ulimit -f"
printf '#!/bin/sh\nexec ./steps "$@"\n' >run.sh
chmod +x run.sh
check "a script as program: --exe is named" no "psc_frontend --app ./run.sh --phase $loop" "--exe"
check "a script with --exe works" psc_frontend --no-psc --exe ./steps --app ./run.sh --phase "$loop"
fall_back() {   # TMPDIR: another directory is taken, and that is said
	code=0
	TMPDIR=$1 XDG_RUNTIME_DIR=$work/tmp psc_frontend --no-psc --app ./steps --phase "$loop" >out 2>err || code=$?
	[ $code = 0 ] && grep -q "cannot be used" err
}
check "TMPDIR is missing: another is taken" fall_back /no/such/directory
mkdir -p "a/$(printf '%070d' 1)"
check "TMPDIR is too long for a socket: another is taken" fall_back "$work/a/$(printf '%070d' 1)"
if mkdir small && mount -t tmpfs -o size=4k none small 2>/dev/null; then
	check "TMPDIR is tiny: another is taken" fall_back "$work/small"
	umount small
else
	skip "TMPDIR is tiny" "no right to mount"
fi
check "nothing is left of all that" nothing_left
