class TotalTiming { int run; float incl [s]; };
class Timed { setof TotalTiming times; int run; };
setof TotalTiming of_run(Timed t, int run) = { x IN t.times WITH x.run == run };
TotalTiming summary(Timed t, int run) = UNIQUE(of_run(t, run));
float duration(Timed t, int run) = summary(t, run).incl;
PROPERTY P(Timed t) {
	LET
		setof TotalTiming others = { x IN t.times WITH x.run != t.run };
		float mean = AVG(x.incl WHERE x IN others);
	IN
	CONDITION: duration(t, t.run) > mean;
	CONFIDENCE: 1;
	SEVERITY: duration(t, t.run) - MIN(y.incl WHERE y IN { x IN others WITH x.incl > 1 } AND y.incl < 10);
}
