#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An instrumented program does what it did: output, exit code; markers balance, and no hook is
# called while nothing is measured.  Recording may begin and end at any boundary.
. "$srcdir/tests/instrument/lib.sh"

# natively FILE FLAGS...: $tmp/want.FILE is what it prints without us, the same for all flags or built anew
natively() {
	want=$tmp/want.$1
	[ ! -f "$want" ] || ! cmp -s "$want" "$tmp/got" || return 0
	source=$here/src/$1
	shift
	"$cc" "$@" -w $j "$source" -o "$tmp/plain" > "$tmp/log" 2>&1
	"$tmp/plain" 3 > "$want" 2>&1
	echo "exit $?" >> "$want"
}

check() {
	file=$1
	shift
	cc=$(compiler_of "$file")
	case $cc in
	*gfortran*) j=-J$tmp ;;
	*) j= ;;
	esac
	"$psc" "$cc" "$@" -w $j "$here/src/$file" -o "$tmp/x" > "$tmp/log" 2>&1 || {
		ok 1 "$file $*: compiles"
		return
	}
	STUB_OUT=$tmp/idle "$tmp/x" 3 > "$tmp/got" 2>&1
	echo "exit $?" >> "$tmp/got"
	natively "$file" "$@"
	STUB_OUT=$tmp/recorded STUB_RECORD=1 "$tmp/x" 3 > "$tmp/got2" 2>&1
	echo "exit $?" >> "$tmp/got2"
	STUB_OUT=$tmp/toggled STUB_TOGGLE=1 "$tmp/x" 3 > "$tmp/got4" 2>&1
	echo "exit $?" >> "$tmp/got4"
	STUB_OUT=$tmp/quiet STUB_IDLE=1 "$tmp/x" 3 > "$tmp/got3" 2>&1
	echo "exit $?" >> "$tmp/got3"
	depth=0
	case $file in
	odd.c | constructs.f90) depth='[0-9]' ;;     # they end inside a region, by exit and STOP
	esac
	{ diff "$want" "$tmp/got4" && diff "$want" "$tmp/got" && diff "$want" "$tmp/got2" &&
		diff "$want" "$tmp/got3" && ! grep '^region\|^bind\|^depth [1-9-]' "$tmp/quiet" &&
		grep "^depth $depth" "$tmp/idle" && grep "^depth $depth" "$tmp/recorded" &&
		grep '^loads [1-9]' "$tmp/recorded"; } > "$tmp/log" 2>&1
	ok $? "$file $*: same output, idle and recording"
}

# Who will wait is told where nothing but waiting is bound to the barrier: of waits.c's four constructs with
# their check()s' barriers, and of two of the six in results(), each by four threads.
waits() {
	"$psc" "$gcc" -fopenmp -w -O2 "$here/src/waits.c" -o "$tmp/waits" > "$tmp/log" 2>&1 &&
		STUB_OUT=$tmp/told "$tmp/waits" >> "$tmp/log" 2>&1 && grep '^waits' "$tmp/told" >> "$tmp/log" &&
		grep -q '^waits 40 barriers 56$' "$tmp/told"
	ok $? "barriers are told before and behind"
}

for file in nest.f free.f90 loops.c classes.cc constructs.f90 constructs.cc odd.c waits.c phases.c \
	phases.f90 loop_versions.c loop_versions.f90 loop_versions.cc; do
	check $file -fopenmp -O2
	# A GCC that is not the first one has all of them in `make check-long` only.
	[ -z "${PSC_LONG:-}${PSC_FIRST_GCC-yes}" ] || for flags in "-O3 -mavx2" "-O2 -flto"; do
		check $file -fopenmp $flags
	done
	[ -z "${PSC_LONG:-}" ] || for flags in "-O0" "-Os -fPIC"; do
		check $file -fopenmp $flags
	done
done
waits
check nest.f -O2
check loops.c -O2 -fsanitize=undefined
check classes.cc -Og -g
finish
