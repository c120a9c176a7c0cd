PROPERTY P(SeqPerf s) {
	CONDITION: s.calls ? true : false;
	CONFIDENCE: s.calls > 1 ? 1 : "x";
	SEVERITY: 1;
}
