#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The bytes that the clones record are those that the kernels move, at every optimisation level.
# Each kernel runs with two sizes; what main does besides falls out of the difference.
. "$srcdir/tests/instrument/lib.sh"
OMP_NUM_THREADS=1     # the monitor of the tests only drains the main thread at the end
STUB_RECORD=1
export STUB_RECORD

# traffic KERNEL N: $bytes_read and $bytes_written
traffic() {
	STUB_OUT=$tmp/out "$tmp/x" "$@" > "$tmp/printed" 2>> "$tmp/log"
	bytes_read=0 bytes_written=0
	while read -r first _ _ _ _ r _ w _; do
		[ "$first" != loads ] || bytes_read=$r bytes_written=$w
	done < "$tmp/out"
}

# kernel NAME N1 N2 READ WRITTEN
kernel() {
	traffic "$1" "$2"
	r1=$bytes_read w1=$bytes_written
	traffic "$1" "$3"
	[ "$((bytes_read - r1))" -eq "$4" ] && [ "$((bytes_written - w1))" -eq "$5" ] && return 0
	echo "$1: read $((bytes_read - r1)) instead of $4, wrote $((bytes_written - w1)) instead of $5" >> "$tmp/log"
	return 1
}

check_c() {
	"$psc" "$gcc" "$@" -fopenmp -w "$here/src/kernels.c" -o "$tmp/x" > "$tmp/log" 2>&1
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
	kernel forks 10 20 40 40 || failed=1
	kernel named 100 200 800 1600 || failed=1
	ok $failed "C kernels $*"
}

# build SOURCE FLAGS: the program, and what it is without the plugin.
build() {
	source=$1
	shift
	"$gcc" -O1 -w "$here/src/$source" -o "$tmp/plain" $libs || return 1
	"$psc" "$gcc" "$@" -fchecking -w "$here/src/$source" -o "$tmp/x" $libs > "$tmp/log" 2>&1
}

lane_kernels="gather_near gather_far gather_single gather_half gather_point gather_back masked
	masked_single masked_gather"

check_lanes() {
	build lanes.c "$@"
	failed=$?
	kernel gather_near 100 1100 12000 0 || failed=1
	kernel gather_far 100 1100 16000 0 || failed=1
	kernel gather_single 100 1100 8000 0 || failed=1
	kernel gather_half 100 1100 12000 0 || failed=1
	case $1 in
	-O0) ;;        # the index is read twice
	*) kernel gather_point 100 1100 12000 0 || failed=1 ;;
	esac
	kernel gather_back 100 1100 12000 0 || failed=1
	kernel scatter 100 1100 12000 8000 || failed=1
	kernel masked 100 1100 6664 2664 || failed=1
	kernel masked_single 100 1100 5332 1332 || failed=1
	kernel masked_gather 100 1100 7996 2664 || failed=1
	same_output $lane_kernels || failed=1
	ok $failed "gathers and masked vectors $*"
}

# same_output NAMES: recording changes no result.
same_output() {
	for k in "$@"; do
		"$tmp/plain" "$k" 13 > "$tmp/want"
		STUB_OUT=$tmp/out "$tmp/x" "$k" 13 2>&1 | diff "$tmp/want" - >> "$tmp/log" || return 1
	done
}

# Where the lanes' accesses go; what is read as whole vectors falls out.
lane_trace() {
	STUB_TRACE=1 STUB_OUT=$tmp/out "$tmp/x" "$1" 1001 2>&1 | sed 's/ line [0-9]*//' |
		awk '/^load .* (a|af|p)[+]/ || /^store .* (o|of)[+]/' | sort
}

check_addresses() {
	build lanes.c -O1 -fno-tree-vectorize
	failed=$?
	for k in $lane_kernels; do
		lane_trace "$k" > "$tmp/$k.want"
	done
	build lanes.c "$@" || failed=1
	for k in $lane_kernels; do
		lane_trace "$k" > "$tmp/got"
		[ -s "$tmp/got" ] || failed=1
		diff "$tmp/$k.want" "$tmp/got" > "$tmp/diff" && continue
		{ echo "$k"; cat "$tmp/diff"; } >> "$tmp/log"
		failed=1
	done
	ok $failed "gathers and masked vectors access what the scalar code does $*"
}

check_bytes() {
	build bytes.c "$@"
	failed=$?
	while read -r k want; do
		kernel $k 3 13 $want && same_output $k || failed=1
	done <<-EOF
		none 0 0
		strlen 210 40
		strcpy 210 210
		stpcpy 210 210
		strncpy 210 320
		strncpy8 80 80
		strcat 220 220
		memcmp 800 40
		bzero 0 170
		bcopy 190 190
		bit 80 120
		zero 80 120
		flag 10 50
		clear 0 10
		load24 240 240
		store24 240 240
		exchange24 480 480
		cas24 720 280
		store16 0 160
		take 1280 0
		look 720 80
		field 0 20
		middle 0 20
		volatile 40 40
		complex 160 160
		long 160 160
		asm 80 80
		asmout 0 80
	EOF
	case $1 in
	-O0) ;;        # the result is put together in pieces, the expected value is in memory
	*)
		kernel give 3 13 0 640 || failed=1
		kernel cas 3 13 80 120 || failed=1
		;;
	esac
	ok $failed "strings, atomics, aggregates, fields, assembler $*"
}

check_named() {
	libs=-mavx2
	build avx.c "$@"
	failed=$?
	libs=
	while read -r k want; do
		kernel $k 3 13 $want && same_output $k || failed=1
	done <<-EOF
		load 160 320
		store 0 160
		gather 320 320
		some 160 320
		half 160 160
		stream 0 320
		narrow 0 80
		spread 80 320
		low 0 80
	EOF
	ok $failed "AVX2 accesses by name $*"
}

# compiles FLAGS: for a machine that need not be this one.
compiles() {
	"$psc" "$gcc" "$@" -fchecking -w -c "$here/src/lanes.c" -o "$tmp/x.o" > "$tmp/log" 2>&1 &&
		"$psc" "$gcc" "$@" -fchecking -w -c "$here/src/avx512.c" -o "$tmp/x.o" > "$tmp/log" 2>&1
	ok $? "gathers, scatters and masked vectors compile $*"
}

check_fortran() {
	"$psc" "$gfortran" "$@" -w -J"$tmp" "$here/src/kernels.f90" -o "$tmp/x" > "$tmp/log" 2>&1
	failed=$?
	kernel shape 1000 2000 16000 8000 || failed=1
	kernel explicit 1000 2000 16000 8000 || failed=1
	ok $failed "Fortran kernels $*"
}

# all: whether every level is tested.  With a GCC that is not the first one, only in `make check-long`.
all() { [ -n "${PSC_LONG:-}${PSC_FIRST_GCC-yes}" ]; }

avx2=
! grep -q avx2 /proc/cpuinfo || avx2=1
check_c -O0
check_c -O2
if all; then
	check_c -O1 -g
	check_c -O3
	check_c -O2 -flto
	check_c -O2 -fPIC -D_FORTIFY_SOURCE=2
	if [ "$avx2" ]; then
		check_c -O3 -mavx2
	else
		skip "C kernels -O3 -mavx2" "no AVX2 here"
	fi
fi
libs=
check_lanes -O2
if all; then
	check_lanes -O0
	check_lanes -O2 -ftree-vectorize -flto
fi
compiles -O0 -march=skylake-avx512
compiles -O3 -ffast-math -march=skylake-avx512 -mprefer-vector-width=512
if [ "$avx2" ]; then
	check_lanes -O3 -mavx2 -ffast-math
	check_addresses -O3 -march=haswell -ffast-math
	check_named -O1
	if all; then
		check_lanes -O3 -march=native -ffast-math -fplugin-arg-pscplugin-plain
		check_lanes -O3 -march=haswell -ffast-math -flto
		check_addresses -O3 -mavx2 -ffast-math
		check_named -O2 -flto
		check_named -O2 -fplugin-arg-pscplugin-plain
	fi
else
	skip "gathers and masked vectors -O3 -mavx2" "no AVX2 here"
fi
if echo 'int main(void) { return 0; }' > "$tmp/a.c" && "$gcc" "$tmp/a.c" -o "$tmp/a" -latomic 2> /dev/null; then
	libs=-latomic
	check_bytes -O0
	check_bytes -O2
	if all; then
		for flags in -O1 "-O2 -flto" "-O3 -fplugin-arg-pscplugin-plain"; do
			check_bytes $flags
		done
	fi
else
	skip "strings, atomics, aggregates" "libatomic is not installed"
fi
check_fortran -O2
if all; then
	check_fortran -O0
	check_fortran -O3 -fopenmp
	check_fortran -O2 -fopenmp -flto
fi
finish
