#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --verify: what copies of the process measure, what they refuse, and that the program notices nothing of them.
. "${srcdir:-.}/tests/e2e/lib.sh"
: "${AWK:=awk}"
plan 37

cp "$srcdir/tests/e2e/copied.c" "$srcdir/tests/e2e/counters.c" .
# What is compared with the estimate misses the caches; in the other cases size proves nothing, and copies of the process
# take as long as their memory is large.
psc_instrument gcc -g -O2 -DLARGE=4 -o large copied.c && psc_instrument gcc -g -O2 -o copied copied.c || {
	echo "Bail out! copied.c"
	exit 1
}
built=large
# analyse CODE PHASE STRUCTURE [ARGUMENT]: the program's output goes to `out`, the report to `report`
analyse() {
	code=$1 phase=$2 structure=$3
	shift 3
	rm -f report
	run "$code" --app ./$built --phase "copied.c:$(grep -n "the phase of $phase\$\|the phase of $phase " copied.c | cut -d: -f1)" \
		--json verify.json --psc verify.psc -o report --verify "$structure" -- "$phase" "$@"
}
# same PHASE [ARGUMENT]: the program printed what it prints by itself
same() { ./$built "$@" >alone; diff alone out; }
field() { sed -n "/\"verified\"/,/\"ledger\"/s/.*\"$1\": \([^,}]*\).*/\1/p" verify.json; }
# says TEXT: as the report's reason, whose lines are joined
says() { tr '\n' ' ' <report | tr -s ' ' | grep "not measured: .*$1"; }
copies() { ! says . && [ "$(field measured)" != null ]; }
# between A B C: A <= B <= C
between() { "$AWK" -v a="$1" -v b="$2" -v c="$3" 'BEGIN { print a, b, c; exit !(a != "" && b != "" && c != "" && a <= b && b <= c) }'; }
# aliased NAME COMMAND...: a check of what only copies with aliased pages tell
slow=
aliased() {
	if [ "$slow" ]; then
		ok "$1 # SKIP this host reads aliases too slowly"
	else
		check "$@"
	fi
}
more() { "$AWK" -v a="$1" -v by="$2" 'BEGIN { print a + by }'; }

gives_the_share() {
	between "$(more "$(field measured)" -0.1)" \
		"$("$AWK" -v a="$(field time_with)" -v t="$(field time)" 'BEGIN { print 1 - a / t }')" "$(more "$(field measured)" 0.1)"
}
# The estimate is held against a measurement, so it must stand on measured costs.
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
calibrated=
! psc_machine --calibrate >calibration 2>&1 || calibrated=yes
check "a sum at a step is measured, and the program's exit code stays" analyse 3 strided big 3
says "shares its frame with many others" >/dev/null && slow=1
aliased "with figures" copies
if [ "$slow" ]; then
	aliased "that agree with the estimate"
elif [ "$(field estimated_low)" = null ]; then
	ok "beside an estimate # SKIP nothing is estimated here"
elif [ -z "$calibrated" ]; then
	ok "that agree with the estimate # SKIP $(tail -n 1 calibration): costs are assumed"
else
	# On a busy machine one measurement may be far off, all of it together: one of six must be good.
	agrees() { between "$(more "$(field estimated_low)" -0.15)" "$(field measured)" "$(more "$(field estimated_high)" 0.15)"; }
	for try in 1 2 3 4 5; do { agrees && gives_the_share; } >/dev/null || analyse 3 strided big 3; done
	check "that agree with the estimate" agrees
fi
aliased "between the quartiles" between "$(field measured_low)" "$(field measured)" "$(field measured_high)"
aliased "in times that give the share" gives_the_share
check "the program prints the same" same strided 3
sed -n '/^What misses cost/,/^$/p' report >section
aliased "the report has a section of it" grep -q 'measured .*% (' section
check "which the property file holds, too" sh -c "psc_report -v verify.psc | sed -n '/^What misses cost/,/^\$/p' | diff - section"

built=copied
check "data at random places is measured" analyse 0 gather table
aliased "with figures of the data" copies
check "but not the index, which says where" analyse 0 gather index_of
aliased "as the copy makes other accesses" says "its values are addresses or indices .*made other accesses"
check "an array from malloc is measured" analyse 0 heap some
aliased "with figures of the block" copies
check "offsets that would lead astray are analysed" analyse 0 offsets index_of
aliased "but not measured: the copy faults" says "its values are addresses or indices .*signal 11"
check "and the program's handler of faults does not run" same offsets
check "values that lead the next execution are analysed" analyse 0 leads big
aliased "but not measured" says "its values are addresses or indices .*made other accesses"
check "values that end the phase are analysed" analyse 0 until big
aliased "but not measured" says "its values are addresses or indices"
check "a list is analysed" analyse 0 list nodes
aliased "but not measured: its values are addresses" says "its values are addresses"
check "and prints the same" same list

# interrupted: SIGTERM while a copy follows the list in circles ends the program at once; nothing is left
interrupted() {
	psc_frontend --lockstep --app ./copied --phase "copied.c:$(grep -n 'the phase of list ' copied.c | cut -d: -f1)" --no-psc -o report \
		--verify nodes -- list >out 2>err &
	psc=$! copy= i=0
	while [ -z "$copy" ] && [ $((i = i + 1)) -le 1200 ]; do
		for p in $(pgrep -x copied); do
			# a copy: its parent is the program
			program=$("$AWK" '/^PPid:/ { print $2 }' "/proc/$p/status")
			[ "$program" ] && [ "$(cat "/proc/$program/comm")" = copied ] &&
				[ "$(readlink "/proc/$program/cwd")" = "$work" ] && kill -TERM "$program" && copy=$p && break
		done
		sleep 0.05
	done
	code=0
	wait "$psc" || code=$?
	echo "copy $copy, exit code $code"
	[ "$code" = 143 ] && [ ! -e "/proc/$copy" ]
}
if command -v pgrep >/dev/null; then
	aliased "a signal for the program ends the copies" interrupted
else
	ok "a signal for the program ends the copies # SKIP no pgrep"
fi

check "a phase that prints is analysed" analyse 0 prints big
check "but not measured: it makes a system call" says "system call (write)"
check "and prints every line once" same prints

check "a phase that writes to shared memory is measured" analyse 0 file big
aliased "with figures beside it" copies
check "and no copy wrote there" same file

check "a subroutine is measured" analyse 0 between big
aliased "by its first execution in each copy" test "$(field cold)" = true
check "and the program waits for no child, nor hears of one" same between

unknown() { analyse 0 strided bog && says "no structure of that name .*there is big"; }
check "an unknown name is told its neighbours" unknown
check "--verify takes a name" sh -c 'psc_frontend --app ./copied --verify "" 2>&1 | grep "name of a structure"'

psc_instrument gcc -g -O2 -fopenmp -o counters counters.c
OMP_NUM_THREADS=2 run 0 --app ./counters --phase "counters.c:$(grep -n 'for (int step' counters.c | head -n 1 | cut -d: -f1)" \
	--no-psc -o report --verify part
check "several threads are not copied where each has lines of its own" says "2 threads work in the phase"
