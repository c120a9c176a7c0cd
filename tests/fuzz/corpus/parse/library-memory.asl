
const float STALL_THRESHOLD = 0.05;
const float DATA_THRESHOLD = 0.01;
const float DATA_PART = 0.1;
const float LLC_THRESHOLD = 0.01;
const float FETCH_THRESHOLD = 2;
PROPERTY MemoryStall(SeqPerf s) {
	LET
		float share = s.stall_time / s.phase_time;
	IN
	CONDITION: share > STALL_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: s.stall_time;
	ADVICE: "the misses here would take {share %} of the phase's time ({s.stall_time}) if nothing hid them";
}
PROPERTY MemoryStallOfData(DataPerf d) REFINES MemoryStall {
	LET
		float share = d.stall_time / d.phase_time;
	IN
	CONDITION: share > DATA_THRESHOLD AND d.stall_time > DATA_PART * d.region_stall_time;
	CONFIDENCE: 1;
	SEVERITY: d.stall_time;
	ADVICE: "the region may be waiting for this structure: look at the order of the loops over it, at its leading dimension, and at whether what was fetched can be used for more before going on";
}
PROPERTY LastLevelMissRate(SeqPerf s) {
	LET
		float rate = s.llc_data_miss / s.memory_access;
	IN
	CONDITION: rate > LLC_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
	ADVICE: "{rate %} of the loads and stores go to main memory: work on smaller blocks, or use what was fetched for more before going on";
}
PROPERTY LastLevelMissRateOfData(DataPerf d) REFINES LastLevelMissRate {
	LET
		float rate = d.llc_data_miss / d.memory_access;
	IN
	CONDITION: rate > LLC_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: d.llc_data_miss * access_time(d);
	ADVICE: "{rate %} of the accesses to {d.structure.name} ({d.structure.siz