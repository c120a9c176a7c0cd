
const float REMOTE_THRESHOLD = 0.2;
const float REMOTE_LOADS = 0.01;
const float REMOTE_FACTOR = 1.5;
const float ONE_NODE = 0.9;
float remote_share_of(MRIParPerf m, int t) =
	m.remote_access[t] / (m.remote_access[t] + m.local_access[t]);
float remote_total(MRIParPerf m) = SUM(m.remote_access[t] WHERE t IN m.nThreads);
float local_total(MRIParPerf m) = SUM(m.local_access[t] WHERE t IN m.nThreads);
float misplaced(ObjectFlow o) =
	1 - SUM(o.access_by_node[n] * o.pages_on_node[n] WHERE n IN o.nNodes)
	/ (SUM(o.access_by_node[n] WHERE n IN o.nNodes)
	* SUM(o.pages_on_node[n] WHERE n IN o.nNodes));
PROPERTY RemoteAccess(SeqPerf s) {
	LET
		float share = s.remote_access / (s.remote_access + s.local_access);
	IN
	CONDITION: share > REMOTE_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: s.remote_access / s.memory_access * s.exec_time;
	ADVICE: "{share %} of what comes from main memory comes from another memory node: let the thread that uses the data first touch it";
}
PROPERTY RemoteAccessOfData(DataPerf d) REFINES RemoteAccess {
	LET
		float share = d.remote_access / (d.remote_access + d.local_access);
	IN
	CONDITION: share > REMOTE_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: d.remote_access * access_time(d);
	ADVICE: "{share %} of the fetches of {d.structure.name} come from another memory node: initialise it in parallel, as it is used";
}
PROPERTY RemoteLatency(SeqPerf s) {
	LET
		float share = s.lat_remote / s.read_access;
	IN
	CONDITION: share > REMOTE_LOADS;
	CONFIDENCE: 1;
	SEVERITY: s.lat_r