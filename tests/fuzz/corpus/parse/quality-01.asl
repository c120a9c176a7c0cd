float rate(SeqPerf s) = s.lc1_data_miss / s.memory_access;
float twice(float x) = x + x;
PROPERTY P(SeqPerf s) { CONDITION: true; CONFIDENCE: coverage(twice(rate(s))); SEVERITY: samples(rate(s)); }
