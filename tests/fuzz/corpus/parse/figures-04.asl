PROPERTY TEMPLATE UnbalancedDMissRateInThreads
<float MissRateParFunc(MRIParPerf, int)>
(MRIParPerf mpp){
LET
const float threshold;
float mean = mean_func_t(MissRateParFunc, mpp);
float max = max_func_t(MissRateParFunc, mpp);
float min = min_func_t(MissRateParFunc, mpp);
float dev_to_max = max - mean;
float dev_to_min = mean - min;
float max_exec_time=MAX(mpp.parT[tid] WHERE tid IN mpp.nThreads);
IN
CONDITION : MAX(dev_to_max, dev_to_min) / mean > threshold;
CONFIDENCE : 1;
SEVERITY
: MAX(dev_to_max, dev_to_min) / mean * max_exec_time;
}
PROPERTY UnbalancedDMissRateInThreads<LC1DReadMissRateParFunc>
UnbalancedLC1DReadMissRatePar;
PROPERTY UnbalancedDMissRateInThreads<LC2DReadMissRateParFunc>
UnbalancedLC2DReadMissRatePar;
PROPERTY UnbalancedDMissRateInThreads<LC3DReadMissRateParFunc>
UnbalancedLC3DReadMissRatePar;
