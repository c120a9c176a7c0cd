PROPERTY P(SeqPerf s) {
	CONDITION: s.calls > 0;
	CONFIDENCE: s.calls > 10 ? 1 : s.calls > 5 ? 0.5 : 0.1;
	SEVERITY: s.read_access > 0 ? s.exec_time : s.cpu_time;
}
