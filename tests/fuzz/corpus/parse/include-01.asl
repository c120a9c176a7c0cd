include "rates.asl";
PROPERTY Outer(SeqPerf s) REFINES Inner { CONDITION: rate(s) > 0.25; CONFIDENCE: 1; SEVERITY: rate(s); }
