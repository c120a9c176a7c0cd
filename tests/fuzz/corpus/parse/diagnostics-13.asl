float twice(float F(SeqPerf), SeqPerf s) = 2 * F(s);
float two(SeqPerf s, int n) = n;
float data(DataPerf d) = d.region_access;
PROPERTY P(SeqPerf s) { CONDITION: twice(two, s) + twice(data, s) + twice(3, s) > 1; CONFIDENCE: 1; SEVERITY: twice; }
