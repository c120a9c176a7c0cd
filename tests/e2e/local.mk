# SPDX-License-Identifier: BSD-3-Clause
E2E = %D%/bad_input.sh %D%/lu.sh %D%/paper.sh %D%/lu_cachegrind.sh %D%/patterns.sh %D%/interrupt.sh %D%/last_call.sh %D%/structure.sh \
	%D%/balance.sh %D%/busy.sh %D%/unlike.sh %D%/timed.sh %D%/processes.sh %D%/doctor.sh %D%/sharing.sh %D%/whatif.sh %D%/sample.sh \
	%D%/loaded.sh %D%/manners.sh %D%/start.sh %D%/trust.sh %D%/reuse.sh %D%/kinds.sh %D%/structs.sh %D%/nodes.sh %D%/copies.sh %D%/verify.sh %D%/one_cpu.sh %D%/parts.sh %D%/page_faults.sh \
	%D%/walks.sh %D%/brief.sh %D%/native.sh %D%/slices.sh %D%/problems.sh %D%/phase.sh %D%/phase_times.sh %D%/runs.sh %D%/again.sh %D%/compare.sh %D%/lines.sh %D%/marked.sh %D%/journal.sh %D%/fault_matrix.sh %D%/fault_others.sh %D%/tree.sh %D%/events.sh %D%/mpi.sh %D%/hosts.sh %D%/openmp.sh %D%/slurm.sh %D%/attach.sh %D%/calibrated.sh
E2E += %D%/try.sh %D%/try_pages.sh %D%/try_faults.sh %D%/try_ranks.sh %D%/try_outputs.sh %D%/placement.sh
E2E += %D%/asked.sh %D%/any_mpi.sh %D%/any_program.sh %D%/any_sharing.sh %D%/pages.sh %D%/samples.sh
EXTRA_DIST += %D%/any.c %D%/any_lib.sh %D%/any_sharing.c %D%/far.c %D%/fields.c %D%/pages.c
E2E += %D%/locks.sh
E2E += %D%/over_time.sh %D%/timeline_counts.sh %D%/modules.sh
E2E += %D%/first_touch.sh %D%/numa.sh
# Two that mpirun takes part in, without it.
E2E_LOCAL = %D%/local_interrupt.sh %D%/local_processes.sh
TESTS += $(E2E) $(E2E_LOCAL)
dist_check_SCRIPTS += $(E2E) $(E2E_LOCAL)
EXTRA_DIST += %D%/tried.c %D%/tried_faults.c %D%/tried_pages.c %D%/tried_ranks.c %D%/rules.c
EXTRA_DIST += %D%/locks.c
EXTRA_DIST += %D%/first_touch.c %D%/sent.c
EXTRA_DIST += %D%/attached.c %D%/constructs.c %D%/startup.c %D%/last_call.f90 %D%/last_sweeps.f90 %D%/alias.c %D%/counters.c %D%/imbalance.c %D%/scribble.c %D%/shares.c %D%/growing.c %D%/turns.c %D%/timed.c %D%/leaves.c %D%/sees.c %D%/lib.sh %D%/recompute.awk \
	%D%/structs.c %D%/nodes.cc %D%/copies.cc %D%/copies.f90 %D%/structs.cc %D%/structs.f90 %D%/walks.c %D%/lines.cc %D%/lines.hpp %D%/brief.c %D%/native.c %D%/sparse.c %D%/planes.c %D%/uneven.c \
	%D%/loaded/main.c %D%/loaded/sweep.c %D%/loaded/tls.c %D%/loaded/work.c %D%/processes.c %D%/processes.asl %D%/copied.c %D%/one_cpu.c %D%/parts.c %D%/page_faults.c %D%/reuse.c %D%/kinds.c \
	%D%/heat.c %D%/sharing.c %D%/columns.c %D%/branches.c %D%/placed.c %D%/lines.c %D%/marked.c %D%/marked.f90 %D%/two.xml %D%/four.xml %D%/faults.c %D%/fault_lib.sh %D%/gate.c %D%/fresh_threads.c
