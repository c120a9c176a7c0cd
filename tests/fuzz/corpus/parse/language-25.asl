PROPERTY P(MRIParPerf m) {
	CONDITION: COUNT(i WHERE i IN m.nThreads AND EXISTS(j IN m.nThreads WITH m.parT[j] > 2 * m.parT[i])) == 2;
	CONFIDENCE: 1;
	SEVERITY: MAX(SUM(m.parT[j] * m.read_access[i] WHERE j IN i) WHERE i IN m.nThreads);
}
