PROPERTY P(SeqPerf s) {
	CONDITION: s.calls > 1; CONFIDENCE: 1; SEVERITY: 1;
	ADVICE: "{s.cals} and {s.region} and {s.calls +} and {s.region.name %} and } and";
}
