PROPERTY P(SeqPerf s) {
	CONDITION: s.calls / s.read_access > 0.5;
	CONFIDENCE: 1;
	SEVERITY: 1;
}
