#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# GCC's dumps can print all that the plugin made: every type, variable, function and statement, in every
# pass, in the compiler and in link-time optimisation.
. "$srcdir/tests/instrument/lib.sh"

# GCC 13 fails when it dumps a loop that it makes a memset of, whoever compiles (-fdump-tree-modref).
cat > "$tmp/memset.cc" <<EOF
__attribute__((noinline)) static double *fill(double *f, unsigned long n)
{
	for (double *l = f + n; f != l; ++f)
		*f = 0;
	return f;
}
double a[1000], b[1000];
int main(int c, char **) { return fill(a, c) == fill(b, 3 * c); }
EOF
natively=
(cd "$tmp" && "$gxx" -O2 -fdump-tree-modref memset.cc -o memset) > "$tmp/log" 2>&1 ||
	natively=-fno-tree-loop-distribute-patterns

# dumped PATTERN NAME: dumps of that kind, the last of which knows of the name
dumped() {
	set -- "$2" "$tmp"/d/*.$1
	want=$1
	shift
	[ -f "$1" ] && grep -q "$want" "$@" || { echo "no dump knows $want: $*"; return 1; }
}

check() {
	file=$1
	shift
	rm -rf "$tmp/d"
	mkdir "$tmp/d"
	{ (
		cd "$tmp/d" && "$psc" "$(compiler_of "$file")" "$@" -w -fdump-ipa-all -fdump-tree-all-all \
			$natively "$here/src/$file" -o x
	) && dumped '*i.cp' psc_inst && dumped '*i.inline' psc_unit && dumped '*t.optimized' psc_inst; } \
		> "$tmp/log" 2>&1
	ok $? "$file $*: everything can be dumped"
}

for file in classes.cc constructs.cc waits.c free.f90 constructs.f90; do
	check $file -fopenmp -O2 -g
done
check classes.cc -fopenmp -O2 -flto
finish
