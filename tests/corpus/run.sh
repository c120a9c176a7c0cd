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

# option NAME DEFAULT: $value is that of NAME=… in the program's line `corpus:`.
option() {
	value=$2
	for word in $words; do
		case $word in "$1="*) value=${word#*=} ;; esac
	done
}
has() { case " $words " in *" $1 "*) ;; *) return 1 ;; esac }
# spaces LIST: $value is the list with spaces in place of commas.
spaces() {
	IFS=,
	# shellcheck disable=SC2086
	set -- $1
	unset IFS
	value=$*
}

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
	set -- "$1" "$2" "$compiler" "$(flags_of "$level")" "$include"
	if [ -n "$part" ]; then
		# shellcheck disable=SC2086
		$1 "$3" $4 -g -w -fPIC -shared "$programs_dir/parts/$part" -o "$2.so" || return 1
	fi
	# shellcheck disable=SC2086
	$1 "$3" $4 -g -w $openmp "$5" "$programs_dir/$program" ${unit:+"$programs_dir/parts/$unit"} -o "$2" $libs -lm
}

# run OUTPUT COMMAND…: status and output, as one file.
run() {
	out=$1
	shift
	timeout 600 "$@" > "$out" 2> "$tmp/err" < /dev/null
	echo "status $?" >> "$out"
}

# attributes: $cpus and $nodes are the counts in the machine file.
attributes() {
	cpus=1 nodes=1
	while read -r line; do
		case $line in
		'<cpus count="'*) cpus=${line#*count=\"} cpus=${cpus%%\"*} ;;
		'<nodes count="'*) nodes=${line#*count=\"} nodes=${nodes%%\"*} ;;
		esac
	done < "$here/machines/$machine.xml"
}

# natively: $tmp/native.out is what the program prints without us.  Another level's will do where it prints the same.
natively() {
	[ ! -f "$tmp/native.out" ] || ! cmp -s "$tmp/native.out" "$tmp/idle.out" || return 0
	build '' "$tmp/native" > "$tmp/log" 2>&1 || return
	run "$tmp/native.out" "$tmp/native"
}

# costs: compares what was counted with what the program expects; prints its cases.
costs() {
	failed=0
	attributes
	awk -v level="$level" -v machine="$machine" -v cpus="$cpus" -v nodes="$nodes" -v lossy="$lossy" \
		-v repairs="$repairs" -f "$here/compare.awk" "$tmp/sim" "$tmp/native.out" > "$tmp/verdicts" || failed=1
	[ -z "$KEEP" ] || cp "$tmp/sim" "$KEEP/$program.$level.$machine"
	good=0 todo=0 skipped=
	while read -r verdict object metric rest; do
		case $verdict in
		good) good=$((good + 1)) ;;
		todo) todo=$((todo + 1)) ;;
		skip) case "$skipped " in *" $metric "*) ;; *) skipped="$skipped $metric" ;; esac ;;
		esac
	done < "$tmp/verdicts"
	[ $failed = 0 ] || cat "$tmp/verdicts" "$tmp/sim" > "$tmp/log"
	report $failed "$program $level on $machine costs what it says ($good)"
	if [ $todo != 0 ]; then
		ncases=$((ncases + 1))
		sed -n 's/^todo/#/p' "$tmp/verdicts"
		echo "not ok $ncases - $program $level on $machine # TODO not yet as it should be"
	fi
	if [ "$skipped" ]; then
		ncases=$((ncases + 1))
		echo "ok $ncases - $program $level on $machine # SKIP the kernel gives no page-fault events:$skipped"
	fi
}

# check_level LEVEL: builds and runs $program; prints its cases.
check_level() {
	level=$1
	if ! build "$psc" "$tmp/inst" > "$tmp/log" 2>&1 || ! { run "$tmp/idle.out" "$tmp/inst" && natively; }; then
		report 1 "$program $level is built"
		return
	fi
	for machine in $machines; do
		: > "$tmp/sim"
		run "$tmp/recorded.out" "$simrun" --machine "$here/machines/$machine.xml" --phase "line:$phase" \
			--first "$first" --warm "$warm" --count "$count" --output "$tmp/sim" -- "$tmp/inst"
		if cmp -s "$tmp/native.out" "$tmp/idle.out" && cmp -s "$tmp/native.out" "$tmp/recorded.out"; then
			report 0 "$program $level on $machine computes the same"
		else
			{ echo "idle:"; diff "$tmp/native.out" "$tmp/idle.out"; echo "recorded:"
				diff "$tmp/native.out" "$tmp/recorded.out"; cat "$tmp/err"; } > "$tmp/log" 2>&1
			report 1 "$program $level on $machine computes the same"
		fi
		costs
	done
}

avx2=
grep -q avx2 /proc/cpuinfo 2> /dev/null && avx2=1
mkdir "$tmp/mod"

# options: what the program's line `corpus:` says, once for all levels.
options() {
	option threads 1; OMP_NUM_THREADS=$value
	option machine small; spaces "$value"; machines=$value
	option libs ''; spaces "$value"; libs=$value
	option first 1; first=$value
	option warm 1; warm=$value
	option count 2; count=$value
	option part ''; part=$value
	option unit ''; unit=$value
	openmp= lossy= repairs=
	! has openmp || openmp=-fopenmp
	! has lossy || lossy=1
	! has repairs || repairs=1
	option levels O0,O2,O3; spaces "$value"; levels=$value
	! has lto || levels="$levels lto"
	# Those that differ most from each other, where there is a choice.
	[ -n "${PSC_LONG:-}" ] || case " $levels " in *' O2 '*) levels=$(echo "$levels" | sed 's/\<O0\>//') ;; esac
}

check_program() {
	program=${1##*/}
	words=$(sed -n 's/.*corpus: *//p' "$programs_dir/$program" | sed 's/ *\*\/ *$//; q')
	phase=$(awk '/the phase( \*\/)?$/ { print NR; exit }' "$programs_dir/$program")
	compiler=$(compiler_of "$program")
	case $program in
	*.f90 | *.f) include=-J$tmp/mod ;;
	*) include=-I$programs_dir ;;
	esac
	OMP_DYNAMIC=false
	options
	export OMP_NUM_THREADS OMP_DYNAMIC
	rm -f "$tmp/native.out"
	for l in $levels; do
		if [ "$l" = O3 ] && [ -z "$avx2" ]; then
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
