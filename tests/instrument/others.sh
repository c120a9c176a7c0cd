#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The plugin's tests once more, with each of the other GCCs that it was built for.
: "${builddir:=.}" "${srcdir:=.}"
n=0

if [ -z "$PSC_OTHER_GCCS" ]; then
	echo "1..0 # SKIP no other GCC (11 to 14) is installed here with its plugin headers"
	exit 0
fi
for v in $PSC_OTHER_GCCS; do
	for name in regions fragments phases records same versions; do
		if ! command -v "gfortran-$v" > /dev/null; then
			n=$((n + 1))
			echo "ok $n - GCC $v, $name # SKIP gfortran-$v is not installed"
			continue
		fi
		PSC_FIRST_GCC='' PSC_GCC=gcc-$v PSC_GXX=g++-$v PSC_GFORTRAN=gfortran-$v \
			sh "$srcdir/tests/instrument/$name.sh" > others.$$
		n=$(awk -v n="$n" -v what="GCC $v, $name: " '
			/^(not )?ok / { sub(/ok [0-9]+ - /, "ok " ++n " - " what) }
			!/^1\.\./ { print > "/dev/stderr" }
			END { print n }' others.$$ 2> others.$$.out)
		cat others.$$.out
		grep -q '^1\.\.' others.$$ || echo "Bail out! GCC $v, $name: no plan"
		rm -f others.$$ others.$$.out
	done
done
echo "1..$n"
