// SPDX-License-Identifier: BSD-3-Clause
// For processes.sh: what several processes do in one region.

// By what was counted, which is the same in every run; its severity by time.
PROPERTY UnevenWork(AppPerf a) {
	LET
		float most = MAX(p.memory_access WHERE p IN a.regions);
		float mean = AVG(p.memory_access WHERE p IN a.regions);
	IN
	CONDITION: most / mean > 1.3;
	CONFIDENCE: MIN(coverage(p.memory_access) WHERE p IN a.regions);
	SEVERITY: MAX(p.exec_time WHERE p IN a.regions) - MIN(p.exec_time WHERE p IN a.regions);
	ADVICE: "{COUNT(p WHERE p IN a.regions)} of {a.nProcesses} processes are in {a.region.name}";
}

// Holds wherever every process has been: its figures are compared with the exported ones.
PROPERTY Sums(AppPerf a) {
	LET float all = SUM(p.exec_time WHERE p IN a.regions); IN
	CONDITION: all > 0;
	CONFIDENCE: 1;
	SEVERITY: STDEV(p.exec_time WHERE p IN a.regions) + all / a.nProcesses;
}

// Of the work only, and only where it is uneven.
PROPERTY UnevenMisses(AppPerf a) REFINES UnevenWork {
	CONDITION: MAX(p.llc_data_miss WHERE p IN a.regions) < 0;
	CONFIDENCE: 1;
	SEVERITY: 1;
}

// This machine model has no level 4.
PROPERTY Unknown(AppPerf a) {
	CONDITION: SUM(p.lc4_data_miss WHERE p IN a.regions) > 1;
	CONFIDENCE: 1;
	SEVERITY: 1;
}

// The threads of each process, folded inside of what the process gives.
PROPERTY Teams(AppPerf a) {
	CONDITION: FORALL(t IN a.threads WITH t.nThreads == 1);
	CONFIDENCE: 1;
	SEVERITY: MAX(MAX(t.parT[i] WHERE i IN t.nThreads) WHERE t IN a.threads);
}
