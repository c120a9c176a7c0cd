#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Analyses as jobs of Slurm, on one node: munged, slurmctld and slurmd run as root in this test's directory, with a configuration,
# a key and ports of their own.  Nothing of the host's Slurm is read or changed.
agents=auto
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
builddir=$(cd "${builddir:-.}" && pwd)
. "$srcdir/tests/mpi/lib.sh"
. "$srcdir/tests/e2e/lib.sh"
[ "$(id -u)" = 0 ] || skip_all "only root can start Slurm's daemons"
for c in munged slurmctld slurmd sbatch srun; do
	command -v $c >/dev/null || skip_all "no $c (apt-get install slurmctld slurmd slurm-client munge)"
done
unset $(env | sed -n 's/^\(SLURM[A-Z_]*\|SBATCH[A-Z_]*\)=.*/\1/p') NO_SLURM

# --- the daemons ---------------------------------------------------------------------------------

node=$(uname -n | cut -d. -f1)
daemons=
end_daemons() {
	for p in $daemons; do kill "$p" 2>/dev/null; done
	for p in $daemons; do
		i=0
		while kill -0 "$p" 2>/dev/null && [ $i -lt 50 ]; do sleep 0.1; i=$((i + 1)); done
		kill -KILL "$p" 2>/dev/null
		wait "$p" 2>/dev/null
	done
	daemons=
}
trap 'end_daemons; rm -rf "$work"' EXIT

# configure PORT.  The node has more processors than the host may have; nothing binds processes to them.
configure() {
	cat >slurm.conf <<-CONF
	ClusterName=psc
	SlurmctldHost=$node(127.0.0.1)
	SlurmctldPort=$1
	SlurmdPort=$(($1 + 1))
	SlurmUser=root
	SlurmdUser=root
	AuthType=auth/munge
	AuthInfo=socket=$work/munge
	CredType=cred/munge
	StateSaveLocation=$work/state
	SlurmdSpoolDir=$work/spool
	SlurmctldPidFile=$work/slurmctld.pid
	SlurmdPidFile=$work/slurmd.pid
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	SelectType=select/cons_tres
	SelectTypeParameters=CR_CPU
	SchedulerType=sched/builtin
	SlurmdParameters=config_overrides
	MailProg=/bin/true
	NodeName=$node NodeAddr=127.0.0.1 CPUs=4
	PartitionName=all Nodes=$node Default=YES
	CONF
}
# daemon NAME COMMAND...: in the background, in the foreground mode that it has
daemon() {
	log=$1
	shift
	"$@" >"$log.log" 2>&1 &
	daemons="$! $daemons"
}
# True when the node waits for jobs.
idle() {
	i=0
	until [ "$(sinfo -h -o %T 2>/dev/null)" = idle ]; do
		for p in $daemons; do kill -0 "$p" 2>/dev/null || return 1; done
		[ $i -lt 600 ] || return 1
		sleep 0.1
		i=$((i + 1))
	done
}
# up PORT
up() {
	configure "$1"
	mkdir -p state spool
	daemon munged munged --foreground --force --key-file="$work/key" --socket="$work/munge" --pid-file="$work/munged.pid" \
		--seed-file="$work/seed" --num-threads=2
	i=0
	until [ -S munge ] || [ $i -ge 600 ]; do sleep 0.1; i=$((i + 1)); done
	daemon slurmctld slurmctld -D -c -f "$work/slurm.conf"
	daemon slurmd slurmd -D -f "$work/slurm.conf" -N "$node"
	idle
}
(umask 077; head -c 1024 /dev/urandom >key)
SLURM_CONF=$work/slurm.conf
export SLURM_CONF
# Another program may have the ports: three pairs are tried.
port=$((10000 + 2 * ($$ % 6000)))
until up $port; do
	end_daemons
	port=$((port + 2002))
	[ $port -lt 28000 ] || skip_all "Slurm does not start here: $(tail -qn 1 munged.log slurmctld.log slurmd.log | tr '\n' ' ')"
	rm -rf munge state spool
done

# --- jobs ----------------------------------------------------------------------------------------

# submit TASKS COMMAND...: the job's script is this command; sets id.  (sbatch --wait looks every 2 to 32 s.)
submit() {
	tasks=$1
	shift
	printf '#!/bin/sh\nexec %s >out 2>err\n' "$*" >script
	rm -f out err ./*.psc
	id=$(sbatch --parsable -n "$tasks" -o batch.log script)
}
# ended CODE:SIGNAL: within ten minutes
ended() {
	i=0
	until scontrol -o show job "$id" | grep -Eq ' JobState=(COMPLETED|FAILED|CANCELLED|TIMEOUT|NODE_FAIL) '; do
		[ $i -lt 6000 ] || { scontrol show job "$id"; scancel --full --signal=TERM "$id"; return 1; }
		sleep 0.1
		i=$((i + 1))
	done
	scontrol -o show job "$id" | grep -o ' ExitCode=[0-9:]*' >code
	grep "=$1$" code || { cat code batch.log; return 1; }
}
whole() { ! grep '^Partial' out && grep -q '^SURE' out && [ -s "$1" ]; }
# -vv tells how agents were started, and the processes' ranks.
serial() {
	submit 1 psc_frontend -vv --top 3 --lockstep --app ./lu --phase ssor.f:109 -- 12 40
	ended 0:0 && [ -s lu.psc ] && grep 'ready (mpirun)' err && grep 'rank -1' err && grep 'SUCCESSFUL' out &&
		psc_report lu.psc >short && grep '^SURE' short && ! grep '^Partial' short
}
# parallel MPI OPTIONS...: examples/lu-mpi; each process is known by its rank
parallel() {
	submit 2 psc_frontend --lockstep --machine itanium2 --properties levels --phase "$phase" "$2" --app "$1/lu-mpi" -- 36 20
	ended 0:0 && whole lu-mpi.psc && psc_report -v lu-mpi.psc | tr -s ' \n' ' ' | grep -o 'L2MissRate r.*in 2 of 2 processes (0-1)' | cut -c1-80
}
# The signal that #SBATCH --signal=B:TERM@60 asks for.
limited() {
	submit 1 psc_frontend --app ./lu --phase ssor.f:109 -- 33 100000
	i=0
	until grep -q 'experiment 2' err 2>/dev/null || [ $i -ge 3000 ]; do sleep 0.1; i=$((i + 1)); done
	scancel --batch --signal=TERM "$id"
	ended 143:0 && grep '^SURE' out && [ -s lu.psc ]
}

# The script of docs/using.md, as it stands there.  It is not in lockstep: on a busy machine its analysis may be partial.
guide() {
	sed -n '/^## Under Slurm/,/^| program/p' "$srcdir/docs/using.md" | sed -n '/^```sh/,/^```/p' | sed '/^```/d' >openmpi/script
	id=$(cd openmpi && sbatch --parsable -o ../batch.log script)
	ended '[04]:0' && grep 'Periscope/C: [^ ]*lu-mpi 64, 2 processes' batch.log && sed -n 's,Not asked.*,,; /^ASKED/p' batch.log | grep mpi
}

build_lu .
phase=ssor.f90:$(grep -n 'do step = 1' "$srcdir/examples/lu-mpi/ssor.f90" | cut -d: -f1)
plan 8
check "sbatch: examples/lu; the agents' mpirun works in the allocation" serial
check "before the time limit: what was found is reported" limited
for mpi in openmpi mpich; do
	if have_mpi $mpi && { command -v mpifort.$mpi >/dev/null || { why="no mpifort.$mpi"; false; }; }; then
		mkdir $mpi
		(cd $mpi && make -s -f "$srcdir/examples/lu-mpi/Makefile" FC="psc_instrument mpifort.$mpi") >build.log 2>&1 ||
			why="it does not build"
	fi
	case $mpi in openmpi) plugin=pmix ;; *) plugin=pmi2 ;; esac
	srun --mpi=list 2>&1 | grep -q $plugin || why="no $plugin in Slurm"
	if [ -n "$why" ]; then
		skip "$mpi: --apprun 'srun -n 2 --mpi=$plugin'" "$why"
		[ $mpi = mpich ] || skip "the script of docs/using.md" "$why"
		skip "$mpi: --mpinumprocs 2" "$why"
		continue
	fi
	check "$mpi: --apprun 'srun -n 2 --mpi=$plugin'" parallel $mpi "--apprun 'srun -n 2 --mpi=$plugin'"
	[ $mpi = mpich ] || check "the script of docs/using.md" guide
	check "$mpi: --mpinumprocs 2" parallel $mpi "--mpinumprocs 2"
done
check "nothing is left" nothing_left
