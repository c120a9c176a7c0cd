class Pair { AppPerf one; };
class Double extends AppPerf { AppPerf other; };
PROPERTY P(SeqPerf s, AppPerf a) { CONDITION: COUNT(p WHERE p IN a.regions) > 1; CONFIDENCE: 1; SEVERITY: 1; }
PROPERTY Q(Pair x) { CONDITION: EXISTS(p IN x.one.regions WITH p.calls > 1); CONFIDENCE: 1; SEVERITY: 1; }
PROPERTY R(AppPerf a, AppPerf b) {
	CONDITION: COUNT(p WHERE p IN b.regions) > 1 OR COUNT(p WHERE p IN (a.nProcesses > 1 ? a : b).regions) > 1;
	CONFIDENCE: 1; SEVERITY: 1;
}
PROPERTY S(Double d) { CONDITION: SUM(p.calls WHERE p IN d.regions) > SUM(p.calls WHERE p IN d.other.regions); CONFIDENCE: 1; SEVERITY: 1; }
