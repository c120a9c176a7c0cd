#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Groups and loop records stand for exactly those accesses that plain recording writes one by one:
# same counts, same addresses, for loops of all forms and all the code that GCC makes of them.
. "$srcdir/tests/instrument/lib.sh"
OMP_NUM_THREADS=1     # the monitor of the tests only drains the main thread at the end
STUB_RECORD=1
STUB_TRACE=1
LC_ALL=C
export STUB_RECORD STUB_TRACE LC_ALL

# traced PROGRAM K: what it accesses, in order, without lines, which groups share.
traced() {
	STUB_OUT=$tmp/$1.out "$tmp/$1" "$2" 2>&1 | sed 's/ line [0-9]*//' > "$tmp/$1.trace"
	grep '^loads' "$tmp/$1.out" | sed 's/ flushes.*//' >> "$tmp/$1.trace"
	sort "$tmp/$1.trace" > "$tmp/$1.sorted"
}

# field PROGRAM NAME: a number of the last run's summary.
field() {
	awk -v name="$2" '/^words|^loads/ { for (i = 1; i < NF; i += 2) if ($i == name) print $(i + 1) }' \
		"$tmp/$1.out"
}

# same K: kernel K accesses the same in both builds.
same() {
	traced merged "$1"
	traced single "$1"
	diff "$tmp/single.sorted" "$tmp/merged.sorted" > "$tmp/diff"
}

build() {
	source=$1
	shift
	"$psc" "$cc" "$@" $j -fchecking -w "$here/src/$source" -o "$tmp/merged" -lm &&
		"$psc" "$cc" -fplugin-arg-pscplugin-plain "$@" $j -w "$here/src/$source" \
		-o "$tmp/single" -lm
}

# check SOURCE ALL LOOPS FLAGS: ALL names all kernels; at least LOOPS loop records come of them.
check() {
	source=$1 all=$2 want=$3 j=
	shift 3
	cc=$(compiler_of "$source")
	[ "$cc" = "$gfortran" ] && j=-J$tmp
	build "$source" "$@" > "$tmp/log" 2>&1
	failed=$?
	if [ $failed -eq 0 ] && ! same "$all"; then
		for k in $(awk 'BEGIN { for (k = 0; k < 60; k++) print k }'); do
			[ "$k" = "$all" ] || same "$k" || break
		done
		{ echo "kernel $k differs (< plain, > merged)"; cat "$tmp/diff"; } > "$tmp/log"
		failed=1
	fi
	loops=$(field merged loops)
	if [ $failed -eq 0 ] && [ "$loops" -lt "$want" ]; then
		echo "$loops loop records, not $want" > "$tmp/log"
		failed=1
	fi
	ok $failed "$source $*: as recorded one by one ($loops loop records)"
}

# The programs of the last one, C at -O2, are looked at below, too.
for flags in -O0 -Og -O1 -Os -O3 "-O2 -fwrapv -fno-tree-loop-distribute-patterns" \
	"-O3 -funroll-loops -fno-ivopts" "-Os -fPIC -fopenmp" "-O2 -fnon-call-exceptions" \
	"-O2 -ftrapv" "-O2 -fsanitize=undefined" "-O2 -flto" "-O3 -mavx2 -ffast-math" -O2; do
	case $flags${PSC_LONG:-} in
	-Og | -Os | *-ftrapv | *=undefined) continue ;;         # in make check-long
	esac
	case $flags in
	*mavx2*) grep -q avx2 /proc/cpuinfo || { skip "loop_records $flags" "no AVX2 here"; continue; } ;;
	esac
	case $flags in
	*-fnon-call* | *trapv*) c=0 f=0 ;;
	-O3*) c=400 f=100 ;;
	*) c=450 f=600 ;;
	esac
	# The middle end is the same for both languages: unless told, less common options are tried with one of them.
	case $flags${PSC_LONG:-} in
	-O1 | *-fwrapv* | *-funroll-loops* | *-flto) ;;
	*) check loop_records.f90 0 $f $flags ;;
	esac
	case $flags${PSC_LONG:-} in
	*-fPIC* | *-fnon-call-exceptions | *-mavx2*) ;;
	*) check loop_records.c all $c $flags ;;
	esac
done

# One store an iteration: the order is that of the code.
for k in 0 1 2 3 4 5 6 7 8 9 10 11 13 14 35 36 37 38; do
	same $k || break
	grep '^store' "$tmp/single.trace" > "$tmp/want"
	grep '^store' "$tmp/merged.trace" | diff "$tmp/want" - > "$tmp/log" || break
done
[ $k = 38 ]
ok $? "a loop's record keeps the order of its iterations"

# Few of many blocks in a row ask for room, and yet there is some.
cat > "$tmp/long.awk" <<EOF
BEGIN {
	print "int x[1500], y[1500]; void __attribute__((noinline)) f(int *p) {"
	for (i = 0; i < 1500; i++)
		printf "if (p[%d] >= 0) { y[%d] = p[%d] + 1; y[%d]++; }\n", i, i, i + 1, 1499 - i
	print "} int main(void) { for (int i = 0; i < 9; i++) f(x); return 0; }"
}
EOF
awk -f "$tmp/long.awk" > "$tmp/long.c"
unset STUB_TRACE
{ "$psc" "$gcc" -O1 -w "$tmp/long.c" -o "$tmp/long" && STUB_OUT=$tmp/long.out "$tmp/long" &&
	grep 'loads [1-9]' "$tmp/long.out"; } > "$tmp/log" 2>&1
ok $? "1500 blocks in a row: room is asked for in time"

# A loop that waits makes one record, however long.
STUB_OUT=$tmp/merged.out "$tmp/merged" spin
[ "$(field merged loads)" -gt 10000 ] && [ "$(field merged words)" -lt 1000 ]
ok $? "a loop that waits: $(field merged loads) loads in $(field merged words) words"
finish
