#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --try: an action is tried in the running program, what malloc does afterwards is as without, and where the action cannot be
# tried a reason is said.  Which verdict a trial has hangs on times: none is asserted.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 18

cp "$srcdir/tests/e2e/tried.c" .
psc_instrument gcc -g -O2 -pthread -o tried tried.c && psc_instrument gcc -g -O2 -DOWN -pthread -o own tried.c || {
	echo "Bail out! tried.c"
	exit 1
}
phase=tried.c:$(grep -n 'the steps' tried.c | tail -n 1 | cut -d: -f1)
# try PROGRAM OPTIONS -- ARGUMENTS: as run() of lib.sh, with the program's exit code
try() {
	program=$1
	shift
	rm -f trial.json report
	run 7 --app "./$program" --phase "$phase" --json trial.json -o report --no-psc "$@"
}
field() { sed -n "/\"trials\"/,/\"ledger\"/s/.*\"$1\": \([^,}]*\).*/\1/p" trial.json; }
is() { [ "$(field "$1")" = "$2" ] || { echo "$1 is $(field "$1"), not $2"; return 1; }; }
# same PROGRAM [MODE]: it printed what it prints by itself
same() { "./$1" 100 ${2:+"$2"} >alone; diff alone out; }
says() { tr '\n' ' ' <report | tr -s ' ' | grep "TRIED.*$1"; }
# Both states were run: the program keeps its two arrays of 0.7 MB in one.
ran() { [ "$(field executions)" -ge 100 ] && [ "$(field memory)" -ge 1000000 ] && is kept false && is changed false; }

check "the program is analysed, and its exit code stays" try tried --try malloc -- 3000
check "both states were run, and the one before was put back" ran
check "malloc behaves as without the trial" same tried
check "the text says so" says "All was put back"
check "a program that forks" try tried --try malloc -- 3000 fork
check "its children have the settings of the parent alone" same tried fork
check "a program that ends during the trial" try tried --try malloc -- 120
check "behaves as without it, too" same tried
check "two threads" try tried --try malloc -- 1500 threads
check "are judged by wall time" is wall true
check "a gain may be kept" try tried --try malloc --try-keep -- 3000
kept_shows() {
	case $(field kept) in
	true) ! same tried && says "stays in force" ;;
	*) same tried ;;
	esac
}
check "and then shows" kept_shows
check "a malloc of the program's own" try own --try malloc -- 60
check "is a reason not to try" says "the program's own"
if psc_instrument gcc -static -g -O2 -pthread -o static tried.c 2>static.log; then
	check "a static program" try static --try malloc -- 60
	check "is another one" says "linked statically"
else
	ok "a static program # SKIP no static C library"
	ok "is another one # SKIP no static C library"
fi
check "what the report does not speak for" try tried --try -- 60 stay
check "is not tried without its name" says "speaks for"
