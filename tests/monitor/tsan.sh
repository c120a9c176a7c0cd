#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The monitor built with ThreadSanitizer, inside a program that is: no report has a frame of the monitor's.
# (libgomp is not built so: reports of the program's own loops are none.)
: "${builddir:=.}" "${srcdir:=.}" "${PSC_GCC:=gcc}"
PSC_GCC=${PSC_GCC%% *}
srcdir=$(cd "$srcdir" && pwd) builddir=$(cd "$builddir" && pwd)
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 99
echo 'int main(void) { return 0; }' > try.c
if [ ! -f "$builddir/instrument/.libs/pscplugin.so" ] ||
	! { "$PSC_GCC" -fsanitize=thread -o try try.c && ./try; } > /dev/null 2>&1; then
	echo "1..0 # SKIP no plugin here, or no ThreadSanitizer"
	exit 0
fi
if [ -z "${PSC_LONG:-}" ]; then
	echo "1..0 # SKIP make check-long runs it"
	exit 0
fi
n=0
flags="-O1 -g -w -fPIC -std=gnu11 -fsanitize=thread -fvisibility=hidden -ftls-model=initial-exec -I$srcdir -I$builddir"
# The library's sources, as make has them.
(cd "$srcdir" && ls monitor/*.c monitor/*/*.c simulate/*.c simulate/*/*.c) | grep -v '/idle.c\|monitor/client\|monitor/mpi' |
	xargs -P 2 -I{} sh -c "$PSC_GCC $flags -c $srcdir/{} -o \$(echo {} | tr / _).o" > out 2>&1 &&
	"$PSC_GCC" -fsanitize=thread -shared -Wl,-soname,libpscmon.so.1 -o libpscmon.so.1 ./*.c.o -lpthread >> out 2>&1 &&
	for omp in "" -fopenmp; do
		"$builddir/psc_instrument" "$PSC_GCC" -O1 -g -w -fsanitize=thread $omp "$srcdir/tests/monitor/races.c" \
			-o "program$omp" -pthread >> out 2>&1 || exit 1
	done || {
	sed 's/^/# /' out | head -n 30
	echo "Bail out! it does not build"
	exit 1
}
line=$(awk '/PHASE/ { print NR }' "$srcdir/tests/monitor/races.c")
cat > rich.xml << 'XML'
<machine name="rich" clock="1GHz" write="back">
  <cpus count="4"/>
  <cache level="1" size="32KiB" ways="8" line="64" latency="4"/>
  <cache level="2" size="256KiB" ways="8" line="64" latency="14" inclusion="inclusive" prefetch="next-line"/>
  <tlb level="1" entries="64" miss="20"/>
  <memory latency="200"/>
</machine>
XML

# Frames of the monitor's in the stacks of an access, not where a lock or a thread was made
ours() {
	awk '/^  [A-Z][a-z]+( [a-z]+)* of size/ { access = 1; next }
		/^ *#[0-9]/ { if (access && /\(libpscmon/) { print; found = 1 } next }
		{ access = 0 }
		END { exit !found }' out
}

# check PROGRAM OPTIONS...: under simrun
check() {
	program=$1
	shift
	LD_LIBRARY_PATH=$tmp TSAN_OPTIONS="halt_on_error=0 history_size=4 exitcode=0" \
		timeout 200 "$builddir/tests/monitor/simrun" --seconds 200 --phase "line:$line" --output lines "$@" \
		-- "./$program" > out 2>&1
	code=$?
	n=$((n + 1))
	if [ $code = 0 ] && grep -q '^process' lines && ! ours > found; then
		echo "ok $n - $program $*"
	else
		echo "not ok $n - $program $*"
		{ echo "exit code $code"; cat found; } | head -n 60 | sed 's/^/# /'
	fi
}

check program --kind sim --count 6 --batch 256 --cpus 4
check program --kind time --count 6
check program --no-request
check program-fopenmp --kind sim --count 6 --batch 256 --cpus 2 --nodes 2
check program-fopenmp --kind sim --count 4 --machine rich.xml
check program-fopenmp --kind sim --count 4 --cpus 4 --variant b:shift=64
check program-fopenmp --kind sim --count 4 --cpus 4 --sample 4
check program-fopenmp --kind time --count 6
echo "1..$n"
