
const float L1_THRESHOLD = 0.05;
const float L2_THRESHOLD = 0.03;
const float L3_THRESHOLD = 0.01;
const float L4_THRESHOLD = 0.01;
const float TLB_THRESHOLD = 0.005;
const float LAT16_THRESHOLD = 0.05;
const float LAT64_THRESHOLD = 0.03;
const float LAT256_THRESHOLD = 0.01;
const float LAT1024_THRESHOLD = 0.001;
PROPERTY L1MissRate(SeqPerf s) {
	LET
		float rate = s.lc1_data_miss / s.memory_access;
	IN
	CONDITION: rate > L1_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
	ADVICE: "{rate %} of the loads and stores go past the first cache level: let the innermost loop run over the index that is contiguous in memory, and use what was fetched for more before going on";
}
PROPERTY L1ReadMissRate(SeqPerf s) REFINES L1MissRate {
	LET
		float rate = s.lc1_data_read_miss / s.memory_access;
	IN
	CONDITION: rate > L1_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
	ADVICE: "{s.lc1_data_read_miss / s.read_access %} of the loads miss cache level 1";
}
PROPERTY L1WriteMissRate(SeqPerf s) REFINES L1MissRate {
	LET
		float rate = s.lc1_data_write_miss / s.memory_access;
	IN
	CONDITION: rate > L1_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
	ADVICE: "{s.lc1_data_write_miss / s.write_access %} of the stores miss cache level 1: write to what was read shortly before, and write each line whole";
}
PROPERTY L1MissRateOfData(DataPerf d) REFINES L1MissRate {
	LET
		float rate = d.lc1_data_miss / d.memory_access;
	IN
	CONDITION: rate > L1_THRESHOLD;
	CONFIDENCE: 1;
