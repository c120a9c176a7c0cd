PROPERTY P(AppPerf a) { CONDITION: UNIQUE({p IN a.regions WITH p.calls > 1}).calls > 1; CONFIDENCE: 1; SEVERITY: 1; }
