Class Odd Extends SeqPerf { float max; float severity; float in_; Float count; };
property P(Odd s) {
	let float max = s.max; float min = s.count; float confidence = s.severity; in
	condition : max(max, min) > 1 or not (s.severity < 2);
	Confidence: confidence;
	Severity: max;
}
