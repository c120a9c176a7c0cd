PROPERTY P(MRIParPerf m) {
	CONDITION: true; CONFIDENCE: 1;
	SEVERITY: samples(SUM(m.parT[t] WHERE t IN {u IN m.nThreads WITH m.read_access[u] > 0} AND m.write_access[t] > 0));
}
PROPERTY Q(SeqPerf s) { CONDITION: true; CONFIDENCE: 1; SEVERITY: samples(s.calls > 1 AND s.read_access > 1 ? 5 : 6); }
