float reads(MRIParPerf m, int t) = m.read_access[t];
PROPERTY TEMPLATE T <float F(MRIParPerf, int)> (MRIParPerf m) {
	LET float mean = mean_func_t(F, m); IN
	CONDITION: mean > 1; CONFIDENCE: coverage(mean); SEVERITY: samples(F(m, 0));
}
PROPERTY T<reads> P;
PROPERTY T<LC1DReadMissRateParFunc> Q;
