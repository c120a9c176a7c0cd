#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The kernels of bench-stall compute the same, bad and fixed; its arithmetic; a whole run of it with one kernel.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
builddir=${builddir:-$PWD}
. "$srcdir/tests/tap.sh"
: "${AWK:=awk}" "${PSC_GCC:=gcc}" "${PSC_GXX:=g++}"
here=$srcdir/tests/bench/stall
work=$(mktemp -d "${TMPDIR:-/tmp}/psc-stalltest-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1

# --- table.awk: worked out by hand -------------------------------------------------------------------

# true 0.9 0.5 0.1, estimates 0.8 0.6 0.3 of twice, half and once the time; the third is outside its range
rows() {
	cat <<'END'
one 1 0.2 0.1 2 1.6 1.4 1.9 3 4 1.0 0.1 0 0.2 0.2 0.1
two 1 0.5 0.5 0.5 0.3 0.1 0.4 0.35 0.15 0.5 0.1 0 0.2 - 0.1
three 1 1 0.9 1 0.3 0.2 0.4 0.3 0.8 1 0.2 0.1 0.3 0.4 0.1
END
}
says() { grep -q -- "$1" out || { cat out; return 1; }; }
limits_held() {
	rows | "$AWK" -f "$here/measures.awk" -f "$here/table.awk" >out
	[ $? = 1 ] || return 1
	says '^one  *0.90  1.00  0.80  0.70-0.95 |  0.80  *0.75' &&
		says '^two  *0.50  0.30  0.60  0.20-0.80 |  0.50  *0.43' &&
		says '^three  *0.10  0.80  0.30  0.20-0.40 |  0.00  *0.00' &&
		says '^today: mean error  *0.33$' && says '^today: rank correlation  *0.50$' &&
		says '^estimate: mean error  *0.13 .*PASS' && says '^estimate: rank correlation  *1.00 .*PASS' &&
		says '^estimate: worst error (three)  *0.20 .*PASS' &&
		says '^true share within .* 0.67 .*FAIL' && says '^gain of the fix: mean error  *0.04 .*PASS'
}
check "the table and its summary are right" limits_held

all_held() {
	rows | sed '/three/d' | "$AWK" -f "$here/measures.awk" -f "$here/table.awk" >out && says '^true share within .* 1.00 .*PASS'
}
check "exit code 0 where all limits are held" all_held

without_estimate() {
	rows | sed '/^two/s/0.3 0.1 0.4/- - -/' | "$AWK" -f "$here/measures.awk" -f "$here/table.awk" >out
	[ $? = 1 ] && says '^two  *0.50  0.30     -          - |  0.50         -' &&
		says '^kernels without an estimate  *1  FAIL'
}
check "a kernel without an estimate is a limit missed" without_estimate

# heat: estimate 0.9, gain 0.7; fixed: estimate 0.5, of 0.3 s that 0.1 s in cache take: lost 0.67
heat() {
	echo heat 1 0.3 0.1 1 0.9 0.8 1 1 1 1 0.5 0 1 0.4 1 | "$AWK" -f "$here/measures.awk" -f "$here/table.awk" >out
	says '^heat: estimate less the real gain  *0.20 .*FAIL' &&
		says '^heat, fixed: estimate less what is lost *-0.17 .*FAIL'
}
check "heat: what is left after the fix" heat

# --- bursts.awk: worked out by hand ------------------------------------------------------------------

# 10 steps of 1, 0.5 and 0.2 s.  The bad version takes 10 s and loses 8, the fixed one 6 s of which 5 are of its steps and
# loses 3, the cached one nothing.
burst_rows() {
	cat <<'END'
one bad 10 1 0.5 0.2 10 7 6 9 1 0.4 2 1
one fixed 10 1 0.5 0.2 6 2.4 2 2.5 1 0.4 2 1
one cached 10 1 0.5 0.2 2 0.2 0 0.3 1 0.4 2 1
two bad 10 1 1 1 10 1 0 1 - - - -
two fixed 10 1 1 1 10 5 0.1 9 - - - -
END
}
bursts_table() {
	burst_rows | "$AWK" -f "$here/measures.awk" -f "$here/bursts.awk" >out
	[ $? = 1 ] || return 1
	says '^one  *|  0.80  0.70 0.60-0.90 |  0.50  0.40 0.33-0.42 |  0.00  0.10 0.00-0.15 |  0.60  0.50$' &&
		says '^two  *|  0.00  0.10 0.00-0.10 |  0.00 not known  *|  *-  *-$' && says '^not known, of all  *0.20 .*FAIL' &&
		says '^bad: mean error  *0.10 of 2$' && says '^bad, by the plugin: mean error  *0.10 of 1$' &&
		says '^all versions: mean error  *0.10 .*PASS' && says '^true share within .* 0.75$'
}
check "the table of bursts and its summary are right" bursts_table
no_estimate_in_bursts() {
	burst_rows | sed '/^one fixed/s/2.4 2 2.5/- - -/' | "$AWK" -f "$here/measures.awk" -f "$here/bursts.awk" >out
	[ $? = 1 ] && says '^analyses without an estimate  *1  FAIL'
}
check "an analysis without an estimate is a limit missed" no_estimate_in_bursts

# --- classes.awk -------------------------------------------------------------------------------------

classes() {
	cat >counts <<'END'
rank,context,parent,object,l1_load_miss,l1_store_miss,l1_stream_load,l1_stream_store,l1_strided_load,l1_strided_store,l1_branch_load,l1_branch_store,l1_control_load,l1_control_store,l1_chained_load,l1_chained_store
0,0,-1,*,100,100,50,40,30,0,1,2,3,4,5,6
0,0,-1,a,10,0,9,0,0,0,0,0,0,0,1,0
0,1,0,a,7,0,0,0,7,0,0,0,0,0,0,0
END
	[ "$("$AWK" -v structure='*' -v wanted=irregular -f "$here/classes.awk" counts)" = "0.4 200 90 30 3 7 11" ] &&
		[ "$("$AWK" -v structure=a -v wanted=stream -f "$here/classes.awk" counts)" = "0.9 10 9 0 0 0 1" ] &&
		[ "$("$AWK" -v structure=b -v wanted=stream -f "$here/classes.awk" counts)" = "- 0 0 0 0 0 0" ]
}
check "shares of the classes of misses" classes

# --- kernels -----------------------------------------------------------------------------------------

if ! command -v gfortran >/dev/null; then
	skip "the kernels" "gfortran is not installed"
	echo "1..$n"
	exit 0
fi
mkdir plain
check "the kernels build without the tool" make -s -C plain -f "$here/programs.mk" CC="${PSC_GCC%% *}" CXX="${PSC_GXX%% *}" \
	FLAGS='-O2 -DMILLION=65536ul'
kernels_agree() {
	[ "$(plain/stall --list | wc -l)" -ge 40 ] || return 1
	for kernel in $(plain/stall --list); do
		plain/stall "$kernel" --check || return 1
	done
}
check "bad and fixed versions compute the same" kernels_agree
wrong_use() {
	for words in "" gather "gather best" "none bad" "gather --truth" "gather --truth 0" "gather bad 0" "gather bad 1 1"; do
		# shellcheck disable=SC2086
		plain/stall $words && return 1
		[ $? = 2 ] || return 1
	done
}
check "wrong use is exit code 2" wrong_use

# In cache means: no other operations than in the bad version, except for calls of the kernel.
instructions() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect="$1_run" plain/stall "$1" "$2" 1 2>&1 |
		sed -n 's/.*Collected : //p'
}
as_many() {
	for kernel in padld mm400 poly; do
		bad=$(instructions $kernel bad)
		cached=$(instructions $kernel cached)
		echo "$kernel: $bad, in cache $cached"
		[ "$((bad > cached ? bad - cached : cached - bad))" -le "$((bad / 50))" ] || return 1
	done
}
if command -v valgrind >/dev/null; then
	check "the cached version has as many instructions, within 2 %" as_many
else
	skip "the cached version has as many instructions" "valgrind is not installed"
fi

# --- a whole run: what it says of times depends on the machine, that it says something does not -----------

whole_run() {
	XDG_CACHE_HOME=$work/cache srcdir=$srcdir builddir=$builddir AWK=$AWK PSC_GCC=$PSC_GCC PSC_GXX=$PSC_GXX \
		"$here/run" -n 1 -k kept triad >out 2>&1
	[ $? -le 1 ] || { cat out; return 1; }
	says '^triad  *-*[0-9.]*  [0-9.]*  ' && [ -s kept/truth/triad ] &&
		[ -s kept/analysis/triad.bad.json ] && [ -s kept/analysis/triad.fixed.json ] &&
		says '^triad  *\*  *stream .*PASS'
}
if [ -f "$builddir/instrument/.libs/pscplugin.so" ]; then
	mkdir -p kept && : >kept/calibrated         # calibration is not what is tested here
	check "a run prints a kernel's line and its classes of misses" whole_run
	before=$(cat kept/analysis/triad.bad.json kept/analysis/triad.fixed.json kept/truth/triad | cksum)
	check "what is kept is not measured again" whole_run
	check "and does not change" test "$before" = "$(cat kept/analysis/triad.bad.json kept/analysis/triad.fixed.json kept/truth/triad | cksum)"
else
	skip "a run" "configured without the plugin"
fi
echo "1..$n"
