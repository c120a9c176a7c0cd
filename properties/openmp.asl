// SPDX-License-Identifier: BSD-3-Clause
// OpenMP: the properties of Periscope that region markers decide, with its threshold of 5 % of the phase's time.
// Tested on parallel regions and what is inside them, where several threads run.
//
// UnevenConstruct      at the end of a parallel region, of a shared loop, of sections: the thread that is done first
//                      waits for the last.  Severity: the longest time of a thread less the shortest.
// UnevenAtBarrier      at an explicit barrier: a thread waits longer than the mean of the others.  Severity: the
//                      longest wait less the shortest.
// TooFewSections       of an uneven construct of sections: some threads had none.
// CriticalSection      a thread spends the time in a critical section, with the wait for it where it spins.
// SequentialSingle     one thread works in a SINGLE construct, and the others have nothing to do meanwhile.
// SequentialMaster     the same in a MASTER construct, which the others do not wait for by themselves.
// SequentialOrdered    the bodies of an ORDERED construct, one after the other.  Severity: sum over the threads.
// TaskWait             at a TASKWAIT, or at the end of a TASKGROUP: a thread waits for tasks that others execute.  A
//                      task that it executes itself meanwhile is work.  Severity: the longest wait of a thread.
// ParallelStartup      a parallel region whose threads take long to start, by what they do in it: more than 5 % of the
//                      region's time, and 1 % of the phase's.  Severity: the mean over the threads of the time from
//                      the fork to the begin of the thread's part.  Not where the threads may lose more to lines
//                      that they take from one another, as those of locks: then they are late because others hold
//                      them up.
//
// Not here, because no marker tells: ATOMIC and FLUSH, locks, shut-down of parallel regions, the creation of
// tasks, the wait at the end of a TASKLOOP.
// balance.asl has the same waits with what may explain them: accesses, misses, data structures.
// These are no part of the default set: ask with --properties memory,openmp.
const float OMP_SHARE = 0.05;
const float OMP_STARTUP_LEAST = 0.01;

float most_time(MRIParPerf m) = MAX(m.parT[t] WHERE t IN m.nThreads);
float least_time(MRIParPerf m) = MIN(m.parT[t] WHERE t IN m.nThreads);
float most_wait(MRIParPerf m) = MAX(m.waitT[t] WHERE t IN m.nThreads);
float least_wait(MRIParPerf m) = MIN(m.waitT[t] WHERE t IN m.nThreads);
float others_wait(MRIParPerf m) =
	(SUM(m.waitT[t] WHERE t IN m.nThreads) - most_wait(m)) / (m.nThreads - 1);

bool ends_in_barrier(Region r) = r.type == PARALLEL_REGION
	OR r.type == WORKSHARE_DO
	OR r.type == WORKSHARE_SECTIONS;

PROPERTY UnevenConstruct(MRIParPerf m) {
	LET
		float lost = most_time(m) - least_time(m);
	IN
	CONDITION: lost / m.phase_time > OMP_SHARE AND ends_in_barrier(m.region);
	CONFIDENCE: lost / most_time(m) > m.parT_spread ? 1 : 0.5;
	SEVERITY: lost;
	WHY: "of {m.nThreads} threads the first is done {lost} before the last, and waits";
	DO: "share the work out evenly, with schedule(dynamic) or smaller chunks where iterations differ";
}

PROPERTY TooFewSections(MRIParPerf m) REFINES UnevenConstruct {
	LET
		float idle =
			COUNT(m.parT[t] WHERE t IN m.nThreads AND m.parT[t] < 0.01 * most_time(m));
	IN
	CONDITION: idle > 0 AND m.region.type == WORKSHARE_SECTIONS;
	CONFIDENCE: 1;
	SEVERITY: most_time(m) - least_time(m);
	WHY: "{idle} of {m.nThreads} threads have no section";
	DO: "divide the work into as many sections as there are threads, or into tasks";
}

PROPERTY UnevenAtBarrier(MRIParPerf m) {
	CONDITION: (most_wait(m) - others_wait(m)) / m.phase_time > OMP_SHARE
		AND m.region.type == BARRIER_REGION;
	CONFIDENCE: most_wait(m) > m.away_time ? 1 : 0.5;
	SEVERITY: most_wait(m) - least_wait(m);
	WHY: "the first thread waits {most_wait(m)} at this barrier, the others {others_wait(m)} on average";
	DO: "share out evenly what lies between it and the barrier before";
}

PROPERTY CriticalSection(MRIParPerf m) {
	CONDITION: most_time(m) / m.phase_time > OMP_SHARE AND m.region.type == CRITICAL_REGION;
	CONFIDENCE: 1;
	SEVERITY: most_time(m);
	WHY: "a thread spends {most_time(m)} in this critical section and before it";
	DO: "compute outside of it, let each thread have a result of its own and join these once, or use a reduction";
}

PROPERTY SequentialSingle(MRIParPerf m) {
	CONDITION: most_time(m) / m.phase_time > OMP_SHARE AND m.region.type == SINGLE_REGION;
	CONFIDENCE: 1;
	SEVERITY: most_time(m);
	WHY: "one thread works {most_time(m)} here while the others have nothing to do";
	DO: "share the work out, or give them other work with NOWAIT";
}

PROPERTY SequentialMaster(MRIParPerf m) {
	CONDITION: most_time(m) / m.phase_time > OMP_SHARE AND m.region.type == MASTER_REGION;
	CONFIDENCE: 1;
	SEVERITY: most_time(m);
	WHY: "the first thread works {most_time(m)} here";
	DO: "share the work out, or let any thread do it (SINGLE NOWAIT)";
}

PROPERTY SequentialOrdered(MRIParPerf m) {
	LET
		float all = SUM(m.parT[t] WHERE t IN m.nThreads);
	IN
	CONDITION: all / m.phase_time > OMP_SHARE AND m.region.type == ORDERED_REGION;
	CONFIDENCE: 1;
	SEVERITY: all;
	WHY: "{all} are spent in iterations one after the other";
	DO: "keep only what must be in order inside ORDERED";
}

PROPERTY TaskWait(MRIParPerf m) {
	CONDITION: most_wait(m) / m.phase_time > OMP_SHARE AND m.region.type == TASKWAIT_REGION;
	CONFIDENCE: most_wait(m) > m.away_time ? 1 : 0.5;
	SEVERITY: most_wait(m);
	WHY: "a thread waits {most_wait(m)} here for tasks that others execute, and has none to execute itself";
	DO: "divide long tasks into several, create the longest first, or let the thread work before it waits";
}

// Threads that take lines from one another, as those of locks, and may lose more by it than their start takes: they begin
// late because others hold them up.
bool held_up(MRIParPerf m, float start) = 2 * SUM(m.coherence_miss[t] WHERE t IN m.nThreads)
		>= SUM(m.lc1_data_miss[t] WHERE t IN m.nThreads)
	AND SUM(m.coherence_miss[t] WHERE t IN m.nThreads) > 0
	AND AVG(m.est_stall_high[t] WHERE t IN m.nThreads) > start;

PROPERTY ParallelStartup(MRIParPerf m) {
	LET
		float mean = AVG(m.startT[t] WHERE t IN m.nThreads);
		float longest = MAX(m.startT[t] WHERE t IN m.nThreads);
	IN
	CONDITION: mean / (mean + m.exec_time) > OMP_SHARE
		AND mean / m.phase_time > OMP_STARTUP_LEAST
		AND m.region.type == PARALLEL_REGION
		AND NOT held_up(m, mean);
	CONFIDENCE: mean > m.away_time ? 1 : 0.5;
	SEVERITY: mean;
	WHY: "until its threads start, {mean} go by on average and {longest} for the slowest, while the region itself takes {m.exec_time}";
	DO: "join it with the parallel regions beside it, or put one parallel region around the loop that enters it and share the work out inside";
}
