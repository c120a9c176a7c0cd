#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# --try: no action changes what a program computes.  The outputs of the examples under all actions
# that this host can do, and by themselves.  Of make check-long.
. "${srcdir:-.}/tests/e2e/lib.sh"
[ "$PSC_LONG" ] || skip_all "of make check-long"
programs="conflict false_sharing first_touch gather imbalance list record reuse stride"
numa="faces points index pools"
programs="$programs $numa lu"
plan $((1 + $(echo "$programs" | wc -w)))

build() {
	make -s -f "$srcdir/examples/patterns/Makefile" CC=psc_gcc CXX=psc_g++ FC=psc_gfortran || return 1
	for program in $numa; do
		psc_instrument gcc -O2 -g -fopenmp "$srcdir/examples/numa/$program.c" -o "$program" || return 1
	done
}
build >build.log 2>&1 || {
	sed 's/^/# /' build.log
	echo "Bail out! the examples do not build"
	exit 1
}
build_lu .
declare -A structure=([conflict]=table [false_sharing]=counters [first_touch]=a [gather]=value
	[imbalance]=triangle [list]=values [record]=cloud [reuse]=picture [stride]=tnew [faces]=basis
	[points]=points [index]='tables[][]' [pools]='cache[]' [lu]=u)
export OMP_NUM_THREADS=2

# same PROGRAM ARGUMENTS...: its output by itself, and with each action tried
tried=0 executions=0
same() {
	local program=$1 s=${structure[$1]}
	shift
	"./$program" "$@" >alone || return 1
	psc_frontend -q --app "./$program" --no-psc --json "$program.json" -o report --try malloc \
		--try "$s:pages=2M" --try "$s:interleave" --try "$s:local" --try threads:spread \
		--try threads:pin -- "$@" >out 2>err || [ $? = 4 ] || return 1
	[ "$program" != lu ] || sed -i '$d' alone out   # the line with its time
	diff alone out
}
for program in $programs; do
	arguments=
	[ $program != lu ] || arguments="12 400"
	# shellcheck disable=SC2086
	check "$program computes the same" same $program $arguments
	tried=$((tried + $(grep -c '"action": "[a-z]' "$program.json")))
	ran=$(sed -n 's/.*"pairs": [0-9]*, "executions": \([0-9]*\),.*/\1/p' "$program.json")
	executions=$((executions + $(echo "$ran" | awk '{ n += $1 } END { print n + 0 }')))
done
check "each action has a row" test "$tried" = $((6 * $(echo "$programs" | wc -w)))
echo "# $executions executions in trials"
