#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A process that is late by construction is named where the other waits, with the loop in which it computes longer.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
builddir=$(cd "${builddir:-.}" && pwd)
. "$srcdir/tests/mpi/lib.sh"
. "$srcdir/tests/e2e/lib.sh"
plan 13
line=$(grep -n 'k < 1000' "$srcdir/tests/mpi/late.c" | cut -d: -f1)

# waits MPI KIND PROPERTY CALL: the property holds at the call, and its advice names rank 1 and the loop
waits() {
	run 0 --properties mpi --phase step --no-psc -- $(launcher "$1" 2) "./late.$1" "$2" 40 || return 1
	tr -s ' \n' ' ' <out >flat
	grep -Eq "$3 $4(\( CALL_REGION,)? late.c" flat || { echo "no $3 at $4"; return 1; }
	grep -q "rank 1, which computes [0-9.e+]* ms longer than the mean of the others, [0-9.e+]* ms of it in the loop late.c:\($line\|$((line + 1))\)" flat
}
# Other programs may have kept the one that waits from coming first: a second try.
waits_or_again() {
	waits "$@" || waits "$@"
}
# A program linked without the pass-throughs: times are known, messages are not, and nothing is 0.
without() {
	psc_instrument "$(command -v gcc)" -w -g -O1 $(mpicc.openmpi --showme:compile) "$srcdir/tests/mpi/late.c" \
		$(mpicc.openmpi --showme:link) -o plain || return 1
	nm plain | grep -q ' T MPI_Barrier' && { echo "it has pass-throughs"; return 1; }
	run 0 --properties mpi --phase step --no-psc --why-not -- $(launcher openmpi 2) ./plain barrier 40 || return 1
	tr -s ' \n' ' ' <out >flat
	grep -q 'mpi_time was not measured' flat && ! grep -q 'ExcessiveMpiTime.*MPI_Barrier' out
}
# What memory costs at the place is no figure of a wait.
no_memory() {
	run 0 --properties mpi --phase step --psc wait.psc -- $(launcher openmpi 2) ./late.openmpi barrier 40 || return 1
	grep -q 'property="WaitAtMpiBarrier"[^>]* about="threads"' wait.psc && ! grep -q 'about="memory"' wait.psc
}
for mpi in openmpi mpich; do
	if have_mpi $mpi; then
		psc_instrument mpicc.$mpi -w -g -O1 "$srcdir/tests/mpi/late.c" -o late.$mpi >build.log 2>&1 || why="it does not build"
	fi
	for case in sender:LateSender:MPI_Recv request:LateSender:MPI_Wait receiver:LateReceiver:MPI_Ssend \
		collective:WaitAtCollective:MPI_Allreduce barrier:WaitAtMpiBarrier:MPI_Barrier; do
		kind=${case%%:*} call=${case##*:} property=${case#*:}
		property=${property%:*}
		name="$mpi: $kind: $property at $call"
		if [ -n "$why" ]; then skip "$name" "$why"; else check "$name" waits_or_again $mpi "$kind" "$property" "$call"; fi
	done
done
if have_mpi openmpi; then
	check "without pass-throughs nothing is made up" without
	check "waits are not about memory" no_memory
	check "nothing is left" nothing_left
else
	skip "without pass-throughs nothing is made up" "$why"
	skip "waits are not about memory" "$why"
	skip "nothing is left" "$why"
fi
