
const float IMBALANCE_TIME = 0.05;
const float IMBALANCE_FACTOR = 1.25;
const float IMBALANCE_PART = 0.1;
const float IMBALANCE_DATA = 0.01;
bool threads_meet(Region r) = r.type == PARALLEL_REGION OR r.type == WORKSHARE_DO
	OR r.type == WORKSHARE_SECTIONS;
float longest_time(MRIParPerf m) = MAX(m.parT[t] WHERE t IN m.nThreads);
float mean_time(MRIParPerf m) = AVG(m.parT[t] WHERE t IN m.nThreads);
float most_access(MRIParPerf m) = MAX(m.memory_access[t] WHERE t IN m.nThreads);
float mean_access(MRIParPerf m) = AVG(m.memory_access[t] WHERE t IN m.nThreads);
float more_stall(MRIParPerf m) = MAX(m.stall_time[t] WHERE t IN m.nThreads)
	- AVG(m.stall_time[t] WHERE t IN m.nThreads);
PROPERTY LoadImbalance(MRIParPerf m) {
	LET
		float lost = longest_time(m) - mean_time(m);
	IN
	CONDITION: lost / m.phase_time > IMBALANCE_TIME AND threads_meet(m.region)
		AND longest_time(m) / mean_time(m) > IMBALANCE_FACTOR;
	CONFIDENCE: 1;
	SEVERITY: lost;
	ADVICE: "the slowest of {m.nThreads} threads works {longest_time(m) / mean_time(m)} times as long as the mean, and they wait {lost} for it on average: share the work out evenly, with schedule(dynamic) or smaller chunks where iterations differ";
}
PROPERTY AccessImbalance(MRIParPerf m) REFINES LoadImbalance {
	LET
		float factor = most_access(m) / mean_access(m);
	IN
	CONDITION: factor > IMBALANCE_FACTOR;
	CONFIDENCE: 1;
	SEVERITY: (1 - mean_access(m) / most_access(m)) * longest_time(m);
	ADVICE: "one thread makes {factor} times the loads and stor