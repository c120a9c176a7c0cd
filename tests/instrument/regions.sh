#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The structure that the plugin sees is the source's: src/X.want holds a line for each region.
. "$srcdir/tests/instrument/lib.sh"

check() {
	file=$1
	shift
	"$psc" "$(compiler_of "$file")" -fopenmp -w "$@" -c "$here/src/$file" -o "$tmp/x.o" > "$tmp/log" 2>&1
	table "$tmp/x.o" > "$tmp/got"
	diff "$here/src/$file.want" "$tmp/got" > "$tmp/log"
	ok $? "$file $*"
}

cd "$tmp" || exit 99
cat > math.c <<'EOF'
#include <math.h>
double a[100];
double rate(double t) { return pow(t, 1.7) * exp(-t); }
void burn(void) { for (int i = 0; i < 100; i++) a[i] = sin(a[i]) + floor(rate(i)); }
EOF
for flags in -O0 -O2; do
	"$psc" "$gcc" -w $flags -c math.c -o x.o > log 2>&1
	fragments x.o | sed -n 's/.* name="\([^"]*\)".* math="\([^"]*\)".*/\1: \2/p' > got
	printf 'rate: exp pow\n: sin\n' > want
	diff want got > log
	ok $? "$flags: mathematical functions are named where they are called"
done
for flags in -O0 -O2 -O3; do
	for file in nest.f free.f90 loops.c classes.cc; do
		check $file $flags
	done
done
finish
