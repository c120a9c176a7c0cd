#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Miss counts of the whole chain (plugin, monitor, simulator) against cachegrind's, at equal
# geometry and with addresses as they are.  Cachegrind counts the whole process: the difference
# between N + 2 and N executions is that of two.
: "${builddir:=.}" "${srcdir:=.}" "${PSC_GCC:=gcc}"

if ! command -v valgrind > /dev/null 2>&1; then
	echo "1..0 # SKIP valgrind is not installed"
	exit 0
fi
if [ ! -x "$builddir/psc_instrument" ]; then
	echo "1..0 # SKIP the plugin is not built"
	exit 0
fi
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
n=0

# cg N KERNEL: D refs, D1 misses, LL misses of the native program
cg() {
	valgrind --tool=cachegrind --cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 \
		--LL=262144,8,64 --cachegrind-out-file="$tmp/cg" "$tmp/native" "$2" "$1" \
		> "$tmp/log" 2>&1 || return 1
	awk '/^events:/ { for (i = 2; i <= NF; i++) f[i] = $i }
		/^summary:/ { for (i = 2; i <= NF; i++) v[f[i]] = $i
			print v["Dr"] + v["Dw"], v["D1mr"] + v["D1mw"], v["DLmr"] + v["DLmw"] }' "$tmp/cg"
}

# near A B: within 1 %, or 50
near() {
	awk -v a="$1" -v b="$2" 'BEGIN { d = a > b ? a - b : b - a; exit !(d <= 0.01 * b || d < 50) }'
}

line=$(awk '/the phase/ { print NR - 1 }' "$srcdir/tests/monitor/kernels.c")
for flags in -O2 "-O3 -mavx2"; do
	case $flags in
	*avx2*) grep -q avx2 /proc/cpuinfo 2> /dev/null || continue ;;
	esac
	# shellcheck disable=SC2086
	"${PSC_GCC%% *}" $flags -g -o "$tmp/native" "$srcdir/tests/monitor/kernels.c" &&
	"$builddir/psc_instrument" "${PSC_GCC%% *}" $flags -g -o "$tmp/instrumented" \
		"$srcdir/tests/monitor/kernels.c" > "$tmp/log" 2>&1
	built=$?
	for kernel in triad mm; do
		n=$((n + 1))
		text="$kernel $flags agrees with cachegrind within 1 %"
		if [ $built != 0 ]; then
			sed 's/^/# /' "$tmp/log"
			echo "not ok $n - $text"
			continue
		fi
		"$builddir/tests/monitor/simrun" --phase "line:$line" --pages virtual --warm 1 \
			--count 2 --output "$tmp/sim" -- "$tmp/instrumented" $kernel 4 > /dev/null
		sim=$(awk '/^total/ { for (i = 2; i <= NF; i++) { split($i, k, "="); v[k[1]] = k[2] }
			split(v["m1"], a, "/"); split(v["m2"], b, "/")
			print v["loads"] + v["stores"], a[1] + a[2], b[1] + b[2] }' "$tmp/sim")
		# shellcheck disable=SC2046
		set -- $sim $(cg 4 $kernel) $(cg 2 $kernel)
		echo "# $kernel $flags: refs $1 $(($4 - $7)), level 1 $2 $(($5 - $8)), last level $3 $(($6 - $9))"
		if [ $# = 9 ] && [ "$1" -gt 1000000 ] && near "$1" $(($4 - $7)) &&
			near "$2" $(($5 - $8)) && near "$3" $(($6 - $9)); then
			echo "ok $n - $text"
		else
			sed 's/^/# /' "$tmp/sim"
			echo "not ok $n - $text"
		fi
	done
done
echo "1..$n"
