PROPERTY P(SeqPerf s) {
	LET const float threshold = 0.25; const float weight; IN
	CONDITION: s.calls > threshold; CONFIDENCE: 1; SEVERITY: weight;
}
