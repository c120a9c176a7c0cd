// SPDX-License-Identifier: BSD-3-Clause
// Memory nodes.  On a machine with several sockets or memory nodes (NUMA) a processor reaches the
// memory of its own node sooner than that of another.  Where data lies is decided when a page is
// first written to, mostly by the thread that does it: arrays that one thread initialises lie on
// one node, and all threads of the other nodes fetch from there.
//
// RemoteAccess        more than REMOTE_THRESHOLD of what a region fetches from main memory comes
//                     from another node, as told by the node that served each fetch.
// RemoteLatency       the same by time, where the source is not told but the latency is: more than
//                     REMOTE_LOADS of the region's loads take longer than the memory of their own
//                     node does.  Caches that are busy can do that too: where both can be had,
//                     believe RemoteAccess.
// ..OfData            the same for a data structure, where the region's holds.
// RemoteThread        where a region has remote accesses: one thread's share of them is more than
//                     REMOTE_FACTOR times the share of all.  It runs, or its data lies, on the
//                     wrong node, while the others are well placed.
// RemoteNode          of what one memory node serves, more than REMOTE_THRESHOLD goes to other
//                     nodes.
//
// What to change depends on who uses a data structure when: objects.asl, which is asked with this file, tells the pattern
// of its use and the change that goes with it.
//
// Severity is rate x time of the region where there is one: an index to rank by, not time lost;
// else the share itself.
//
// These are a file of their own because a program on one node has nothing of it.  The collector
// `sim` takes the nodes and their distances from the machine model, and a page to lie on the node of
// the thread that touched it first.  Thread n of a process runs on the model's CPU n, or where
// psc_frontend --threads-on (or threads="spread" in the model file) puts it.  Where the
// kernel gives no page-fault events, or too few, all of these properties are undecided.  Nothing
// measures yet what a node serves as a whole (RemoteNode).
//
// Thresholds are ours; change one with --set REMOTE_THRESHOLD=0.5.
const float REMOTE_THRESHOLD = 0.2;
const float REMOTE_LOADS = 0.01;
const float REMOTE_FACTOR = 1.5;

// The share of fetches from another node among those from main memory, of one thread or of all.
float remote_share_of(MRIParPerf m, int t) =
	m.remote_access[t] / (m.remote_access[t] + m.local_access[t]);
float remote_total(MRIParPerf m) = SUM(m.remote_access[t] WHERE t IN m.nThreads);
float local_total(MRIParPerf m) = SUM(m.local_access[t] WHERE t IN m.nThreads);

PROPERTY RemoteAccess(SeqPerf s) {
	LET
		float share = s.remote_access / (s.remote_access + s.local_access);
	IN
	CONDITION: share > REMOTE_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: s.remote_access / s.memory_access * s.exec_time;
	WHY: "{share %} of what comes from main memory comes from another memory node";
	DO: "let the thread that uses the data first touch it";
}

PROPERTY RemoteAccessOfData(DataPerf d) REFINES RemoteAccess {
	LET
		float share = d.remote_access / (d.remote_access + d.local_access);
	IN
	CONDITION: share > REMOTE_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: d.remote_access * access_time(d);
	WHY: "{share %} of the fetches of {d.structure.name} come from another memory node";
}

PROPERTY RemoteLatency(SeqPerf s) {
	LET
		float share = s.lat_remote / s.read_access;
	IN
	CONDITION: share > REMOTE_LOADS;
	CONFIDENCE: 1;
	SEVERITY: s.lat_remote / s.memory_access * s.exec_time;
	WHY: "{share %} of the loads take longer than this node's own memory does";
	DO: "let the thread that uses the data first touch it";
}

PROPERTY RemoteLatencyOfData(DataPerf d) REFINES RemoteLatency {
	LET
		float share = d.lat_remote / d.read_access;
	IN
	CONDITION: share > REMOTE_LOADS;
	CONFIDENCE: 1;
	SEVERITY: d.lat_remote * access_time(d);
	WHY: "{share %} of the loads from {d.structure.name} take longer than this node's own memory does";
}

PROPERTY RemoteThread(MRIParPerf m) REFINES RemoteAccess {
	LET
		float all = remote_total(m) / (remote_total(m) + local_total(m));
		float worst = MAX(remote_share_of(m, t)
			WHERE t IN m.nThreads AND m.remote_access[t] + m.local_access[t] > 0);
		float longest = MAX(m.parT[t] WHERE t IN m.nThreads);
	IN
	CONDITION: worst / all > REMOTE_FACTOR;
	CONFIDENCE: 1;
	SEVERITY: (worst - all) * longest;
	WHY: "one thread fetches {worst %} from another memory node, all threads together {all %}";
	DO: "bind threads to cores (OMP_PROC_BIND=true): a thread that moves leaves the memory that it touched first behind";
}

PROPERTY RemoteNode(NodePerf n) {
	LET
		float share = n.remote_access / n.memory_access;
	IN
	CONDITION: share > REMOTE_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: share;
	WHY: "{share %} of what the memory of {n.node.name} serves goes to other nodes";
	DO: "data that they use lies there";
}
