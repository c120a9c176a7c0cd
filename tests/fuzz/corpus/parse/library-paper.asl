
const float LC2_THRESHOLD = 0.05;
const float LC3_THRESHOLD = 0.02;
PROPERTY LC1ReadMissesOverMemRef(SeqPerf s){
CONDITION:
s.lc1_data_read_miss/s.read_access > 0.01;
CONFIDENCE:
1;
SEVERITY:
s.lc1_data_read_miss/s.read_access; }
PROPERTY LC2DMissRate(SeqPerf s) {
	LET
		float rate = s.lc2_data_miss / s.memory_access;
	IN
	CONDITION: rate > LC2_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
}
PROPERTY LC2DReadMissRate(SeqPerf s) REFINES LC2DMissRate {
	LET
		float rate = s.lc2_data_read_miss / s.memory_access;
	IN
	CONDITION: rate > LC2_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
}
PROPERTY LC2DMissRateOfData(DataPerf d) REFINES LC2DMissRate {
	CONDITION: d.lc2_data_miss / d.memory_access > LC2_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: d.region_exec_time * d.lc2_data_miss / d.region_access;
}
PROPERTY LC2DReadMissRateOfData(DataPerf d) REFINES LC2DReadMissRate {
	CONDITION: d.lc2_data_read_miss / d.memory_access > LC2_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: d.region_exec_time * d.lc2_data_read_miss / d.region_access;
}
PROPERTY LC3DMissRate(SeqPerf s) {
	LET
		float rate = s.lc3_data_miss / s.memory_access;
	IN
	CONDITION: rate > LC3_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
}
PROPERTY LC3DReadMissRate(SeqPerf s) REFINES LC3DMissRate {
	LET
		float rate = s.lc3_data_read_miss / s.memory_access;
	IN
	CONDITION: rate > LC3_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
}
PROPERTY LC3DMissRateOfData(DataPerf d) REFINES LC3DMissRate 