#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Threads that vanish while they are measured: by cancellation, in handlers that never return, with the
# phase in their hands.  The program ends as it does alone, and the experiment is complete.
: "${builddir:=.}" "${srcdir:=.}" "${PSC_GCC:=gcc}"
if [ ! -f "$builddir/instrument/.libs/pscplugin.so" ]; then
	echo "1..0 # SKIP the plugin is not built"
	exit 0
fi
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
n=0
src=$srcdir/tests/breakers/threads/vanish.c
"$builddir/psc_instrument" "${PSC_GCC%% *}" -O2 -g -w -o "$tmp/program" "$src" -pthread > "$tmp/out" 2>&1 || {
	sed 's/^/# /' "$tmp/out"
	echo "Bail out! vanish.c does not build"
	exit 1
}
line=$(awk '/PHASE \*\// { print NR }' "$src")
own=$(awk "/the thread's phase \\*\\// { print NR }" "$src")

# check MODE OPTIONS...: alone and under simrun
check() {
	mode=$1
	shift
	at=$line
	[ "$mode" != owners ] || at=$own
	timeout 600 "$tmp/program" "$mode" 12 > "$tmp/want" 2>&1
	timeout 600 "$builddir/tests/monitor/simrun" --phase "line:$at" "$@" --output "$tmp/out" \
		-- "$tmp/program" "$mode" 12 > "$tmp/got" 2>&1
	code=$?
	n=$((n + 1))
	if [ $code = 0 ] && cmp -s "$tmp/want" "$tmp/got" && grep -q '^request state=done' "$tmp/out"; then
		echo "ok $n - $mode: $*"
	else
		echo "not ok $n - $mode: $*"
		{ echo "exit code $code"; cat "$tmp/want" "$tmp/got" "$tmp/out"; } | sed 's/^/# /' | head -n 20
	fi
}

# Where control leaves in the midst of a record or a region, records and counts need not add up.
unset PSC_CHECK
for mode in cancelled deferred owners left jumped switched ticked fibered; do
	check $mode --kind sim --count 5
	check $mode --kind sim --count 5 --batch 256 --cpus 4 --lockstep
	check $mode --kind time --count 5
done
echo "1..$n"
