// SPDX-License-Identifier: BSD-3-Clause
// Balance: whether the threads of a team, and the processes of an MPI program, have the same work.
// Those that have less wait for the one that has most.
//
// Threads (tested on parallel regions and what is inside them, where several threads run):
//
// LoadImbalance       where the threads meet at the end of a region (parallel regions, loops and
//                     sections that are shared out), the threads are done at different times: on
//                     average they wait longer for the slowest than IMBALANCE_TIME of the phase's
//                     time, and the slowest works more than IMBALANCE_FACTOR times the mean.
//                     Severity: that wait; as much could be won by sharing out evenly.  Waits of
//                     several executions of a region in which the slowest is not always
//                     the same thread cancel out: then it is a lower bound.  With NOWAIT the threads
//                     do not wait there, and work that follows may make up for it.
// BarrierWait         the wait in explicit barriers, of the mean thread, is more than
//                     IMBALANCE_TIME of the phase's time.  Severity: that wait.
// AccessImbalance     why, where LoadImbalance holds: some thread makes more than IMBALANCE_FACTOR
//                     times as many loads and stores as the mean.  OfData: of a data structure, by
//                     more than IMBALANCE_PART of the mean thread's accesses in the region.
// StallImbalance      why, where LoadImbalance holds: for some thread an access costs more than
//                     IMBALANCE_FACTOR times what it costs on average, because more of its accesses
//                     miss the caches.  OfData: misses on a data structure cost some thread more
//                     than the mean thread (est_stall), by more than IMBALANCE_DATA of the
//                     phase's time.
//
// Processes (tested over all processes of the program):
//
// ProcessImbalance    as LoadImbalance, for the times of one region in all processes.  A region in
//                     which the processes wait for messages takes all of them the same time: look
//                     at the regions that compute.
//
// Times come from executions in which nothing was recorded.  Work is processor time: a thread that the
// system does not let run has not more of it.  Waits are wall time: beside other programs, or with less
// processors than threads, they are longer than without.  Where noise could explain what was found, a
// property is undecided: LoadImbalance and ProcessImbalance where times vary as much between
// executions, BarrierWait where a thread of the team was without a processor for as long as they
// wait.  These are no part of the default set: ask with --properties memory,balance.
//
// Thresholds are ours; change one with --set IMBALANCE_TIME=0.01.
const float IMBALANCE_TIME = 0.05;
const float IMBALANCE_FACTOR = 1.25;
const float IMBALANCE_PART = 0.1;
const float IMBALANCE_DATA = 0.01;

// Regions at whose end the threads of a team wait for one another.
bool threads_meet(Region r) = r.type == PARALLEL_REGION
	OR r.type == WORKSHARE_DO
	OR r.type == WORKSHARE_SECTIONS;

float longest_time(MRIParPerf m) = MAX(m.parT[t] WHERE t IN m.nThreads);
float mean_time(MRIParPerf m) = AVG(m.parT[t] WHERE t IN m.nThreads);
float mean_wait(MRIParPerf m) = AVG(m.waitT[t] WHERE t IN m.nThreads);
float most_access(MRIParPerf m) = MAX(m.memory_access[t] WHERE t IN m.nThreads);
float mean_access(MRIParPerf m) = AVG(m.memory_access[t] WHERE t IN m.nThreads);

// The time that the worst thread waits for memory beyond the mean of the threads.
float more_stall(MRIParPerf m) =
	MAX(m.est_stall[t] WHERE t IN m.nThreads) - AVG(m.est_stall[t] WHERE t IN m.nThreads);

PROPERTY LoadImbalance(MRIParPerf m) {
	LET
		float lost = longest_time(m) - mean_time(m);
	IN
	CONDITION: lost / m.phase_time > IMBALANCE_TIME
		AND threads_meet(m.region)
		AND longest_time(m) / mean_time(m) > IMBALANCE_FACTOR;
	CONFIDENCE: lost / longest_time(m) > m.parT_spread ? 1 : 0.5;
	SEVERITY: lost;
	WHY: "the slowest of {m.nThreads} threads works {longest_time(m) / mean_time(m)} times as long as the mean, and they wait {lost} for it on average";
	DO: "share the work out evenly, with schedule(dynamic) or smaller chunks where iterations differ";
}

PROPERTY AccessImbalance(MRIParPerf m) REFINES LoadImbalance {
	LET
		float factor = most_access(m) / mean_access(m);
	IN
	CONDITION: factor > IMBALANCE_FACTOR;
	CONFIDENCE: 1;
	SEVERITY: (1 - mean_access(m) / most_access(m)) * longest_time(m);
	WHY: "one thread makes {factor} times the loads and stores of the mean";
	DO: "it has more to do";
}

PROPERTY AccessImbalanceOfData(DataParPerf d) REFINES AccessImbalance {
	LET
		float more = most_access(d) - mean_access(d);
	IN
	CONDITION: more * d.nThreads / d.region_access > IMBALANCE_PART;
	CONFIDENCE: 1;
	SEVERITY: more / d.region_access * d.exec_time;
	WHY: "one thread makes {most_access(d) / mean_access(d)} times the accesses to {d.structure.name} of the mean";
	DO: "share its elements out evenly";
}

PROPERTY StallImbalance(MRIParPerf m) REFINES LoadImbalance {
	LET
		float worst = MAX(m.est_stall[t] / m.memory_access[t]
			WHERE t IN m.nThreads AND m.memory_access[t] > 0);
		float all = SUM(m.est_stall[t] WHERE t IN m.nThreads)
			/ SUM(m.memory_access[t] WHERE t IN m.nThreads);
	IN
	CONDITION: worst / all > IMBALANCE_FACTOR;
	CONFIDENCE: 1;
	SEVERITY: more_stall(m);
	WHY: "the accesses of one thread cost {worst / all} times the mean, as more of them miss the caches";
	DO: "let each thread keep to its own part of the data from loop to loop";
}

PROPERTY StallImbalanceOfData(DataParPerf d) REFINES StallImbalance {
	CONDITION: more_stall(d) / d.phase_time > IMBALANCE_DATA;
	CONFIDENCE: 1;
	SEVERITY: more_stall(d);
	WHY: "the misses of {d.structure.name} would take one thread {more_stall(d)} longer than the mean";
}

PROPERTY BarrierWait(MRIParPerf m) {
	LET
		float wait = mean_wait(m);
	IN
	CONDITION: wait / m.phase_time > IMBALANCE_TIME AND m.region.type == BARRIER_REGION;
	CONFIDENCE: wait > m.away_time ? 1 : 0.5;
	SEVERITY: wait;
	WHY: "the threads wait {wait} in this barrier";
	DO: "share out evenly what lies between it and the barrier before, or do without it where no thread needs what another has written";
}

PROPERTY ProcessImbalance(AppPerf a) {
	LET
		float longest = MAX(s.exec_time WHERE s IN a.regions);
		float mean = AVG(s.exec_time WHERE s IN a.regions);
		float lost = longest - mean;
	IN
	CONDITION: lost / MAX(s.phase_time WHERE s IN a.regions) > IMBALANCE_TIME
		AND longest / mean > IMBALANCE_FACTOR;
	CONFIDENCE: lost / longest > MAX(s.time_spread WHERE s IN a.regions) ? 1 : 0.5;
	SEVERITY: lost;
	WHY: "the slowest of {a.nProcesses} processes takes {longest / mean} times as long as the mean";
	DO: "give it less, or split the domain by work and not by size";
}

// --- Figure 3 ----------------------------------------------------------------------------------
// Figure 3 of the paper: threads of a parallel region whose cache miss rates differ.
//
// Found: the largest deviation of a thread's miss rate from the mean over the threads exceeds
// `threshold` times the mean.  Severity: relative deviation x the slowest thread's time.  It looks at
// the rates alone: where they are low, it does not matter that they differ.
//
// The paper leaves the threshold open; 0.25 is ours.  Set it for all with
// --set UnbalancedDMissRateInThreads.threshold=0.5, or for one by the property's own name.
// The figure's MRIParPef is read as MRIParPerf.
// Its functions are declared in model.asl; the instances for level 4 and the last level are ours.

// fmt: off
PROPERTY TEMPLATE UnbalancedDMissRateInThreads
<float MissRateParFunc(MRIParPerf, int)>
(MRIParPerf mpp){
LET
const float threshold = 0.25;
float mean = mean_func_t(MissRateParFunc, mpp);
float max = max_func_t(MissRateParFunc, mpp);
float min = min_func_t(MissRateParFunc, mpp);
float dev_to_max = max - mean;
float dev_to_min = mean - min;
float max_exec_time=MAX(mpp.parT[tid] WHERE tid IN mpp.nThreads);
IN
CONDITION : MAX(dev_to_max, dev_to_min) / mean > threshold;
CONFIDENCE : 1;
SEVERITY
: MAX(dev_to_max, dev_to_min) / mean * max_exec_time;
}
PROPERTY UnbalancedDMissRateInThreads<LC1DReadMissRateParFunc>
UnbalancedLC1DReadMissRatePar;
PROPERTY UnbalancedDMissRateInThreads<LC2DReadMissRateParFunc>
UnbalancedLC2DReadMissRatePar;
PROPERTY UnbalancedDMissRateInThreads<LC3DReadMissRateParFunc>
UnbalancedLC3DReadMissRatePar;
// fmt: on

PROPERTY UnbalancedDMissRateInThreads<LC4DReadMissRateParFunc> UnbalancedLC4DReadMissRatePar;
PROPERTY UnbalancedDMissRateInThreads<LLCDReadMissRateParFunc> UnbalancedLLCDReadMissRatePar;
