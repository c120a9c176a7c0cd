const float Limit [B] = 100;
float plus(float a, float b) = a + b;
PROPERTY P(SeqPerf s) {
	LET float t [s] = s.bytes_accessed; IN
	CONDITION: s.exec_time > s.bytes_accessed OR s.bytes_accessed > Limit OR s.exec_time > 3;
	CONFIDENCE: plus(s.exec_time, s.stall_cycles) > 1 ? 1 : 0;
	SEVERITY: MAX(s.exec_time, s.calls) + t;
}
PROPERTY Q(SeqPerf s) { CONDITION: true; CONFIDENCE: 1; SEVERITY: s.bytes_accessed / s.exec_time; }
