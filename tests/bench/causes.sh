#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The programs of bench-causes compute the same, bad and fixed; its arithmetic; a whole run of it with one program.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
builddir=${builddir:-$PWD}
. "$srcdir/tests/tap.sh"
: "${AWK:=awk}" "${PSC_GCC:=gcc}" "${PSC_GXX:=g++}"
here=$srcdir/tests/bench/causes
work=$(mktemp -d "${TMPDIR:-/tmp}/psc-causestest-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1

# --- figures.awk ---------------------------------------------------------------------------------

# report PROBLEM...: as psc_frontend --json writes it, as far as the bench reads it
report() {
	cat <<'END'
{"format": "periscope-c report 1",
  "nprocs": 1,
  "phase": {"type": "LOOP_REGION", "time": 0.011, "cpu_time": 0.01, "est_stall": 0.003, "branch_time": 0, "computing_time": 0.001, "kernel_time": 0.002, "fault_time": 0.0015, "library_time": 0.0035, "unexplained_time": 0.0005, "library_calls": "sort, pow"},
  "notes": [],
END
	printf '  "problems": ['
	separator=
	for problem; do
		printf '%s\n    %s' "$separator" "$problem"
		separator=,
	done
	printf '],\n  "findings": [\n    {"rank": 1, "kind": "copy"}]}\n'
}
stream='{"number": 1, "key": "a.c:f", "kind": "stream", "share": 0.25, "saves": 0.1, "saves_low": 0.05, "saves_high": 0.2,
     "path": "a.c:9 > stages > loop 19 > height, speed (= v)", "findings": [1],
     "structures": [{"finding": 1, "share": 0.2, "name": "height"}, {"finding": 2, "share": 0.05, "name": "speed"}]}'
faults='{"number": 2, "key": "a.c:g", "kind": "page faults", "share": 0.15, "saves": null, "saves_low": null, "saves_high": null,
     "path": "a.c:9 > take", "findings": [3], "structures": []}'
# says CAUSES PLACE DATA FIGURES PROBLEM...: the line of figures.awk, with a bar for each tab
says() {
	causes=$1 place=$2 data=$3 want=$4
	shift 4
	got=$(report "$@" | "$AWK" -v causes="$causes" -v place="$place" -v data="$data" -f "$here/figures.awk" |
		tr '\t' '|')
	[ "$got" = "$want" ] || { echo "got  $got"; echo "want $want"; return 1; }
}
first_problem() {
	says stream/strided stages height/other \
		'stream|1|1|a.c:9 > stages > loop 19 > height, speed (= v)|height, speed|0.25|0.05|0.2' "$stream" "$faults" &&
		says stream main height 'stream|1|0|a.c:9 > stages > loop 19 > height, speed (= v)|height, speed|0.25|0.05|0.2' \
			"$stream" &&
		says page-faults take buffer/- 'page-faults|1|1|a.c:9 > take|-|0.15|-|-' "$faults"
}
check "the first problem is a right one by kind, place and data" first_problem
open_above() {
	says stream - - 'stream|1|1|a.c:9 > stages > loop 19 > height, speed (= v)|height, speed|0.25|0.05|1' \
		"$(echo "$stream" | sed 's/"saves_high": 0.2/&, "saves_more": true/')"
}
check "SAVES may be open above" open_above
another_first() {
	says page-faults take - 'stream|0|0|a.c:9 > stages > loop 19 > height, speed (= v)|height, speed|0.15|0.05|0.2' \
		"$stream" "$faults" &&
		says copy - - 'stream|0|1|a.c:9 > stages > loop 19 > height, speed (= v)|height, speed|0|0.05|0.2' "$stream" &&
		says copy - - '-|0|0|-|-|0|-|-'
}
check "a right problem that is not the first, or none" another_first
parts_of_time() {
	greater=$(echo "$stream" | sed 's/"share": 0.25/"share": 0.36/')
	says library:pow - - 'library|1|1|sort, pow|-|0.35|-|-' "$faults" &&
		says library:exp - - 'page-faults|0|1|a.c:9 > take|-|0|-|-' "$faults" &&
		says library:sort - - 'stream|0|1|a.c:9 > stages > loop 19 > height, speed (= v)|height, speed|0|0.05|0.2' \
			"$greater" &&
		says system-calls/kernel - - '-|0|0|-|-|0|-|-'
}
check "a part of the time is right where nothing is greater" parts_of_time

# --- table.awk: worked out by hand -------------------------------------------------------------------

rows() {
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' \
		one stream 0.1 0.04 stream 1 1 'a.c:9 > f' height 0.5 0.5 0.7 \
		two copy 0.2 0.02 copy 1 0 'b.c:9 > f' v 0.45 0.4 0.6 \
		three library:qsort 0.1 0.05 library 1 1 qsort - 0.4 - -
}
limits_held() {
	rows >in
	"$AWK" -f "$here/table.awk" in >out
	[ $? = 1 ] || return 1
	grep -q '^one  *60  *50-70  *yes  *50  *0.83  stream  *yes  *yes  *height: a.c:9 > f$' out &&
		grep -q '^two  *90  *40-60  *no  *45  *0.50  copy  *yes  *no ' out &&
		grep -q '^three  *50  *-  *-  *40  *0.80  library  *yes' out &&
		grep -q '^right cause first  *3/3  all  PASS' out &&
		grep -q '^what the cause costs.* 3/3  all  PASS' out &&
		grep -q '^true gain within SAVES  *1/2  at least 0.8  FAIL' out &&
		grep -q '^place and data right  *2/3$' out || { cat out; return 1; }
}
check "the table and its summary are right" limits_held
all_held() {
	rows | sed '/^two/d' >in
	"$AWK" -f "$here/table.awk" in >out
}
check "exit code 0 where all limits are held" all_held
a_wrong_cause() {
	rows | sed '/^two/d; s/\tstream\t1/\tstrided\t0/' >in
	"$AWK" -f "$here/table.awk" in >out
	[ $? = 1 ] && grep -q '^right cause first  *1/2  all  FAIL' out
}
check "a wrong cause is a limit missed" a_wrong_cause

# --- programs ------------------------------------------------------------------------------------------

if ! command -v gfortran >/dev/null; then
	skip "the programs" "gfortran is not installed"
	echo "1..$n"
	exit 0
fi
programs_agree() {
	ls ./*.bad >list
	[ "$(wc -l <list)" -ge 18 ] || return 1
	while read -r bad; do
		echo "$bad $("$bad" 2) $("${bad%.bad}.fixed" 2)"
	done <list >results
	# Numbers are those of the bad version, then those of the fixed one.
	"$AWK" 'NF < 3 || NF % 2 == 0 { print; wrong = 1 }
		{
			for (i = 2; i <= (NF + 1) / 2; i++) {
				a = $i; b = $(i + (NF - 1) / 2)
				d = a > b ? a - b : b - a
				if (d > 1e-6 * (a < 0 ? -a : a)) { print; wrong = 1 }
			}
		}
		END { exit wrong }' results
}
# 46 programs: in make check-long.
if [ -n "${PSC_LONG:-}" ]; then
	check "the programs build without the tool" make -s -f "$here/programs.mk" AWK="$AWK" CC="${PSC_GCC%% *}" \
		CXX="${PSC_GXX%% *}" FLAGS=-O1
	check "bad and fixed versions compute the same" programs_agree
fi

# --- a whole run: what it says of times depends on the machine, that it says something does not -----------

whole_run() {
	XDG_CACHE_HOME=$work/cache srcdir=$srcdir builddir=$builddir AWK=$AWK PSC_GCC=$PSC_GCC PSC_GXX=$PSC_GXX \
		"$here/run" -n 1 -k kept passes >out 2>&1
	[ $? -le 1 ] || { cat out; return 1; }
	grep -q '^passes  *-*[0-9]' out && grep -q '^right cause first  *[01]/1' out &&
		[ -s kept/truth/passes ] && [ -s kept/analysis/passes.json ]
}
wrong_use() {
	srcdir=$srcdir builddir=$builddir "$here/run" nothing >out 2>&1
	[ $? = 2 ] && grep -q 'no program is called nothing' out
}
if [ -f "$builddir/instrument/.libs/pscplugin.so" ]; then
	mkdir -p kept && : >kept/calibrated         # calibration is not what is tested here
	check "a run prints a program's line and the summary" whole_run
	before=$(cat kept/analysis/passes.json kept/truth/passes | cksum)
	check "what is kept is not measured again" whole_run
	check "and does not change" test "$before" = "$(cat kept/analysis/passes.json kept/truth/passes | cksum)"
	check "wrong use is exit code 2" wrong_use
	if command -v valgrind >/dev/null; then
		srcdir=$srcdir builddir=$builddir AWK=$AWK PSC_GCC=$PSC_GCC PSC_GXX=$PSC_GXX \
			"$here/instructions" hashing passes >out 2>&1
		check "an instrumented program that nobody analyses executes hardly more instructions" test $? = 0
		check "both programs were counted" grep -q '^passes  *[0-9][0-9]*  *1\.0' out
	else
		skip "instructions of instrumented programs" "valgrind is not installed"
	fi
else
	skip "a run" "configured without the plugin"
fi
echo "1..$n"
