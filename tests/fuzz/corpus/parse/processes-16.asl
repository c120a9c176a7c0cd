float f(SeqPerf p, float x) = p.calls * x;
float s4(AppPerf a, float x) = SUM(f(p, x) WHERE p IN a.regions) + SUM(f(p, x + 1) WHERE p IN a.regions)
	+ SUM(f(p, x + 2) WHERE p IN a.regions) + SUM(f(p, x + 3) WHERE p IN a.regions);
float s16(AppPerf a, float x) = s4(a, x) + s4(a, x + 10) + s4(a, x + 20) + s4(a, x + 30);
PROPERTY Fits(AppPerf a) { CONDITION: s16(a, 0) + s16(a, 100) + s16(a, 100) > 1; CONFIDENCE: 1; SEVERITY: 1; }
PROPERTY TooMany(AppPerf a) { CONDITION: s16(a, 0) + s16(a, 100) + s16(a, 200) > 1; CONFIDENCE: 1; SEVERITY: 1; }
