PROPERTY P(SeqPerf s) {
	CONDITION: s.calls AND s.region > 3;
	CONFIDENCE: NOT s.calls;
	SEVERITY: s.region.name + -s.region;
}
