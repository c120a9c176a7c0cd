#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Three hosts, emulated (tests/mpi/hosts_lib.sh), as root only: one report; one phase; what becomes of a lost agent.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
builddir=$(cd "${builddir:-.}" && pwd)
agents=auto
PSC_AGENTS=auto
. "$srcdir/tests/mpi/lib.sh"
. "$srcdir/tests/e2e/lib.sh"
. "$srcdir/tests/mpi/hosts_lib.sh"
have_mpi openmpi || skip_all "$why"
[ -x "$builddir/psc_agent" ] || skip_all "configured without MPI"
trap 'cd "$work"; end_hosts; cd /; rm -rf "$work"' EXIT
make_hosts "$TMPDIR" || skip_all "$why"

# --- the program -------------------------------------------------------------------------------
make -s -f "$srcdir/examples/lu-mpi/Makefile" FC="psc_instrument mpifort.openmpi" >build.log 2>&1 || skip_all "lu-mpi does not build"
loop=ssor.f90:$(grep -n 'do step = 1' "$srcdir/examples/lu-mpi/ssor.f90" | cut -d: -f1)
plan 24

flat() { tr -s ' \n' ' ' <"$1"; }
# analyse CODE OPTIONS...: not in lockstep: processes wait for each other
analyse() {
	want=$1
	shift
	psc_frontend -v --no-psc "$@" >out 2>err
	code=$?
	[ $code = "$want" ] || { echo "exit code $code, not $want"; return 1; }
}
# All of an execution is counted: in slices, a process may lack a finding.
counts() { analyse 0 --machine itanium2 --properties levels --max-slowdown none --phase "$loop" --json f.json "$@"; }
check "three hosts are analysed" counts --hosts n1:2,n2:1,n3 --mpinumprocs 4 --app ./lu-mpi -- 80 20
check "the report says how many" eval 'flat out | grep -q "4 processes on 3 hosts"'
check "and so does JSON" grep -q '"hosts": 3,' f.json
merged() { flat out | grep -Eq 'in 4 of 4 processes \(0-3\)' && grep -q '"partial": null' f.json; }
check "processes of all hosts are one finding" merged
result() { grep -h "residual" out err; }
result >first
check "the program's result is there" test -s first

printf 'n1 slots=1\n# comment\nn2 slots=1\nn3 slots=1\n' >hostfile
check "a hostfile, and a launcher of one's own" counts -vv --hostfile hostfile --exe ./lu-mpi \
	--app mpirun.openmpi -- --host n1:1,n2:1,n3:1 -np 3 ./lu-mpi 48 40
check "whose processes are found, too" eval 'flat out | grep -q "3 processes on 3 hosts"'
# Two or more executions are timed, and those that are recorded come behind them, on all hosts.
published() { sed -n 's/.*phase executions \([0-9]*\)-\([0-9]*\) are \([a-z]*\).*/\1 \2 \3/p' err | awk '
	{ print; first[$3] = !n[$3]++ || $1 < first[$3] ? $1 : first[$3]; last[$3] = $2 > last[$3] ? $2 : last[$3] }
	END { exit !(n["clean"] && n["recorded"] && last["clean"] < first["recorded"]) }'; }
check "the master publishes which executions are clean and which are recorded" published
check "also if it passes variables itself" eval 'counts --hosts n1,n2 --exe ./lu-mpi --app mpirun.openmpi -- -x HOME --host n1:1,n2:1 -np 2 ./lu-mpi 48 40 &&
	flat out | grep -q "2 processes on 2 hosts"'

if have_mpi mpich && command -v mpifort.mpich >/dev/null; then
	mkdir mpich
	(cd mpich && make -s -f "$srcdir/examples/lu-mpi/Makefile" FC="psc_instrument mpifort.mpich") >build.log 2>&1
	check "a program of MPICH" eval 'counts --hosts n1,n2 --mpinumprocs 2 --app mpich/lu-mpi -- 48 40 && flat out | grep -q "2 processes on 2 hosts"'
else
	skip "a program of MPICH" "${why:-no mpifort.mpich}"
fi

# One host chooses the phase for all; else the processes of some would have another.
check "without --phase" analyse 0 --json f.json --hosts n1:1,n2:1,n3:1 --mpinumprocs 3 --app ./lu-mpi -- 40 400
chosen() { flat out | grep -q "3 processes on 3 hosts" && flat out | grep -q "LOOP_REGION, ssor.f90, ${loop#*:} " && grep -q '"partial": null' f.json; }
check "all have the phase that one of them chose" chosen
check "also when reports are collected as they come" eval 'analyse 0 --properties memory --json f.json --hosts n1,n2,n3 --mpinumprocs 3 \
	--app ./lu-mpi -- 40 900 && chosen'

# Rank 2 alone is on its host, and has more to do: the others wait for it, by clocks that differ by minutes.
late() {
	LU_SLOW=2 analyse 0 --properties memory,mpi --hosts n1,n2,n3 --exe ./lu-mpi --phase "$loop" --json f.json --app mpirun.openmpi \
		-- -x LU_SLOW -x OMP_NUM_THREADS --host n1:2,n2:1,n3:1 -np 4 ./lu-mpi 48 40 || return 1
	flat out | grep -Eq '(LateSender|LateReceiver|WaitAtCollective) mpi_(sendrecv|allreduce)' &&
		flat out | grep -Eq "rank 2, which computes [0-9.e+]* ms longer than the mean of the others, [0-9.e+]* ms of it in the shared loop ssor.f90:68"
}
check "a late process on another host is named" eval 'late || late || late || late || late'

# A node agent, or Open MPI's daemon that started it, is lost: the others go on.
# sent: the journal has what was found on all hosts
sent() {
	[ -s lost.psc.journal ] &&
		psc_report lost.psc.journal | tr -s ' \n' ' ' | grep -q "3 processes on 3 hosts"
}
# lose SIGNAL agent|daemon CODE
lose() {
	rm -f victim lost.psc lost.psc.journal
	psc_frontend -v --psc lost.psc --hosts n1:1,n2:1,n3:1 --mpinumprocs 3 --app ./lu-mpi \
		--phase "$loop" --count 64 -- 24 90 >out 2>err &
	front=$!
	until sent || ! kill -0 $front; do sleep 0.2; done
	for p in $(ours psc_agent); do
		[ "/proc/$p/ns/uts" -ef "/proc/$(cat pid.n2)/ns/uts" ] || continue
		[ "$2" = agent ] || p=$(ps -o ppid= -p "$p" | tr -d ' ')
		kill "-$1" "$p" && echo "$p $(cat "/proc/$p/comm")" >victim
	done
	cat victim || return 1
	since=$(date +%s)
	until grep -q "node agent of n2\|psc: partial" err || [ $(($(date +%s) - since)) -gt 300 ] || ! kill -0 $front; do sleep 0.2; done
	echo "after $(($(date +%s) - since)) s"
	wait $front
	code=$?
	[ $code = "$3" ] || { echo "exit code $code, not $3"; return 1; }
}
check "a node agent is killed" lose KILL agent 4
check "its host is named" grep -q "node agent of n2 has ended, or does not answer" err
had_found() { flat out | grep -q "3 processes on 3 hosts" && flat out | grep -q "node agents of n2 were lost"; }
check "what it had found is in the report" had_found
check "the program goes on to its result" eval 'result | grep -q residual'
check "the daemon of a node agent is killed, and the agent ends with it" lose KILL daemon 4
check "its host is named, too" grep -q "node agent of n2 has ended, or does not answer" err
check "the daemon of a node agent is stopped: the analysis needs it no more" lose STOP daemon 0
check "a node agent is stopped while it works" lose STOP agent 4

empty() {
	i=0
	while [ $i -lt 600 ]; do
		left=
		for h in 1 3; do left=$left$(on_host $h find "$TMPDIR" -mindepth 1 -name "psc-*"); done
		[ -n "$left" ] || return 0
		sleep 0.1
		i=$((i + 1))
	done
	echo "left: $left"
	return 1
}
check "nothing is left on the hosts" eval 'empty && nothing_left'
check "what the killed one left is removed by the next analysis there" eval 'counts --hosts n2 --mpinumprocs 1 --app ./lu-mpi -- 48 40 &&
	[ -z "$(on_host 2 find "$TMPDIR" -mindepth 1 -name "psc-*")" ]'
