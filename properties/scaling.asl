// SPDX-License-Identifier: BSD-3-Clause
// What would hold a run with more threads up, predicted from a run with few.
//
// BusyNodeAhead   with AT_THREADS threads (0: all CPUs of the machine model) one memory node would serve more than BUSY_LOAD times
//                 an even share of all lines from memory, even at the lower end of the range, and most of that is one structure.
//
// Not asked by default: a prediction is no loss of the run.  It needs a machine model of several nodes and threads on two of
// them (psc_frontend --machine epyc-2s --threads-on spread).  It takes for granted that the threads divide the same work and that
// the same part of them touches the pages first; what each thread repeats is in the upper end of the range alone.
//
// Severity: what memory costs of the structure in the run, times the part of the node's load above an even share: an index.
//
// Thresholds are ours; change one with --set AT_THREADS=16.
const int AT_THREADS = 0;
const float BUSY_LOAD = 1.5;
const float BUSY_PART = 0.5;

int then(ObjectFlow o) = AT_THREADS > 0 ? AT_THREADS : o.nCPUs;
// Nodes that these threads use.
float nodes_then(ObjectFlow o) = o.busy_load_at[then(o)] / o.busy_share_at[then(o)];

PROPERTY BusyNodeAhead(ObjectFlow o) {
	CONDITION: then(o) > o.nThreads
		AND nodes_then(o) > 1
		AND o.busy_share_at_least[then(o)] * nodes_then(o) > BUSY_LOAD
		AND o.busy_part_at[then(o)] > BUSY_PART;
	CONFIDENCE: 1;
	SEVERITY: o.est_stall * (1 - 1 / o.busy_load_at[then(o)]);
	WHY: "with {then(o)} threads node {o.busy_node_at[then(o)]} would serve {o.busy_share_at[then(o)] %} ({o.busy_share_at_least[then(o)] %} to {o.busy_share_at_most[then(o)] %}) of the lines from memory, {o.busy_load_at[then(o)]} times an even share; {o.structure.name} is {o.busy_part_at[then(o)] %} of them";
	DO: "let the threads that use {o.structure.name} touch their parts of it first, keep a copy of it on each node if it is only read, or interleave its pages";
}
