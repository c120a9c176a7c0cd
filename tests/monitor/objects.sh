#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Names of data structures in a Fortran program, from the compiler to the counts.
: "${builddir:=.}" "${srcdir:=.}"
if [ ! -x "$builddir/psc_instrument" ]; then
	echo "1..0 # SKIP the plugin is not built"
	exit 0
fi
if ! command -v gfortran > /dev/null; then
	echo "1..0 # SKIP gfortran is not installed"
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

# The interface as docs/objects.md has it, word for word.
{
	printf '%s\n' 'program declared' 'use iso_c_binding' 'implicit none'
	sed -n '/^    interface$/,/^    end interface$/p' "$srcdir/docs/objects.md"
	cat << 'EOF'
integer, parameter :: n = 1000
real(8), target, save :: pool(3 * n)
integer :: step
pool = 0
call psc_object_begin(c_loc(pool(1)), int(8 * n, c_size_t), "particles" // c_null_char)
call psc_object_begin(c_loc(pool(n + 1)), int(8 * n, c_size_t), "cells" // c_null_char)
do step = 1, 5 ! the phase
  if (step == 3) call psc_object_end(c_loc(pool(n + 1)))
  call work()
end do
print *, sum(pool)
contains
subroutine work()
integer :: i
do i = 1, 3 * n
  pool(i) = pool(i) + 1
end do
end subroutine
end program
EOF
} > "$tmp/declared.f90"
line=$(awk '/! the phase$/ { print NR }' "$tmp/declared.f90")
"$builddir/psc_instrument" gfortran -O1 -g -o "$tmp/declared" "$tmp/declared.f90" > "$tmp/out" 2>&1 &&
	"$builddir/tests/monitor/simrun" --phase "line:$line" --count 2 --output "$tmp/out" \
		-- "$tmp/declared" > "$tmp/have"
has '^request state=done .*executions=2 first=2 .*lost=0 unhandled=0' \
	"a Fortran program with the documented interface was measured"
has '^count .* object=particles .* loads=2000 stores=2000' "what it declares has its name"
has '^count .* object=cells .* loads=1000 stores=1000' "until it ends"
has '^count .* object=[a-z:]*pool .* loads=3000 stores=3000' "the rest is the array's"
gfortran -O1 -o "$tmp/plain" "$tmp/declared.f90" -L"$builddir/monitor/.libs" -lpscmon \
	-Wl,-rpath,"$(cd "$builddir" && pwd)/monitor/.libs" > "$tmp/out" 2>&1 &&
	"$tmp/plain" > "$tmp/out" 2>&1 && cmp -s "$tmp/out" "$tmp/have" && echo same >> "$tmp/out"
has '^same' "without psc_instrument it links libpscmon, which is inert there"
echo "1..$n"
