const int N = 1.5;
const bool B = 1;
const string S = true;
int f(SeqPerf s) = s.calls;
PROPERTY P(SeqPerf s) {
	LET int n = s.exec_time; Region r = s.process; setof Region rs = s.region; setof float fs = 1; IN
	CONDITION: n > 1 AND r.line > 1 AND COUNT(x WHERE x IN rs) > 0 AND fs; CONFIDENCE: 1; SEVERITY: 1;
}
