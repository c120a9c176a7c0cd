PROPERTY P(SeqPerf s) {
	LET
		float a = 1; float b = a + a; float c = b + b; float d = c + c; float e = d + d; float f = e + e;
		float g = f + f; float h = g + g; float i = h + h; float j = i + i; float k = j + j;
		float l = k + k; float m = l + l; float n = m + m; float o = n + n; float p = o + o; float q = p + p; float r = q + q;
	IN
	CONDITION: r > s.calls; CONFIDENCE: samples(r); SEVERITY: 1;
}
