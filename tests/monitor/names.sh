#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Names of data structures: each program of names/ says what is to be counted, and for whom.
: "${builddir:=.}" "${srcdir:=.}" "${PSC_GCC:=gcc}"
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
here=$srcdir/tests/monitor/names
ok() {
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" && return
	echo "not ok $n - $2"
	sed 's/^/# /' "$tmp/out"
}

# What is counted: object loads stores, summed over contexts and threads.
sums() {
	awk '/^count/ {
		for (i = 2; i <= NF; i++) { split($i, k, "="); v[k[1]] = substr($i, length(k[1]) + 2) }
		l[v["object"]] += v["loads"]; s[v["object"]] += v["stores"] }
		END { for (o in l) print o, l[o], s[o] }' "$tmp/sim" | sort
	awk '/^alias/ { print "alias", substr($2, 6), substr($4, 8) }' "$tmp/sim" | sort -u
}

# check TEXT SOURCES... FLAGS...: the first source has the phase
check() {
	text=$1 first=$2 sources='' flags=''
	kind_of=names
	shift
	for arg; do
		case $arg in
		output) kind_of=output ;;
		-*) flags="$flags $arg" ;;
		*) sources="$sources $here/$arg" ;;
		esac
	done
	case $first in
	*.c) compiler=${PSC_GCC%% *} ;;
	*.cc) compiler=${PSC_GXX:-g++} ;;
	*) compiler="${PSC_GFORTRAN:-gfortran} -J $tmp" ;;
	esac
	line=$(awk '/the phase *(\*\/)?$/ { print NR; exit }' "$here/$first")
	# shellcheck disable=SC2086
	$compiler -w -I"$srcdir" $flags -o "$tmp/native" $sources > "$tmp/out" 2>&1 &&
		"$tmp/native" "$tmp/names.data" > "$tmp/want" 2>> "$tmp/out" &&
		"$builddir/psc_instrument" $compiler -w -g -I"$srcdir" $flags -o "$tmp/program" $sources \
			>> "$tmp/out" 2>&1 &&
		"$builddir/tests/monitor/simrun" --phase "line:$line" --count 2 --output "$tmp/sim" -- \
			"$tmp/program" "$tmp/names.data" > "$tmp/have" 2>> "$tmp/out" &&
		cmp "$tmp/want" "$tmp/have" >> "$tmp/out" 2>&1
	ok $? "$text: the program runs as it does natively"
	[ "$kind_of" = output ] && return
	sums > "$tmp/out"
	# shellcheck disable=SC2086
	cat $sources | grep -oE '(expect|alias): [^ ,]+ [^ ,]+( [0-9]+)?' > "$tmp/expected"
	missing=$(while read -r kind object rest; do
		case $kind in
		expect:) grep -Eq "^([A-Za-z_]+:)?$object $rest\$" "$tmp/out" || echo "$object $rest" ;;
		*) grep -q "^alias $object $rest\$" "$tmp/out" || echo "alias $object $rest" ;;
		esac
	done < "$tmp/expected")
	[ -s "$tmp/expected" ] && [ -z "$missing" ]
	ok $? "$text: $(grep -c . "$tmp/expected") structures are counted under their names${missing:+; not }$missing"
	awk '/^request/ { for (i = 2; i <= NF; i++) if (split($i, k, "=") && k[1] == "records") r = k[2] }
		/^count/ { for (i = 2; i <= NF; i++) if (split($i, k, "=") && k[1] ~ /^(loads|stores)$/) c += k[2] }
		END { exit !(r > 0 && c == r) }' "$tmp/sim"
	ok $? "$text: every recorded access belongs to somebody"
}

check "C" blocks.c -O1
check "C, unoptimised" blocks.c -O0
check "C, optimised at link time" blocks.c -O2 -flto -fno-tree-vectorize -fno-tree-loop-distribute-patterns
check "C, static" blocks.c -O1 -static
check "small blocks, stacks, threads" small.c -O1 -fno-tree-vectorize
check "small blocks, stacks, threads, static" small.c -O1 -fno-tree-vectorize -static
check "names like ours" own.c -O1 -fno-tree-vectorize
check "names like ours, static" own.c -O1 -fno-tree-vectorize -static
nm -g --defined-only "$builddir/monitor/.libs/libpscmon.a" | awk 'NF == 3 { print $3 }' | sort > "$tmp/defined"
sort "$srcdir/monitor/pscmon.sym" | diff - "$tmp/defined" > "$tmp/out" 2>&1
ok $? "the static library defines the names of the shared one and no others"
check "C++" vectors.cc -O1
check "C++, unoptimised" vectors.cc -O0
check "C++, elements of containers" elements.cc -O1
check "C++, elements of containers, unoptimised" elements.cc -O0
check "C++, new[] with a count" counted.cc -O1
check "C++, new[] with a count, unoptimised" counted.cc -O0
check "Fortran" arrays.f90 -O1
check "Fortran, unoptimised" arrays.f90 -O0
check "Fortran, static" static.f90 -O1 -static
check "Fortran, static, unoptimised" static.f90 -O0 -static
check "Fortran, THREADPRIVATE" threads.f90 -O1 -fopenmp -fno-tree-vectorize
check "Fortran, THREADPRIVATE, unoptimised" threads.f90 -O0 -fopenmp
check "COMMON and EQUIVALENCE" storage.f storage2.f -O1 -std=legacy
check "threads, fork, longjmp" storm.c output -O1 -pthread
check "threads, fork, longjmp, static" storm.c output -O1 -pthread -static
check "threads, fork, longjmp, at once" storm.c output -O2 -flto -pthread
# The program's allocator is its own, or valgrind's: that of massif, or, which takes twenty times as long, of memcheck.
valgrind="valgrind -q --tool=massif --massif-out-file=/dev/null"
[ -z "${PSC_LONG:-}" ] || valgrind="valgrind -q --error-exitcode=9"
for tool in "$valgrind" "env LD_PRELOAD=$tmp/other.so"; do
	case $tool in
	valgrind*) command -v valgrind > /dev/null || continue ;;
	*) printf '%s\n' '#include <string.h>' 'static _Alignas(16) char heap[1ul << 30]; static unsigned long used;' \
		'void *malloc(unsigned long n) { unsigned long at = __sync_fetch_and_add(&used, (n + 31) & ~15ul);' \
		'	*(unsigned long *)(heap + at) = n; return heap + at + 16; }' \
		'void free(void *p) { (void)p; }' \
		'void *calloc(unsigned long n, unsigned long m) { return malloc(n * m); }' \
		'void *realloc(void *p, unsigned long n) { void *q = malloc(n);' \
		'	unsigned long had = p ? ((unsigned long *)p)[-2] : 0; if (p) memcpy(q, p, had < n ? had : n); return q; }' \
		> "$tmp/other.c"
		"${PSC_GCC%% *}" -O1 -fno-builtin -shared -fPIC -o "$tmp/other.so" "$tmp/other.c" > "$tmp/out" 2>&1 ;;
	esac
	"$tmp/native" 3 100 > "$tmp/want"
	# shellcheck disable=SC2086
	"$builddir/tests/monitor/simrun" --seconds 600 --phase "line:$line" --output "$tmp/sim" -- $tool "$tmp/program" 3 100 \
		> "$tmp/have" 2> "$tmp/out" && cmp "$tmp/want" "$tmp/have" >> "$tmp/out" 2>&1
	ok $? "under ${tool%% *} too"
done
echo "1..$n"
