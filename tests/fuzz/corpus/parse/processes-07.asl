PROPERTY P(AppPerf a) { CONDITION: SUM(p.exec_time WHERE p IN a.regions) > 0; CONFIDENCE: 1; SEVERITY: STDEV(p.calls WHERE p IN a.regions); }
