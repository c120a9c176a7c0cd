PROPERTY Sum(MRIParPerf m) { CONDITION: SUM(m.parT[t] WHERE t IN m.nThreads) == 10; CONFIDENCE: 1; SEVERITY: 1; }
PROPERTY Min(MRIParPerf m) { CONDITION: MIN(m.parT[t] WHERE t IN m.nThreads) == 1; CONFIDENCE: 1; SEVERITY: 1; }
PROPERTY Max(MRIParPerf m) { CONDITION: MAX(m.parT[t] WHERE t IN m.nThreads) == 4; CONFIDENCE: 1; SEVERITY: 1; }
PROPERTY Avg(MRIParPerf m) { CONDITION: AVG(m.parT[t] WHERE t IN m.nThreads) == 2.5; CONFIDENCE: 1; SEVERITY: 1; }
PROPERTY Count(MRIParPerf m) { CONDITION: COUNT(t WHERE t IN m.nThreads AND m.parT[t] > 2) == 2; CONFIDENCE: 1; SEVERITY: 1; }
PROPERTY Stdev(MRIParPerf m) { CONDITION: true; CONFIDENCE: 1; SEVERITY: STDEV(m.parT[t] WHERE t IN m.nThreads); }
