#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Ten programs that run for 0.05 to 0.5 s: each is analysed ten times (BRIEF=n: so often), as a user does.  Nine of ten
# analyses have the right phase, counts and times; these are compared with those of analyses with --phase
# and --lockstep, of whose times the median is taken.
. "${srcdir:-$(dirname "$0")/../..}/tests/e2e/lib.sh"
[ -n "$PSC_LONG$BRIEF" ] || skip_all "takes minutes: make check-long"
plan 10
unset PSC_CHECK         # checks of each record take several times as long
times=${BRIEF:-10}
programs=$srcdir/tests/bench/brief

build() {
	case $1 in
	*.f90) psc_instrument gfortran -O2 -g -o "${1%.*}" "$programs/$1" ;;
	*.cc) psc_instrument g++ -O2 -g -o "${1%.*}" "$programs/$1" ;;
	power.c) psc_instrument gcc -O2 -g -o power "$programs/power.c" "$programs/power_kernel.c" -lm ;;
	*) psc_instrument gcc -O2 -g -fopenmp -o "${1%.*}" "$programs/$1" -lm ;;
	esac
}
number() { sed -n "s/^ *\"phase\": {.*\"$1\": \([0-9.e+-]*\),.*/\1/p" "$2" | head -n 1; }
# analyse NAME OPTIONS...: writes "LINE ACCESSES SECONDS" to NAME.got
analyse() {
	name=$1
	shift
	psc_frontend --app "./$name" --no-psc --json json --csv-ledger ledger -o report "$@" >out 2>err </dev/null || { cat report err; return 1; }
	echo "$(number line json) $(sed -n 's/^named data structures,\([0-9.e+]*\),.*/\1/p' ledger) $(number cpu_time json)" >"$name.got"
}
# right NAME: is what the analysis got what the reference got, and the time within a factor of two?
right() {
	awk 'NR == FNR { line = $1; n = $2; s = $3; next }
		{ exit !(NF == 3 && $1 == line && $2 > 0.8 * n && $2 < 1.25 * n && $3 > s / 2 && $3 < 2 * s) }' "$1.want" "$1.got"
}
# ten SOURCE LONGER...: with these arguments it repeats often enough for the reference
ten() {
	source=$1 name=${1%.*} good=0 k=0
	shift
	build "$source" || return 1
	: >"$name.all"
	for try in 1 2 3; do
		analyse "$name" --lockstep --max-slowdown none --phase "$source:$(grep -n PHASE "$programs/$source" | cut -d: -f1)" -- "$@" || return 1
		cat "$name.got" >>"$name.all"
	done
	sort -k 3,3g "$name.all" | sed -n 2p >"$name.want"
	while [ $k -lt "$times" ]; do
		if analyse "$name" -- && right "$name"; then good=$((good + 1)); else echo "got $(cat "$name.got"), want $(cat "$name.want")"; fi
		k=$((k + 1))
	done
	echo "$name: $good of $times"
	echo "# $name: $good of $times" >&3
	[ $((good * 10)) -ge $((times * 9)) ]
}
exec 3>&1
OMP_NUM_THREADS=2
OMP_WAIT_POLICY=passive         # beside other programs, threads that wait would compute
export OMP_WAIT_POLICY
check "one loop has most, after a parser that is larger: parse" ten parse.c steps=60
check "main's loop until it converges, the work in a second file: power" ten power.c
check "three steps: three" ten three.f90 24
check "a recursion in each step: recursion" ten recursion.c
check "templates and vectors: blocks" ten blocks.cc 30
check "OpenMP: heat_omp" ten heat_omp.c
check "nested subroutines: lines" ten lines.f90
check "methods, and steps that differ a little: particles" ten particles.cc
check "a solver's loop in a subroutine: gradient" ten gradient.c
check "after an initialisation that is as long: ranks" ten ranks.c
