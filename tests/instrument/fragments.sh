#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A SIR fragment stays in whatever a linker or archiver makes of its object.
. "$srcdir/tests/instrument/lib.sh"
cd "$tmp" || exit 99

cat > part.c <<'END'
double sum(const double *p, int n) { double s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
END
cat > unused.c <<'END'
double table[100];
void never_called(void) { for (int i = 0; i < 100; i++) table[i] = i; }
END
cat > main.c <<'END'
double sum(const double *p, int n);
static double d[50];
int main(void) { return sum(d, 50) != 0; }
END

# compiled FLAGS: the three objects
compiled() {
	for f in part unused main; do
		"$psc" "$gcc" "$@" -c $f.c -o $f.o >> log 2>&1 || return 1
	done
}

# has FILE N NAME: it holds N well-formed fragments
has() {
	n=$(fragments "$1" | grep -c '<fragment .*>$')
	e=$(fragments "$1" | grep -c '</fragment>$')
	echo "$1 holds $n fragments, $e ends" > log
	[ "$n" -eq "$2" ] && [ "$e" -eq "$2" ]
	ok $? "$3"
}

linked() {
	name=$1
	shift
	rm -f x
	"$psc" "$gcc" "$@" -o x >> log 2>&1 && ./x >> log 2>&1 || { ok 1 "$name: links and runs"; return; }
	has x 3 "$name"
}

compiled -O2 -ffunction-sections -fdata-sections
linked "plain objects" main.o part.o unused.o
linked "--gc-sections" -Wl,--gc-sections main.o part.o unused.o
linked "-s (strip)" -s -Wl,--gc-sections main.o part.o unused.o
rm -f libpart.a
ar rc libpart.a part.o unused.o
linked "an archive, whole" main.o -Wl,--whole-archive libpart.a -Wl,--no-whole-archive
ld -r part.o unused.o -o both.o > log 2>&1
linked "ld -r" main.o both.o
linked "-static" -static main.o part.o unused.o
strip x 2> log
has x 3 "strip of the executable"

compiled -O2 -g0 -fPIC
"$psc" "$gcc" -shared part.o unused.o -o libpart.so > log 2>&1
has libpart.so 2 "a shared library"
strip libpart.so
has libpart.so 2 "a stripped shared library"

compiled -O2 -flto
linked "slim LTO" -O2 -flto main.o part.o unused.o
linked "slim LTO, --gc-sections, stripped" -O2 -flto -s -Wl,--gc-sections main.o part.o unused.o
compiled -O2 -flto -ffat-lto-objects
linked "fat LTO objects" -O2 -flto main.o part.o unused.o
linked "fat objects, linked without LTO" -fno-lto main.o part.o unused.o

for ld in gold lld; do
	if "$gcc" -fuse-ld=$ld -x c /dev/null -shared -o probe.so > /dev/null 2>&1; then
		compiled -O2
		linked "linked by $ld" -fuse-ld=$ld -Wl,--gc-sections main.o part.o unused.o
	else
		skip "linked by $ld" "no $ld here"
	fi
done

# The hash names the source and its structure: equal from run to run.
"$psc" "$gcc" -O2 -c part.c -o one.o > log 2>&1
"$psc" "$gcc" -O0 -c part.c -o two.o >> log 2>&1
fragments one.o > one
fragments two.o > two
sed 's/^\(<fragment .*\) optimize="none">/\1>/' two | diff one - > log
ok $? "the fragment does not depend on optimisation"
grep -q '^<fragment .* optimize="none">' two && ! grep -q 'optimize=' one
ok $? "but says that there was none"
"$psc" "$gcc" -O3 -c part.c -o four.o > log 2>&1
fragments four.o | grep -q '^<fragment .* optimize="vector">'
ok $? "or that loops get vectors"
cmp one.o one.o && "$psc" "$gcc" -O2 -c part.c -o three.o > log 2>&1 && cmp one.o three.o > log
ok $? "compiling twice gives the same object"
finish
