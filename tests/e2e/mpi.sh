#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# examples/lu-mpi under Open MPI and MPICH: processes are one finding, that of one process; figures agree; a process that has more to
# do is named where the others wait.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
builddir=$(cd "${builddir:-.}" && pwd)
. "$srcdir/tests/mpi/lib.sh"
. "$srcdir/tests/e2e/lib.sh"
plan 9
phase=ssor.f90:$(grep -n 'do step = 1' "$srcdir/examples/lu-mpi/ssor.f90" | cut -d: -f1)

# MPICH spins without yielding: processes without a processor of their own would do nothing but wait.
processes() {
	if [ "$1" = mpich ] && [ "$(cpus)" -lt 4 ]; then echo 2; else echo 4; fi
}
# analyse DIR PROCESSES
analyse() {
	rm -f counts* f.json
	(cd "$1" && run 0 --machine itanium2 --properties levels --phase "$phase" --no-psc --export-counts ../counts --json ../f.json \
		--mpinumprocs "$2" --app ./lu-mpi -- 80 20; code=$?; mv out err ..; exit $code)
}
# The bottleneck: most of what the structure r loses, in `largest`.
bottleneck() {
	analyse "$1" "$2" || return 1
	tr -s ' \n' ' ' <out >flat
	grep -Eq 'L2MissRate r ?(\( DATA_STRUCTURE,)? ssor.f90' flat || { echo "no L2MissRate of r"; return 1; }
	[ "$2" = 1 ] || grep -q "in $2 of $2 processes (0-$(($2 - 1)))" flat
}
# The rate of a finding is that of the counts of one of its processes, the worst.
agrees() {
	python3 - <<-'SCRIPT'
	import csv, glob, json, sys
	found = [f for f in json.load(open('f.json'))['findings'] if f['property'] == 'L2MissRate' and f['path'][-1]['name'] == 'r']
	for f in found:
	    rows = [r for p in glob.glob('counts*') for r in csv.DictReader(open(p))]
	    rates = []
	    for r in rows:
	        n = float(r['loads']) + float(r['stores'])
	        if r['object'] == 'r' and n:
	            rates.append((float(r['l2_load_miss']) + float(r['l2_store_miss'])) / n)
	    print(f['measure'], rates)
	    if not any(abs(x - f['measure']) < 1e-6 * x for x in rates if x):
	        sys.exit('no context has the rate of the finding')
	sys.exit(not found)
	SCRIPT
}
# late DIR PROCESSES: the last but one has more to do.  Where other programs keep another one waiting longer, it is tried again.
late() {
	late_once "$@" || late_once "$@" || late_once "$@"
}
late_once() {
	slow=$(($2 - 2))
	(cd "$1" && LU_SLOW=$slow run 0 --phase "$phase" --no-psc --mpinumprocs "$2" --app ./lu-mpi -- 48 40; code=$?; mv out err ..; exit $code) ||
		return 1
	tr -s ' \n' ' ' <out >flat
	grep -Eq '(LateSender|LateReceiver|WaitAtCollective) mpi_(sendrecv|allreduce)' flat &&
		grep -Eq "rank $slow, which computes [0-9.e+]* ms longer than the mean of the others, [0-9.e+]* ms of it in the shared loop ssor.f90:68" flat &&
		! grep -q 'give it less' flat
}

for mpi in openmpi mpich; do
	if have_mpi $mpi && { command -v mpifort.$mpi >/dev/null || { why="no mpifort.$mpi"; false; }; }; then
		mkdir $mpi
		(cd $mpi && make -s -f "$srcdir/examples/lu-mpi/Makefile" FC="psc_instrument mpifort.$mpi") >build.log 2>&1 || {
			sed 's/^/# /' build.log
			why="it does not build"
		}
	fi
	if [ -n "$why" ]; then
		for what in "one process" "all processes are one finding" "figures agree with the counts" "a late process is named"; do
			skip "$mpi: $what" "$why"
		done
		continue
	fi
	check "$mpi: one process" bottleneck $mpi 1
	check "$mpi: all processes are one finding" bottleneck $mpi "$(processes $mpi)"
	if command -v python3 >/dev/null; then
		check "$mpi: figures agree with the counts" agrees
	else
		skip "$mpi: figures agree with the counts" "no python3"
	fi
	check "$mpi: a late process is named" late $mpi "$(processes $mpi)"
done
check "nothing is left" nothing_left
