float relative(SeqPerf p, setof SeqPerf all) = p.exec_time / AVG(q.exec_time WHERE q IN all);
PROPERTY P(AppPerf a) {
	CONDITION: EXISTS(p IN a.regions WITH p.calls > AVG(q.calls WHERE q IN a.regions))
		OR MAX(relative(p, a.regions) WHERE p IN a.regions) > 1;
	CONFIDENCE: 1;
	SEVERITY: 1;
}
