PROPERTY P(AppPerf a) { CONDITION: MIN(samples(p.calls) WHERE p IN a.regions) > 100; CONFIDENCE: 1; SEVERITY: 1; }
