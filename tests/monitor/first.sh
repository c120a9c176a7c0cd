#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Recording begins with a call of the phase's function: that call is recorded whole, as every later one.
: "${builddir:=.}" "${srcdir:=.}" "${PSC_GCC:=gcc}"
if [ ! -x "$builddir/psc_instrument" ]; then
	echo "1..0 # SKIP the plugin is not built"
	exit 0
fi
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
program=$srcdir/tests/monitor/first.c
n=0

# recorded LINE COUNT: accesses of so many executions
recorded() {
	"$builddir/tests/monitor/simrun" --phase "line:$1" --first 1 --warm 0 --count "$2" --kind record \
		--output "$tmp/sim" -- "$tmp/program" > "$tmp/have" 2>> "$tmp/log" &&
		cmp "$tmp/want" "$tmp/have" >> "$tmp/log" 2>&1 &&
		sed -n 's/^request .* records=\([0-9]*\).*/\1/p' "$tmp/sim"
}

for flags in -O0 -O1 -O2 -O3 "-Os -fPIC" "-O2 -flto"; do
	: > "$tmp/log"
	# shellcheck disable=SC2086
	"${PSC_GCC%% *}" $flags "$program" -o "$tmp/native" && "$tmp/native" > "$tmp/want" &&
		"$builddir/psc_instrument" "${PSC_GCC%% *}" -g $flags -fno-tree-vectorize \
		-fno-tree-loop-distribute-patterns "$program" -o "$tmp/program" >> "$tmp/log" 2>&1
	sed -n 's/.*noinline [a-z]* \([a-z_]*\)(.*phase: \([0-9]*\) accesses.*/\1 \2/p' "$program" > "$tmp/phases"
	while read -r name accesses; do
		line=$(awk -v name="$name(" 'index($0, name) && /phase/ { print NR }' "$program")
		one=$(recorded "$line" 1)
		two=$(recorded "$line" 2)
		n=$((n + 1))
		if [ "$one" = "$accesses" ] && [ "$two" = $((2 * accesses)) ]; then
			echo "ok $n - $flags: $name: $one accesses in the first execution, $two in two"
		else
			echo "not ok $n - $flags: $name: ${one:-no} and ${two:-no} accesses, not $accesses and $((2 * accesses))"
			sed 's/^/# /' "$tmp/log"
		fi
	done < "$tmp/phases"
done
[ $n -gt 0 ] && echo "1..$n"
