#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# psc_instrument: what it adds to which command, and what it refuses.
. "$srcdir/tests/instrument/lib.sh"
stub=$PSC_LIBDIR/libpscmon.so
cd "$tmp" || exit 99
echo 'int main(void) { return 3; }' > a.c
echo 'int f(void) { return 0; }' > 'b c.c'
printf '\t.text\n' > e.s

# shows NAME PATTERN ARGS: the command printed matches; with "!", it does not
shows() {
	name=$1 pattern=$2 want=0
	shift 2
	case $pattern in
	!*) want=1 pattern=${pattern#!} ;;
	esac
	"$psc" --show "$@" > log 2>&1
	head -1 log | grep -q -e "$pattern"
	[ $? -eq $want ]
	ok $? "$name"
}

# refuses NAME PATTERN ARGS: exit 2 and a message
refuses() {
	name=$1 pattern=$2
	shift 2
	"$psc" "$@" > log 2>&1
	[ $? -eq 2 ] && grep -q -e "$pattern" log
	ok $? "$name"
}

shows "a compile step gets the plugin" '-fplugin=[^ ]*pscplugin.so' "$gcc" -c a.c
shows "a compile step gets no library" '!-lpscmon' "$gcc" -c a.c
shows "a link gets the library and where it is" '-Wl,-rpath,[^ ]*/stub[^ ]* .*-lpscmon' "$gcc" a.c -o x
./x
[ $? -eq 3 ]
ok $? "the program runs"
shows "a static link gets no run path" '!rpath' "$gcc" -static a.c -o x
shows "a static position-independent link gets no run path" '!rpath' "$gcc" -static-pie a.c -o x
shows "a static link gets the threads' library" '-lpscmon .*-lpthread' "$gcc" -static a.c -o x
shows "-S does not link" '!-lpscmon' "$gcc" -S a.c -o a.s
shows "-fsyntax-only does not link" '!-lpscmon' "$gcc" -fsyntax-only a.c
shows "-MM does not link" '!-lpscmon' "$gcc" -MM a.c
shows "assembler alone does not link" '!-lpscmon' "$gcc" -c e.s
shows "assembler alone needs no plugin" '!-fplugin' "$gcc" -c e.s
shows "the value of an option is no input" '!-fplugin' "$gcc" -x c -I a.c -v
for question in -dumpfullversion -dumpmachine -print-search-dirs -print-file-name=libc.so -print-libgcc-file-name \
	--help --help=common --version -dumpspecs; do
	"$gcc" $question > want 2>&1
	"$psc" "$gcc" $question > log 2>&1
	cmp want log || break
done
ok $? "questions to the compiler pass unchanged"
"$psc" "$gcc" -O2 -fdump-passes -c a.c > log 2>&1 && grep -q psc_access log
ok $? "-fdump-passes lists the plugin's passes"

# A header becomes a precompiled one: there is nothing to link.
echo 'static inline int twice(int x) { return x + x; }' > pre.h
cp pre.h pre.def
printf '#include "pre.h"\nint main(void) { return twice(4); }\n' > uses.c
cp uses.c uses.cc
for command in "$gcc pre.h" "$gcc -x c-header pre.def -o pre.h.gch" "$gcc -xc-header pre.def -o pre.h.gch" \
	"$gxx pre.h" "$gxx -x c++-header pre.def -o pre.h.gch"; do
	rm -f pre.h.gch
	case $command in
	"$gcc "*) use="$gcc uses.c" ;;
	*) use="$gxx uses.cc" ;;
	esac
	"$psc" $command > log 2>&1 && [ -f pre.h.gch ] && "$psc" $use -Winvalid-pch -Werror -o x >> log 2>&1 && { ./x; [ $? -eq 8 ]; }
	ok $? "a precompiled header: ${command#* }"
done
rm -f pre.h.gch
shows "a source behind -x c-header and -x c links" '-lpscmon' "$gcc" -x c-header pre.def -x c a.c -o y

# Without the C library there is no monitor; the program runs all the same.
cat > bare.c <<'END'
static int a[100];
static void end(long code)
{
	__asm__ volatile ("syscall" : : "a"(60), "D"(code));
	__builtin_unreachable();
}
__attribute__((noinline)) int sum(int n)
{
	int s = 0;

	for (int k = 0; k < 3; k++)
		for (int i = 0; i < n; i++)
			s += a[i] += i;
	return s;
}
void _start(void)
{
	int s = 0;

	for (int i = 0; i < 3; i++)
		s += sum(100);
	end(s % 100);
}
END
shows "a static link without the C library gets the idle library" '-lpscidle' "$gcc" -nostdlib -static bare.c -o x
if [ "$(uname -m)" = x86_64 ]; then
	bare=$(cd "$builddir" && pwd)/monitor
	PSC_LIBDIR=$bare "$psc" "$gcc" -O2 -nostdlib -ffreestanding -static bare.c -o x > log 2>&1 && { ./x; [ $? -eq 50 ]; }
	ok $? "and runs"
else
	skip "and runs" "the program is for x86-64"
fi
nm -g --defined-only "$builddir/monitor/libpscidle.a" | awk 'NF == 3 { print $3 }' | sort > have
sort "$srcdir/monitor/pscmon.sym" | diff - have > log
ok $? "the idle library has all names of the monitor's"

# Arguments in files count as others do.
printf '%s\n' "-c 'b c.c' -o \"b c.o\"" > args
shows "a file of arguments says -c" '!-lpscmon' "$gcc" @args
printf 'a.c -o x\n@more' > args
echo '-static' > more
shows "a file of arguments, named in one, says -static" '!rpath' "$gcc" @args
shows "a file of arguments that is not there is an input" '-lpscmon' "$gcc" a.c @nothere
shows "arguments are quoted" "'b c.c'" "$gcc" -c 'b c.c' -o 'b c.o'
shows "patterns of what to exclude go to the plugin" '-fplugin-arg-pscplugin-exclude=\*/a.h.*-exclude=f' --exclude='*/a.h' --exclude=f "$gcc" -c a.c
shows "phases go to the plugin" '-fplugin-arg-pscplugin-phase=a.c:7' --phase=a.c:7 "$gcc" -c a.c
# The system's compiler may be of a version that this build has no plugin for.
supported=" $("$psc" --version | sed 's/.* GCC //; s/\.[0-9.]*//; q') "
for cc in gcc-12 gcc-13 gcc-14 /usr/bin/gcc x86_64-linux-gnu-gcc mpicc mpifort; do
	if ! command -v $cc > /dev/null 2>&1; then
		skip "$cc is known" "not installed"
		continue
	fi
	version=$($cc -dumpversion)
	case $supported in
	*" ${version%%.*} "*) shows "$cc is known" '-fplugin=' $cc -c a.c ;;
	*) skip "$cc is known" "no plugin was built for GCC $version" ;;
	esac
done
cat > CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.10)
project(one C)
add_executable(one a.c)
END
if command -v cmake > /dev/null 2>&1; then
	cmake -S . -B cm -DCMAKE_C_COMPILER="$builddir/psc_gcc" > log 2>&1 && cmake --build cm >> log 2>&1 &&
		objdump -h cm/one | grep psc_sir >> log
	ok $? "CMake takes psc_gcc for the compiler"
else
	skip "CMake takes psc_gcc for the compiler" "cmake is not installed"
fi
"$builddir/psc_gcc" -c a.c -o one.o > log 2>&1 && objdump -h one.o | grep psc_sir >> log
ok $? "psc_gcc compiles as psc_instrument gcc does"
ln -s "$psc" psc_gcc-1 && PATH=$PWD:$PATH psc_gcc-1 -c a.c > log 2>&1
[ $? = 2 ] && grep -q "cannot run gcc-1" log
ok $? "a link for a compiler that is not there says so"
for v in $PSC_OTHER_GCCS; do
	shows "GCC $v has a plugin of its own" "-fplugin=[^ ]*/gcc-$v/pscplugin.so" "gcc-$v" -c a.c
done

mkdir fake
for name in clang ifort icx gcc g++; do
	cat > fake/$name <<END
#!/bin/sh
case \$1 in
-dumpfullversion) [ $name = g++ ] || echo 4.9.3 ;;
--version) [ $name = g++ ] && echo "clang version 14" || echo "gcc 4.9.3" ;;
esac
END
	chmod +x fake/$name
done
for name in clang ifort icx; do
	refuses "$name is refused" "works with" fake/$name -c a.c
done
refuses "another GCC is refused by version" "is GCC 4.9.3, but the plugin is for GCC 11 to 14" fake/gcc -c a.c
refuses "clang under GCC's name is refused" "not GCC" fake/g++ -c a.c
refuses "a compiler that is not there" "cannot run" ./nothere/gcc -c a.c
refuses "no compiler" "no compiler given"
refuses "an unknown option" "unknown option '--frobnicate'" --frobnicate gcc
PSC_LIBDIR=
export PSC_LIBDIR
mkdir -p alone/bin
cp "$psc" alone/bin/psc_instrument
psc=alone/bin/psc_instrument
refuses "a missing plugin is named" "pscplugin.so not found" "$gcc" -c a.c
PSC_PLUGIN=$builddir/instrument/.libs/pscplugin.so
export PSC_PLUGIN
refuses "a missing library is named" "libpscmon.so not found" "$gcc" a.c
mkdir -p root/bin root/lib/periscope-c
cp alone/bin/psc_instrument root/bin/
cp "$PSC_PLUGIN" root/lib/periscope-c/
cp "$stub" root/lib/
PSC_PLUGIN=
psc=root/bin/psc_instrument
shows "installed: files are found beside it" 'root/bin/../lib/periscope-c/pscplugin.so.*root/bin/../lib' \
	"$gcc" a.c -o x
finish
