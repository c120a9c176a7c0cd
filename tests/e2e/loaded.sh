#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Instrumented objects in programs that are not: a shared object that is loaded and unloaded, with
# little static thread-local storage left, and a Python extension module.
. "${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}/tests/e2e/lib.sh"
gcc=${PSC_GCC:-gcc}
gcc=${gcc%% *}
from=$srcdir/tests/e2e/loaded
{ "$gcc" -O2 -fPIC -shared "$from/work.c" -o plain.so &&
	psc_instrument "$gcc" -O2 -g -fPIC -shared "$from/work.c" -o work.so &&
	"$gcc" -O1 "$from/main.c" -o main -ldl; } > build.log 2>&1 || {
	sed 's/^/# /' build.log
	echo "Bail out! the objects do not build"
	exit 1
}

./main ./plain.so now 3 > want
for way in now lazy; do
	./main ./work.so $way 3 > got 2>&1
	check "loaded and unloaded thrice, RTLD_$way: the same output" cmp want got
done

# fits BYTES OBJECT: is there room for the object beside so much of static TLS?
fits() {
	"$gcc" -O1 -fPIC -shared -DSIZE="$1" "$from/tls.c" -o tls.so 2> build.log && LD_PRELOAD= ./main ./tls.so then "$2" > got 2>&1
}
low=64 high=65536
while [ $((high - low)) -gt 8 ]; do
	middle=$(((low + high) / 16 * 8))
	if fits $middle ./plain.so; then low=$middle; else high=$middle; fi
done
fits $((low - 64)) ./work.so
check "64 bytes of static thread-local storage are enough" test $? = 0

check "a shared object is analysed in a program that is not instrumented" \
	run 0 --app ./main --exe ./work.so --no-psc -- ./work.so now 3
check "its loop is the phase" grep -q 'Phase *Application Phase( LOOP_REGION, work.c' out
check "its arrays are named" grep -q 'named data structures .* 100%' out
grep -v '^Periscope' out | head -3 > got
check "the program's output is there" cmp want got
psc_frontend --app ./main --no-psc --phase work.c:3 -- ./plain.so now 3 > out 2> err
check "where nothing of it is instrumented, it is told" grep -q 'only for programs\|not instrumented\|not been compiled' err

python=python3
for p in /usr/bin/python3 python3; do
	if command -v $p > /dev/null && $p -c 'import sysconfig, os; os.stat(sysconfig.get_paths()["include"] + "/Python.h")' 2> /dev/null; then
		python=$p
		break
	fi
	python=
done
if [ -n "$python" ]; then
	include=$($python -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
	mkdir with without
	printf 'import sys\nsys.path.insert(0, sys.argv[1])\nimport sweep\nprint("%%.6g" %% sweep.solve(60))\n' > script.py
	"$gcc" -O2 -fPIC -shared -I"$include" "$from/sweep.c" -o without/sweep.so > build.log 2>&1 &&
		psc_instrument "$gcc" -O2 -g -fPIC -shared -I"$include" "$from/sweep.c" -o with/sweep.so >> build.log 2>&1
	$python script.py without > want 2>> build.log
	$python script.py with > got 2>> build.log
	check "a Python module computes the same" cmp want got
	check "and is analysed" run 0 --app $python --exe with/sweep.so --no-psc -- script.py with
	check "its loop is the phase of the interpreter" grep -q 'Phase *Application Phase( LOOP_REGION, sweep.c' out
else
	for name in "a Python module computes the same" "and is analysed" "its loop is the phase of the interpreter"; do
		ok "$name # SKIP no Python 3 with its headers (python3-dev)"
	done
fi
plan $n
