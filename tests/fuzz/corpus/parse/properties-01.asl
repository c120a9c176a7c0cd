// misses of the TLB, which no shipped property asks for
const float TLB_THRESHOLD = 0.001;
PROPERTY TlbMissRate(SeqPerf s) {
	CONDITION: s.tlb_data_miss / s.memory_access > TLB_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: s.tlb_data_miss / s.memory_access * s.exec_time;
	ADVICE: "{s.region.name} misses the TLB in {s.tlb_data_miss / s.memory_access %} of its accesses";
}
