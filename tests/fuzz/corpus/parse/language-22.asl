float apply(float F(SeqPerf), SeqPerf s, float x) = x * F(s) + x;
float calls(SeqPerf s) = s.calls;
float again(SeqPerf s) = apply(calls, s, 10);
PROPERTY P(SeqPerf s) { CONDITION: apply(again, s, 2) > 0; CONFIDENCE: 1; SEVERITY: apply(again, s, 2); }
float seconds(SeqPerf s) = s.exec_time;
float ratio(SeqPerf s) = apply2(seconds, s) / s.phase_time;
float apply2(float F(SeqPerf), SeqPerf s) = 3 * F(s);
PROPERTY Q(SeqPerf s) { CONDITION: true; CONFIDENCE: 1; SEVERITY: apply2(ratio, s) * s.exec_time; }
