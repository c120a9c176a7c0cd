#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sh build.sh SRCDIR MPICC MPIFORT OUT.a: makes the pass-throughs of the MPI library that MPICC links with.
# CC, CFLAGS, AR and NM are taken from the environment.
set -eu
src=$1 mpicc=$2 mpifort=$3 out=$4
dir=$out.d
rm -rf "$dir"
mkdir -p "$dir"
if flags=$("$mpicc" --showme:compile 2>/dev/null); then
	:
else
	flags=
	for word in $("$mpicc" -show); do
		case $word in -I* | -D*) flags="$flags $word" ;; esac
	done
fi
sh "$src/monitor/mpi/symbols.sh" "$mpicc" "$mpifort" >"$dir/symbols"
objects=
for binding in c f f08; do
	grep -q "^$binding " "$dir/symbols" || continue
	awk -v binding=$binding -f "$src/monitor/mpi/generate.awk" "$src/monitor/mpi/functions.txt" "$dir/symbols" \
		>"$dir/$binding.c"
	# Its functions are declared as what they are not: -fno-builtin keeps GCC from knowing better.
	$CC $CFLAGS -O2 -fPIC -fno-builtin "-I$src" -c "$dir/$binding.c" -o "$dir/$binding.o"
	objects="$objects $dir/$binding.o"
done
[ -n "$objects" ] || { echo "build.sh: $mpicc links with no MPI library that has PMPI" >&2; exit 1; }
for file in calls communicators; do
	$CC $CFLAGS -O2 -fPIC "-I$src" $flags -c "$src/monitor/mpi/$file.c" -o "$dir/$file.o"
	objects="$objects $dir/$file.o"
done
rm -f "$out"
"$AR" cr "$out.new" $objects
mv "$out.new" "$out"
