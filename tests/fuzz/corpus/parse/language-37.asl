float ratio(float a, float b) = a / b;
PROPERTY Time(SeqPerf s) { CONDITION: true; CONFIDENCE: 1; SEVERITY: ratio(s.calls, s.read_access) * s.exec_time; }
PROPERTY Plain(SeqPerf s) { CONDITION: true; CONFIDENCE: 1; SEVERITY: ratio(s.exec_time, s.phase_time); }
PROPERTY Clock(SeqPerf s) {
	LET float clock [cycle/s] = 2e9; IN
	CONDITION: s.stall_cycles / clock > 1; CONFIDENCE: 1; SEVERITY: s.stall_cycles / clock;
}
