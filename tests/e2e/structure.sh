#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# psc_sir on real objects: LU's structure is its source's, line by line; it validates; and it is complete
# after everything that a build does to objects.
. "${srcdir:-.}/tests/e2e/lib.sh"
lu=$srcdir/examples/lu
build_lu .
plan 12

check "the document of LU validates" sh -c \
	"psc_sir lu >lu.sir && xmllint --noout --relaxng '$srcdir/sir/sir.rng' lu.sir"
check "psc_sir --check agrees" psc_sir --check lu.sir

# What the source says: every subroutine, call, directive and loop with its line.  The loop that a worksharing
# directive is for is the directive's; calls of intrinsics are not regions.
names=$(sed -n 's/^ *subroutine *\([a-z0-9_]*\).*/\1/p' "$lu"/*.f | tr '\n' ' ')
for f in "$lu"/*.f; do
	awk -v f="$(basename "$f")" -v names="$names" '
	BEGIN { n = split(names, s); for (i = 1; i <= n; i++) known[s[i]] = 1 }
	/^!\$omp parallel/ { print f, FNR, "parallelRegion" }
	/^!\$omp parallel do/ { print f, FNR, "workshareLoop"; own = 1 }
	/^!\$omp do/ { print f, FNR, "workshareLoop"; own = 1 }
	/^!\$omp barrier/ { print f, FNR, "parallelBarrier" }
	/^[!cC*]/ { next }
	!/^     [^ 0]/ { first = FNR }          # a statement begins; else its continuation
	/^ *(subroutine|program) / { print f, FNR, $1; next }
	/^ *do( |$)/ { if (!own) print f, FNR, "loop"; own = 0; next }
	match($0, /call +[a-z0-9_]+/) {
		c = substr($0, RSTART, RLENGTH); sub(/call +/, "", c)
		if (c in known) print f, first, "call", c
	}
	/= *sched_yield\(/ { print f, FNR, "call sched_yield" }' "$f"
done | sort >source
# What the tool says.
awk '
/<unit |<codeRegion / {
	kind = $0; sub(/.* type="/, "", kind); sub(/".*/, "", kind)
	name = $0; sub(/.* name="/, "", name); sub(/".*/, "", name)
}
/<position / { line = $0; sub(/.*startLine="/, "", line); sub(/".*/, "", line) }
/<file / && kind != "" {
	f = $0; sub(/.*name="/, "", f); sub(/".*/, "", f); sub(/.*\//, "", f)
	print f, line, kind (kind == "call" ? " " name : ""); kind = ""
}' lu.sir | sort >tool
grep -c . source >count
check "LU has its regions ($(cat count) in the source)" test "$(cat count)" -gt 80
check "every region's type and line are the source's" diff source tool

# Objects in every shape.
cat >part.c <<'EOF'
double sum(const double *p, int n) { double s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
EOF
cat >other.c <<'EOF'
double sum(const double *p, int n);
double twice(const double *p, int n) { double s = 0; for (int k = 0; k < 2; k++) s += sum(p, n); return s; }
EOF
cat >main.c <<'EOF'
double twice(const double *p, int n);
static double d[50];
int main(void) { double s = 0; for (int i = 0; i < 3; i++) s += twice(d, 50); return s != 0; }
EOF
table() { psc_sir --regions "$1" | sed 's/  */ /g' | sort; }
compiled() { for f in main other part; do psc_instrument gcc -g "$@" -c $f.c -o $f.o || return 1; done; }
compiled -O2 -fPIC -ffunction-sections -fdata-sections
psc_instrument gcc main.o other.o part.o -o plain.x
table plain.x >want
same() { table "$1" >got && diff want got && "./$1"; }
check "three units are there" test "$(grep -c function want)" = 3

ar rc libpart.a part.o other.o
psc_instrument gcc main.o -L. -lpart -o archive.x
check "from an archive" same archive.x
psc_instrument gcc -shared part.o other.o -o libpart.so
psc_instrument gcc main.o -L. -Wl,-rpath,"$PWD" libpart.so -o shared.x
check "with a shared library" same shared.x
psc_instrument gcc -Wl,--gc-sections main.o other.o part.o -o gc.x && strip gc.x
check "after --gc-sections and strip" same gc.x
ld -r part.o other.o -o both.o && psc_instrument gcc main.o both.o -o relinked.x
check "after ld -r" same relinked.x
compiled -O2 -flto -fno-fat-lto-objects
psc_instrument gcc -O2 -flto main.o other.o part.o -o lto.x
check "after slim LTO" same lto.x
compiled -O2 -g0
psc_instrument gcc main.o other.o part.o -o g0.x
check "with -g0" same g0.x

# What the table shows of a long path can be given to --phase.
mkdir -p a_project_of_mine/sources build/objects
cat >a_project_of_mine/sources/relaxation.c <<'EOF'
static double a[4096];
__attribute__((noinline)) static void sweep(void) { for (int i = 1; i < 4095; i++) a[i] = a[i - 1] + a[i + 1]; }
int main(void)
{
	for (int k = 0; k < 2000; k++)
		sweep();
	return a[5] != 0;
}
EOF
(cd build/objects && psc_instrument gcc -O2 -g ../../a_project_of_mine/sources/relaxation.c -o ../../far.x)
phase=$(psc_sir --regions far.x | awk '$1 == "loop" && $NF == "phase" { sub(/-.*/, "", $2); print $2; exit }')
check "a place in the table is one for --phase (${phase:-none})" run 0 --no-psc --app ./far.x --phase "$phase"
