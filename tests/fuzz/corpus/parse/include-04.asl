include "model.asl";
include "paper.asl";
PROPERTY P(SeqPerf s) REFINES LC3DMissRate { CONDITION: s.calls > 1; CONFIDENCE: 1; SEVERITY: 1; }
