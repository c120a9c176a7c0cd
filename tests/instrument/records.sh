#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The bytes that the clones record are those that the kernels move, at every optimisation level.
# Each kernel runs with two sizes; what main does besides falls out of the difference.
. "$srcdir/tests/instrument/lib.sh"
OMP_NUM_THREADS=1     # the monitor of the tests only drains the main thread at the end
STUB_RECORD=1
export STUB_RECORD

traffic() {
	STUB_OUT=$tmp/out "$tmp/x" "$@" 2>> "$tmp/log"
	awk '/^loads/ { print $6, $8 }' "$tmp/out"
}

# kernel NAME N1 N2 READ WRITTEN
kernel() {
	set -- $(traffic "$1" "$2") $(traffic "$1" "$3") "$4" "$5" "$1"
	[ "$(($3 - $1))" -eq "$5" ] && [ "$(($4 - $2))" -eq "$6" ] && return 0
	echo "$7: read $(($3 - $1)) instead of $5, wrote $(($4 - $2)) instead of $6" >> "$tmp/log"
	return 1
}

check_c() {
	"$psc" "$gcc" "$@" -w "$here/src/kernels.c" -o "$tmp/x" > "$tmp/log" 2>&1
	failed=$?
	kernel triad 1000 2000 16000 8000 || failed=1
	case $1 in
	-O3) ;;    # two columns at once: fewer loads, as on the machine
	*) kernel matmul 16 32 $((16 * (32768 - 4096))) $((8 * (1024 - 256))) || failed=1 ;;
	esac
	kernel memcpy 100 1100 1000 1000 || failed=1
	kernel memset 100 1100 0 1000 || failed=1
	kernel blocks 100 200 8000 8000 || failed=1
	kernel strided 100 900 6400 6400 || failed=1
	kernel atomics 100 200 800 800 || failed=1
	kernel local 100 200 0 800 || failed=1
	kernel deep 1000 4000 24000 24000 || failed=1
	ok $failed "C kernels $*"
}

check_fortran() {
	"$psc" "$gfortran" "$@" -w -J"$tmp" "$here/src/kernels.f90" -o "$tmp/x" > "$tmp/log" 2>&1
	failed=$?
	kernel shape 1000 2000 16000 8000 || failed=1
	kernel explicit 1000 2000 16000 8000 || failed=1
	ok $failed "Fortran kernels $*"
}

check_c -O0
check_c -O1 -g
check_c -O2
check_c -O3
check_c -O2 -flto
check_c -O2 -fPIC -D_FORTIFY_SOURCE=2
if grep -q avx2 /proc/cpuinfo; then
	check_c -O3 -mavx2
else
	skip "C kernels -O3 -mavx2" "no AVX2 here"
fi
check_fortran -O0
check_fortran -O2
check_fortran -O3 -fopenmp
check_fortran -O2 -fopenmp -flto
finish
