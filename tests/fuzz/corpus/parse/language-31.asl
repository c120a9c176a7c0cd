float rate(SeqPerf s) = s.lc3_data_miss / s.memory_access;
PROPERTY P(SeqPerf s) {
	LET float r = rate(s); IN
	CONDITION: r > 0.02; CONFIDENCE: 1; SEVERITY: r * s.exec_time;
	ADVICE: "{s.region.name}: {r %}";
}
