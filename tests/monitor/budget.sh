#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A budget for what recording adds: an execution that fits is recorded in full, and counts are exact; else slices of it are
# counted, although only a trial tells.
: "${builddir:=.}" "${srcdir:=.}" "${PSC_GCC:=gcc}"
. "$srcdir/tests/tap.sh"
[ -x "$builddir/psc_instrument" ] || skip_all "the plugin is not built"
plan 9
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
tap_out=$tmp/check.out
# Checks of each record take several times as long as recording it.
unset PSC_CHECK
source=$srcdir/tests/e2e/planes.c
line=$(grep -n 's < STEPS' "$source" | cut -d: -f1)
"$builddir/psc_instrument" "${PSC_GCC%% *}" -O2 -g "$source" -o "$tmp/planes" || { echo "Bail out! it does not build"; exit 1; }
"$tmp/planes" 120 >"$tmp/want"

# sim NAME OPTIONS…: the rows, without times, are in NAME.counts
sim() {
	label=$1
	shift
	"$builddir/tests/monitor/simrun" --phase "line:$line" --machine "$srcdir/machine/itanium2.xml" --first 1 \
		--output "$tmp/$label" "$@" -- "$tmp/planes" 120 >"$tmp/have" && cmp "$tmp/want" "$tmp/have" &&
		grep -E "^(count|total|site)" "$tmp/$label" >"$tmp/$label.counts" && grep "^request state=done" "$tmp/$label"
}
slices() { sed -n 's/^request .* slices=\([0-9]*\).*/\1/p' "$tmp/$1"; }
number() { sed -n "s/^total .*\<$2=\([0-9]*\).*/\1/p" "$tmp/$1.counts"; }
# near A B: within 10 %
near() { awk -v a="$1" -v b="$2" 'BEGIN { print a, b; exit !(b > 0 && a > 0.9 * b && a < 1.1 * b) }'; }

check "without a budget" sim full
check "within one" sim fits --budget 600000
check "all is recorded, and counts are the same" cmp "$tmp/full.counts" "$tmp/fits.counts"
check "with two executions that warm the caches, too" sim twice --budget 600000 --warm 2
check "they are those without a budget" test -z "$(slices twice)"
check "beyond one" sim over --budget 100
check "slices are counted" test -n "$(slices over)"
check "whose accesses are those of the whole" near "$(number over loads)" "$(number full loads)"
check "with two executions to warm, one is enough of a trial" sim two --budget 100 --warm 2
