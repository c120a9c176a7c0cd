#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What is not the tool's fails in the middle of an analysis: a rank of the application dies or is stopped, a disk is full.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
builddir=$(cd "${builddir:-.}" && pwd)
. "$srcdir/tests/mpi/lib.sh"
. "$srcdir/tests/e2e/lib.sh"
. "$srcdir/tests/e2e/fault_lib.sh"

fresh() {
	end_all         # of a case that failed
	rm -f here go out err r.*
}
# In the middle: what-ifs are still to be tried.
in_the_middle() { analyse local 11 --what-if a --what-if b "$@" && until_true 300 program_waits && until_true 300 found; }
kill_rank() { kill "-$1" "$(ours gate | tail -n 1)"; }

# --- a rank --------------------------------------------------------------------------------------

# What the launcher itself returns when a rank is killed.
launchers_code() {
	fresh
	$(launcher "$1" 2) ./gate 40 11 >plain 2>&1 &
	plain=$!
	until_true 300 test -e here && sleep 0.3 && kill_rank KILL
	wait $plain
}
# rank_killed MPI STEP: the first step (nothing was measured), the eleventh, or the last
rank_killed() {
	launchers_code "$1"
	own=$?
	[ $own != 0 ] || { echo "the launcher does not mind"; return 1; }
	fresh
	analyse local "$2" --what-if a --mpinumprocs 2
	until_true 300 program_waits || return 1
	case $2 in
	1) partial="Partial analysis: the application ended" ;;
	11) partial="Partial analysis: the application ended before" && until_true 300 found ;;
	*) partial= && until_true 300 grep '^SURE' out ;;
	esac && kill_rank KILL || return 1
	code=0
	wait $front || code=$?
	[ $code = $own ] || { echo "exit code $code, the launcher's own is $own"; return 1; }
	tr -s ' \n' ' ' <out | grep "${partial:-SURE}" && { [ "$2" = 1 ] || grep '^ 1 .*add gate.c' out; } && nothing_left
}
# A rank that is stopped and goes on: a whole analysis.
rank_stopped() {
	fresh
	in_the_middle --mpinumprocs 2 && kill_rank STOP && touch go && sleep 1 && kill_rank CONT &&
		finish 0 && grep '^SURE' out && ! grep '^Partial' out
}

# --- a full disk ---------------------------------------------------------------------------------

fill() { head -c 100000000 /dev/zero >"$1/filled" 2>/dev/null; df -k "$1"; }
# The report is on standard output all the same; what could not be written, and where, is said.
outputs_full() {
	fresh
	analyse local 11 --what-if a --what-if b --psc full/r.psc --html full/r.html --json full/r.json
	until_true 300 program_waits && until_true 300 grep 'no journal of what is found (full/r.psc.journal: No space left' err || return 1
	finish 4 && grep '^SURE' out && ! grep '^Partial' out && grep '^ 1 .*add gate.c' out || return 1
	for f in r.psc r.html r.json; do grep "full/$f: No space left on device" err || return 1; done
	[ "$(ls -A full)" = filled ]
}
output_stream_full() {
	fresh
	touch go
	code=0
	psc_frontend --lockstep --machine itanium2 --properties levels --phase "$phase" --psc r.psc --app ./gate -- 40 50 >/dev/full 2>err || code=$?
	[ $code = 4 ] && grep 'stdout: No space left on device' err && psc_report r.psc | grep '^SURE'
}
# The directory of the run is filled while the agents measure.
run_directory_full() {
	fresh
	rm -rf full/filled full/tmp
	mkdir full/tmp
	TMPDIR=$work/full/tmp
	analyse "$1" 11 --what-if a --what-if b
	until_true 300 program_waits && until_true 300 found && fill full || return 1
	finish 0 && grep '^SURE' out && ! grep '^Partial' out
}
run_directory() { (trap - EXIT; run_directory_full "$1"); }
# A limit on the size of files is as good as a full disk for the report.
limited() {
	fresh
	touch go
	code=0
	(ulimit -S -f 1; exec psc_frontend --lockstep --machine itanium2 --properties levels --phase "$phase" --psc r.psc --app ./gate -- 40 50 \
		2>&1) | cat >out
	grep 'r.psc: File too large' out && grep '^SURE' out && right && [ -z "$(ls r.psc* 2>/dev/null)" ]
}

if command -v mpirun >/dev/null && [ -x "$builddir/psc_agent" ]; then mpi=yes; else mpi=; fi
plan 13
gate_program=./gate
for implementation in openmpi mpich; do
	if have_mpi $implementation; then
		build_gate mpicc.$implementation -DPROCESSES
		check "$implementation: a rank is killed before anything is found" rank_killed $implementation 1
		check "$implementation: a rank is killed in the middle" rank_killed $implementation 11
		check "$implementation: a rank is killed after the report" rank_killed $implementation 39
		check "$implementation: a rank is stopped, and continued" rank_stopped
	else
		for moment in "before anything is found" "in the middle" "after the report"; do
			skip "$implementation: a rank is killed $moment" "$why"
		done
		skip "$implementation: a rank is stopped, and continued" "$why"
	fi
done
build_gate gcc
if [ -w /dev/full ]; then check "standard output is full" output_stream_full; else skip "standard output is full" "no /dev/full"; fi
check "files may not be so large as the report" limited
mkdir full
if mount -t tmpfs -o size=32m none full 2>/dev/null; then
	trap 'umount "$work/full"; rm -rf "$work"' EXIT
	fill full >/dev/null
	check "the disk for report and journal is full" outputs_full
	check "the disk of the run's directory is full: local" run_directory local
	if [ -n "$mpi" ]; then
		check "the disk of the run's directory is full: mpirun" run_directory mpirun
	else
		skip "the disk of the run's directory is full: mpirun" "no mpirun, or configured without MPI"
	fi
else
	for what in "for report and journal is full" "of the run's directory is full: local" "of the run's directory is full: mpirun"; do
		skip "the disk $what" "no right to mount"
	done
fi
