#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --try STRUCTURE:pages=2M: the program's output, writes of its threads and its large pages are as without a trial, also where it
# forks, allocates anew or ends meanwhile, and where the tool is killed.  Which verdict a trial has hangs on times: none is asserted.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 19

cp "$srcdir/tests/e2e/tried_pages.c" .
psc_instrument gcc -g -O2 -pthread -o tried_pages tried_pages.c || {
	echo "Bail out! tried_pages.c"
	exit 1
}
phase=tried_pages.c:$(grep -n 'the steps' tried_pages.c | tail -n 1 | cut -d: -f1)
try() {
	rm -f trial.json report
	run 7 --app ./tried_pages --phase "$phase" --json trial.json -o report --no-psc --try table:pages=2M "$@"
}
field() { sed -n "/\"trials\"/,/\"ledger\"/s/.*\"$1\": \([^,}]*\).*/\1/p" trial.json; }
is() { [ "$(field "$1")" = "$2" ] || { echo "$1 is $(field "$1"), not $2"; return 1; }; }
same() { ./tried_pages "$@" >alone; diff alone out; }

check "the program is analysed, and its exit code stays" try -- 9000
check "its output and its large pages are as without the trial" same 9000
case $(field reason) in
*forbidden* | *not-moved*)
	for name in "pages were moved" "and put back"; do ok "$name # SKIP $(field reason)"; done
	can= ;;
*)
	check "pages were moved" eval '[ "$(field moved_pages)" -gt 0 ] && [ "$(field executions)" -ge 100 ]'
	check "and put back" eval 'is left_pages 0 && is kept false'
	can=yes ;;
esac
check "a program that forks" try -- 1000 fork
check "behaves as without the trial" same 1000 fork
if [ "$can" ]; then
	# A child that has not ended yet shares the pages when the trial looks at them.
	check "which is the reason why there is none" eval 'case $(field reason) in *forked* | *no-pages*) ;; *) false ;; esac'
else
	ok "which is the reason why there is none # SKIP nothing is tried here"
fi
check "a program that allocates the structure anew" try -- 3000 free
check "behaves as without the trial" same 3000 free
check "a program that ends during the trial" try -- 120
check "behaves as without it" same 120
check "a thread that writes meanwhile" try -- 1500 threads
check "loses no write" grep -q ' 0 writes lost, 0 kB' out
check "a structure that is not there" run 7 --app ./tried_pages --phase "$phase" --json trial.json -o report --no-psc \
	--try tabel:pages=2M -- 60
check "is a reason" is reason '"unknown-structure"'

check "one memory node, or a place that the program has" run 7 --app ./tried_pages --phase "$phase" --json trial.json -o report \
	--no-psc --try table:local -- 60
check "is another reason" eval 'case $(field reason) in *one-node* | *placed* | *ended* | *forbidden*) ;; *) false ;; esac'
# Which CPUs threads may use afterwards is what they may use without a trial.
cpus_stay() {
	try --try threads:spread -- 1500 threads && same 1500 threads
}
check "threads get their CPUs back" cpus_stay

# The tool is killed in the midst of the trial, or, where that was too brief to be seen, behind it; the program goes on and ends.
killed() {
	rm -f end report
	psc_frontend -q --app ./tried_pages --phase "$phase" -o report --no-psc --try table:pages=2M -- 4000 still >out 2>err &
	until p=$(ours tried_pages) && [ -n "$p" ] && grep -q '^AnonHugePages: *[1-9]' "/proc/$p/smaps_rollup" ||
			[ -s report ] || ! kill -0 $!; do
		sleep 0.02
	done
	for one in $(ours psc_); do kill -KILL "$one"; done
	: >end
	tries=0
	while [ "$(ours tried_pages)" ] && [ $((tries += 1)) -lt 3000 ]; do sleep 0.05; done
	./tried_pages 4000 >alone
	diff alone out
}
check "the tool is killed: the program's output and its large pages are its own" killed
