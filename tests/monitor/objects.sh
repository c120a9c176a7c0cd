#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Names of data structures in a Fortran program, from the compiler to the counts.
: "${builddir:=.}" "${srcdir:=.}"
if [ ! -x "$builddir/psc_instrument" ]; then
	echo "1..0 # SKIP the plugin is not built"
	exit 0
fi
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
n=0
has() {
	n=$((n + 1))
	grep -Eq -- "$1" "$tmp/out" && echo "ok $n - $2" && return
	echo "not ok $n - $2"
	sed 's/^/# /' "$tmp/out"
}

src=$srcdir/tests/monitor/objects.f90
line=$(awk '/! the phase$/ { print NR }' "$src")
"$builddir/psc_instrument" gfortran -O1 -g -J "$tmp" -o "$tmp/program" "$src" > "$tmp/out" 2>&1 &&
	"$builddir/tests/monitor/simrun" --phase "line:$line" --count 2 --output "$tmp/out" \
		-- "$tmp/program" > /dev/null
has '^request state=done .*executions=2 .*lost=0 unhandled=0' "the program was measured"
has '^count .* object=store:grid .* loads=200 stores=200' "an allocatable array is found behind its descriptor"
has '^alias name=view region=[0-9]+ object=store:fixed' "a pointer is an alias of its target"
has '^count .* object=step:tmp .* loads=10000 stores=10000' "a local allocatable is known by its name"
has '^alias name=x region=[0-9]+ object=store:grid' "a section passed on is an alias of its array"
has '^alias name=y region=[0-9]+ object=store:grid' "and so is an assumed-shape dummy"
n=$((n + 1))
grep -q 'alias name=x .* object=x' "$tmp/out" && printf 'not '
echo "ok $n - nothing is an alias of itself"
echo "1..$n"
