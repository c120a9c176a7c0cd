#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The corpus: every program of one kind is built natively and instrumented at several levels of
# optimisation; computes the same natively, idle and while it is recorded; and costs what it says
# (README.md).  Sourced by the tests with `programs` set, or run by hand:
#     srcdir=… builddir=… [KEEP=DIRECTORY for simrun's output] tests/corpus/run.sh triad.c order.f90
: "${builddir:=.}" "${srcdir:=.}" "${PSC_GCC:=gcc}"
here=$srcdir/tests/corpus
programs_dir=$here/programs
psc=$builddir/psc_instrument
simrun=$builddir/tests/monitor/simrun
PSC_GCC=${PSC_GCC%% *}
if [ ! -x "$psc" ]; then
	echo "1..0 # SKIP the plugin is not built"
	exit 0
fi
if ! command -v gfortran > /dev/null; then
	echo "1..0 # SKIP gfortran is not installed"
	exit 0
fi
if [ -z "${programs:-$*}" ]; then
	echo "Bail out! no programs"
	exit 1
fi
tmp=$(mktemp -d "${TMPDIR:-/tmp}/psc-corpus.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
ncases=0

# report STATUS NAME: one case; $tmp/log explains a failure.
report() {
	ncases=$((ncases + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $ncases - $2"
	else
		echo "not ok $ncases - $2"
		sed 's/^/# /' "$tmp/log" | head -n 40
	fi
}

# option NAME DEFAULT: the value of NAME=… in the program's line `corpus:`.
option() {
	value=$(printf '%s\n' "$words" | tr ' ' '\n' | sed -n "s/^$1=//p")
	echo "${value:-$2}"
}
has() { case " $words " in *" $1 "*) ;; *) return 1 ;; esac }

compiler_of() {
	case $1 in
	*.c) echo "$PSC_GCC" ;;
	*.cc) echo g++ ;;
	*) echo gfortran ;;
	esac
}

flags_of() {
	case $1 in
	O3) echo "-O3 -mavx2" ;;
	lto) echo "-O2 -flto" ;;
	*) echo "-$1" ;;
	esac
}

# build PREFIX OUTPUT: PREFIX is empty or psc_instrument.  A program's part is a library of its own, its second unit is not.
build() {
	mkdir -p "$tmp/mod$1"
	set -- "$1" "$2" "$(compiler_of "$program")" "$(flags_of "$level")"
	case $program in
	*.f90 | *.f) set -- "$@" "-J$tmp/mod" ;;
	*) set -- "$@" "-I$programs_dir" ;;
	esac
	part=$(option part '') unit=$(option unit '')
	if [ -n "$part" ]; then
		# shellcheck disable=SC2086
		$1 "$3" $4 -g -w -fPIC -shared "$programs_dir/parts/$part" -o "$2.so" || return 1
	fi
	# shellcheck disable=SC2086,SC2046
	$1 "$3" $4 -g -w $(has openmp && echo -fopenmp) "$5" "$programs_dir/$program" \
		${unit:+"$programs_dir/parts/$unit"} -o "$2" \
		$(option libs '' | tr , ' ') -lm
}

# run OUTPUT COMMAND…: status and output, as one file.
run() {
	out=$1
	shift
	timeout 60 "$@" > "$out" 2> "$tmp/err" < /dev/null
	echo "status $?" >> "$out"
}

# attribute ELEMENT: its count in the machine file.
attribute() {
	sed -n "s/.*<$1 count=\"\([0-9]*\)\".*/\1/p" "$here/machines/$machine.xml" | grep . || echo 1
}

# check_level LEVEL: builds and runs $program; prints its cases.
check_level() {
	level=$1
	if ! build '' "$tmp/native" > "$tmp/log" 2>&1 || ! build "$psc" "$tmp/inst" >> "$tmp/log" 2>&1; then
		report 1 "$program $level is built"
		return
	fi
	run "$tmp/native.out" "$tmp/native"
	run "$tmp/idle.out" "$tmp/inst"
	for machine in $(option machine small | tr , ' '); do
		: > "$tmp/sim"
		run "$tmp/recorded.out" "$simrun" --machine "$here/machines/$machine.xml" \
			--phase "line:$phase" --first "$(option first 1)" --warm "$(option warm 1)" \
			--count "$(option count 2)" --output "$tmp/sim" -- "$tmp/inst"
		failed=0
		{ echo "idle:"; diff "$tmp/native.out" "$tmp/idle.out"; } > "$tmp/log" 2>&1 || failed=1
		{ echo "recorded:"; diff "$tmp/native.out" "$tmp/recorded.out"; cat "$tmp/err"; } \
			>> "$tmp/log" 2>&1
		cmp -s "$tmp/native.out" "$tmp/recorded.out" || failed=1
		report $failed "$program $level on $machine computes the same"
		failed=0
		awk -v level="$level" -v machine="$machine" -v cpus="$(attribute cpus)" \
			-v nodes="$(attribute nodes)" -v lossy="$(has lossy && echo 1)" \
			-v repairs="$(has repairs && echo 1)" -f "$here/compare.awk" "$tmp/sim" \
			"$tmp/native.out" > "$tmp/verdicts" || failed=1
		[ -z "$KEEP" ] || cp "$tmp/sim" "$KEEP/$program.$level.$machine"
		cat "$tmp/verdicts" "$tmp/sim" > "$tmp/log"
		report $failed "$program $level on $machine costs what it says ($(grep -c ^good \
			"$tmp/verdicts"))"
		if grep -q ^todo "$tmp/verdicts"; then
			ncases=$((ncases + 1))
			sed -n 's/^todo/#/p' "$tmp/verdicts"
			echo "not ok $ncases - $program $level on $machine # TODO not yet as it should be"
		fi
		if grep -q ^skip "$tmp/verdicts"; then
			ncases=$((ncases + 1))
			echo "ok $ncases - $program $level on $machine # SKIP the kernel gives no page-fault events:" \
				"$(awk '/^skip/ { if (!s[$3]++) printf " %s", $3 }' "$tmp/verdicts")"
		fi
	done
}

check_program() {
	program=$(basename "$1")
	words=$(sed -n 's/.*corpus: *//p' "$programs_dir/$program" | sed 's/ *\*\/ *$//' | head -n 1)
	phase=$(awk '/the phase( \*\/)?$/ { print NR; exit }' "$programs_dir/$program")
	OMP_NUM_THREADS=$(option threads 1)
	OMP_DYNAMIC=false
	export OMP_NUM_THREADS OMP_DYNAMIC
	levels="$(option levels O0,O2,O3 | tr , ' ') $(has lto && echo lto)"
	if [ -z "${PSC_LONG:-}" ]; then   # those that differ most from each other, where there is a choice
		case " $levels " in *' O2 '*) levels=$(echo "$levels" | tr ' ' '\n' | grep -vx O0) ;; esac
	fi
	for l in $levels; do
		if [ "$l" = O3 ] && ! grep -q avx2 /proc/cpuinfo 2> /dev/null; then
			ncases=$((ncases + 1))
			echo "ok $ncases - $program O3 # SKIP no AVX2 here"
			continue
		fi
		check_level "$l"
	done
}

for p in ${programs:-$*}; do
	check_program "$p"
done
echo "1..$ncases"
