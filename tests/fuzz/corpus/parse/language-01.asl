PROPERTY P(SeqPerf s) {
	CONDITION: (slow) s.exec_time > 1 OR (many) s.calls > 10 OR s.cpu_time > 5;
	CONFIDENCE: 1;
	SEVERITY: s.exec_time;
}
