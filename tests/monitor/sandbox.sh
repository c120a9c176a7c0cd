#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs that forbid themselves to open files, map memory, or nearly everything are measured in full;
# where that cannot be, the report leads with it and judges nothing.
: "${builddir:=.}" "${srcdir:=.}" "${PSC_GCC:=gcc}"
if [ ! -f "$builddir/instrument/.libs/pscplugin.so" ]; then
	echo "1..0 # SKIP the plugin is not built"
	exit 0
fi
srcdir=$(cd "$srcdir" && pwd) builddir=$(cd "$builddir" && pwd)
PSC_MACHINE_PATH=$srcdir/machine
PSC_PROPERTIES_PATH=$srcdir/properties
export PSC_MACHINE_PATH PSC_PROPERTIES_PATH
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 99
n=0
src=$srcdir/tests/monitor/sandbox.c
psc="$builddir/psc_instrument ${PSC_GCC%% *}"
$psc -O2 -g -w -o program "$src" -pthread -ldl > out 2>&1 &&
	$psc -O2 -g -w -fPIC -shared -o part.so "$srcdir/tests/monitor/sandbox_part.c" >> out 2>&1 || {
	sed 's/^/# /' out
	echo "Bail out! sandbox.c does not build"
	exit 1
}
line=$(awk '/PHASE/ { print NR }' "$src")

# result STATUS TEXT
result() {
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		cat said out 2> /dev/null | sed 's/^/# /' | head -n 30
	fi
}

# sandboxed MODE TEXT: as much is counted as without a sandbox, and the program says the same
sandboxed() {
	timeout 600 "$builddir/tests/monitor/simrun" --phase "line:$line" --count 3 --output out -- \
		./program "$1" > said 2>&1
	code=$?
	if [ $code = 77 ]; then
		n=$((n + 1))
		echo "ok $n - $2 # SKIP $(cat said)"
		return
	fi
	[ $code = 0 ] && grep -q '^request state=done .*executions=3 .*lost=0 ' out &&
		grep '^total' out | cmp -s - total && cmp -s said native
	result $? "$2"
}

./program none > native
"$builddir/tests/monitor/simrun" --phase "line:$line" --count 3 --output out -- ./program none > said 2>&1
grep '^total' out > total
sandboxed landlock "a program that may open no file any more is measured in full"
sandboxed filter "and one whose filter lets nothing through but writing"
sandboxed jail "and one in another root, of another user"
sandboxed closed "and one that closes files which are not its own"
sandboxed space "and one that may have no more address space"

if [ ! -x "$builddir/psc_agent" ]; then
	n=$((n + 1))
	echo "ok $n - lost accesses # SKIP configured without MPI"
	echo "1..$n"
	exit 0
fi
PATH=$builddir:$PATH
code=0
timeout 600 psc_frontend --app ./program --phase "sandbox.c:$line" --lockstep --no-psc --why-not -o out -- part \
	> said 2>&1 || code=$?
[ $code = 4 ]
result $? "where the accesses are lost the exit code is 4"
sed -n 2,5p out | tr '\n' ' ' | grep -q 'partial analysis: 100 % of the accesses were lost'
result $? "the report begins with that"
grep -q '^Undecided' out && ! grep -q '^No bottleneck' out
result $? "nothing is said not to be there"
! grep -q '^Memory  ' out
result $? "nothing is said of what memory costs"
tr -s ' \n' ' ' < out | grep -q 'undecided [^%]* 100 % of the accesses were lost'
result $? "--why-not says why"
echo "1..$n"
