PROPERTY P(SeqPerf s) { CONDITION: s.calls > 0; CONFIDENCE: s.calls; SEVERITY: s.exec_time; }
