#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that a second version of their functions, a hook or a name of ours could break: the same
# output and exit code idle, recorded, and switched at every boundary.
. "$srcdir/tests/instrument/lib.sh"

# runs NAME PLAIN OURS: both programs, the second in each way that there is
runs() {
	"$2" > "$tmp/want" 2>&1
	echo "exit $?" >> "$tmp/want"
	for how in A=0 STUB_IDLE=1 STUB_RECORD=1 STUB_TOGGLE=1; do
		env "$how" STUB_OUT="$tmp/told" "$3" > "$tmp/got" 2>&1
		echo "exit $?" >> "$tmp/got"
		diff "$tmp/want" "$tmp/got" > "$tmp/diff" || { echo "$how"; cat "$tmp/diff"; } >> "$tmp/log"
	done
	[ ! -s "$tmp/log" ]
	ok $? "$1"
}

# same FILE FLAGS...
same() {
	file=$1
	shift
	cc=$(compiler_of "$file")
	"$cc" -w "$here/src/$file" -o "$tmp/plain" "$@" > "$tmp/log" 2>&1 &&
		"$psc" "$cc" -w "$here/src/$file" -o "$tmp/x" "$@" > "$tmp/log" 2>&1 || {
		ok 1 "$file $*: compiles"
		return
	}
	runs "$file $*: same output" "$tmp/plain" "$tmp/x"
}

# has_clone FUNCTION: in the program compiled last
has_clone() {
	nm "$tmp/x" | grep -q " $1\.psc_inst"
}

for flags in -O0 -O1 -O2 -O3 "-O2 -flto"; do
	same landings.c -fopenmp $flags
	same empty_landings.cc $flags
done
for flags in -O0 -O2 "-O3 -fPIC"; do
	same unclonable.c -rdynamic $flags -ldl
done
! has_clone leaf && ! has_clone caller_one && ! has_clone with_label && ! has_clone with_entry &&
	has_clone kernel && has_clone with_local_label
ok $? "only what defines a symbol or tells its caller has no second version"

# in_ways COMMAND...: idle, recorded and switched, in a directory each
in_ways() {
	for how in plain idle RECORD TOGGLE; do
		rm -rf "$tmp/$how"
		mkdir "$tmp/$how"
		(cd "$tmp/$how" && case $how in
		plain) "$@" ;;
		idle) wrapped=$psc "$@" ;;
		*) export "STUB_$how=1" && wrapped=$psc "$@" ;;
		esac) >> "$tmp/log" 2>&1 || return
	done
	for how in idle RECORD TOGGLE; do
		diff "$tmp/plain/counts" "$tmp/$how/counts" >> "$tmp/log" || return
	done
	[ -s "$tmp/plain/counts" ]
}

psc=$(cd "$builddir" && pwd)/psc_instrument
case $here in
/*) ;;
*) here=$PWD/$here ;;
esac
builddir=$(cd "$builddir" && pwd)
gcov=$(echo "$gcc" | sed 's/gcc/gcov/')

# A file's lines, each with its count
lines() {
	source=$here/src/$1
	cc=$2
	shift 2
	$wrapped "$cc" -w --coverage "$@" "$source" -o x && ./x 3 > out 2>&1
	"$gcov" -o x-"$(basename "${source%.*}")" "$source" &&
		sed '/^ *-: *0:/d' "$(basename "$source").gcov" > counts
}

calls() {
	$wrapped "$gcc" -w -pg "$here/src/counted.c" -o x && ./x > out && gprof -b -q ./x gmon.out > graph &&
		awk '/^\[/ { print $(NF - 1), $(NF - 2) }' graph | sort > counts && grep -q "kernel 10" counts
}

if command -v "$gcov" > /dev/null 2>&1; then
	for one in "counted.c $gcc" "loops.c $gcc -fopenmp" "phases.c $gcc -fopenmp" "nest.f $gfortran" \
		"constructs.f90 $gfortran -fopenmp" "classes.cc $gxx"; do
		in_ways lines $one -O0
		ok $? "gcov counts the lines of ${one%% *} as without us"
	done
else
	skip "gcov" "$gcov is not installed"
fi
in_ways calls
ok $? "gprof counts calls as without us"

# Names that XML cannot hold: bytes that are no UTF-8, control characters.
latin=$(printf 'gr\374n.c')
cat > "$tmp/$latin" <<'END'
double a[100];
void kernel(int n)
{
	for (int i = 0; i < n; i++)
		a[i] += i;
}
#line 7 "\033..\377\1.c"
int main(void)
{
	for (int t = 0; t < 3; t++)
		kernel(100);
	return 0;
}
END
(cd "$tmp" && "$psc" "$gcc" -O1 "$latin" -o x && ./x && "$builddir/psc_sir" x) > "$tmp/log" 2>&1 &&
	grep -q 'gr\\xfcn\.c' "$tmp/log" && grep -q '\\x1b\.\.\\xff\\x01\.c' "$tmp/log" && grep -q '"kernel"' "$tmp/log"
ok $? "a source name that is no UTF-8 is in the structure, escaped"
finish
