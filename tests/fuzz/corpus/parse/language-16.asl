PROPERTY P(MRIParPerf m) {
	CONDITION: EXISTS(t IN {u IN m.nThreads WITH m.read_access[u] > 0} WITH m.parT[t] > 1);
	CONFIDENCE: 1; SEVERITY: 1;
}
