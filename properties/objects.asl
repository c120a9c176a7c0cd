// SPDX-License-Identifier: BSD-3-Clause
// Data structures used from the wrong memory node: which pattern of use it is, who uses it, and what to change.  Each property is
// a pattern with one change of its own, and at most one of them holds for a structure:
//
// RemoteUseAfterAllocation   one thread alone uses it, on another node than the pages are.
// PrivatePartsElsewhere      several threads use it, each a part of its own, and more than ELSEWHERE_SHARE of it is on another
//                            node than the thread that uses it: an array that one thread filled for all, or many small
//                            blocks that one thread allocated for others.
// AlternatingRemoteUse       several threads use the same parts of it, one after the other.
// ConcurrentRemoteReads      several threads use the same parts of it at the same time, and only read them.
// SharedInGroup              the same, and some write it; the users are some threads of several that run: a group.
// OverloadedNode             the same; the users are all threads, and the node where it is serves more than LOAD_THRESHOLD
//                            times what each node would if all served alike.
// ConcurrentRemoteUse        the same, and that node has no more to do than others.
//
// One more is about many structures at once:
//
// FilledByOneThread          structures of which each costs too little for a pattern of its own, and which one thread touched
//                            first, as where a program's serial part fills all of its arrays, cost enough together.
//
// The patterns ask for more than REMOTE_SHARE of its fetches from main memory to come from another node than the thread's, and for that to
// cost more than REMOTE_TIME of the phase's processor time.  Severity: that time, by the latencies of the machine model.  What
// requests lose by waiting at a node for one another is not in it.
//
// The collector `sim` has all of this on a machine model with several nodes on which the threads run on more than one
// (psc_frontend --machine epyc-2s --threads-on spread).  The node of a page is that of the thread that touched it first,
// as the kernel's page-fault events tell.  Structures are variables, blocks of an allocation, mapped files and large arrays on
// stacks; pages of code are not simulated.
//
// Thresholds are ours; change one with --set REMOTE_SHARE=0.5.
const float REMOTE_SHARE = 0.2;
const float REMOTE_TIME = 0.01;
const float PRIVATE_SHARE = 0.8;
const float ELSEWHERE_SHARE = 0.2;
const float LOAD_THRESHOLD = 1.5;
const float WRITTEN_SHARE = 0.001;
const float MOST_SHARE = 0.6;

// More than a few of its fetches come from another node, and that costs something.
float far_share(ObjectFlow o) = o.remote_access / (o.remote_access + o.local_access);
bool far(ObjectFlow o) =
	far_share(o) > REMOTE_SHARE AND o.remote_time > REMOTE_TIME * o.phase_cpu_time;

// Several threads use it, and the same parts of it.
bool in_parts(ObjectFlow o) = o.nUsers > 1 AND o.one_user_share > PRIVATE_SHARE;
bool in_common(ObjectFlow o) = o.nUsers > 1 AND NOT (o.one_user_share > PRIVATE_SHARE);
bool in_turn(ObjectFlow o) = in_common(o) AND o.use == ALTERNATING_USE;
bool at_once(ObjectFlow o) = in_common(o) AND NOT (o.use == ALTERNATING_USE);
bool is_written(ObjectFlow o) = o.write_access > WRITTEN_SHARE * (o.read_access + o.write_access);
bool by_group(ObjectFlow o) =
	o.nProcesses > 1 OR o.nUsers < o.nThreads OR o.group_share > PRIVATE_SHARE;
string of_process(ObjectFlow o) = o.nProcesses > 1 ? " of one process of several" : "";
bool overloaded(ObjectFlow o) = o.home_load > LOAD_THRESHOLD;
bool concentrated(ObjectFlow o) = o.home_share * o.nThreadNodes > LOAD_THRESHOLD;

// ", allocated at f.c:9; first touched by thread 0 at f.c:11", as far as that is known.
string allocated(ObjectFlow o) = o.allocated_at == "" ? "" : ", allocated at ";
bool one_toucher(ObjectFlow o) = o.first_toucher_share > MOST_SHARE;
string touched(ObjectFlow o) = o.first_touched_by == ""
	? ""
	: o.first_toucher_share > MOST_SHARE AND o.first_toucher_share < 0.99
	? "; mostly first touched by "
	: "; first touched by ";
string toucher(ObjectFlow o) =
	o.first_touched_by == "" OR one_toucher(o) ? o.first_touched_by : "several threads";
string touched_at(ObjectFlow o) =
	o.first_touched_by == "" OR o.first_touched_at == "" OR NOT one_toucher(o) ? "" : " at ";
string touch_line(ObjectFlow o) = touched_at(o) == "" ? "" : o.first_touched_at;

PROPERTY RemoteUseAfterAllocation(ObjectFlow o) {
	CONDITION: far(o) AND o.nUsers == 1;
	CONFIDENCE: 1;
	SEVERITY: o.remote_time;
	WHY: "{o.users} alone uses {o.structure.name} and fetches {far_share(o) %} of it from another node than its own; node {o.home_node} serves most of it{allocated(o)}{o.allocated_at}{touched(o)}{toucher(o)}{touched_at(o)}{touch_line(o)}";
	DO: "let {o.users} allocate and fill {o.structure.name}, or place it on that thread's node: numa_alloc_onnode(size, node), or mbind(p, size, MPOL_BIND, ..) before it is first written; where it is filled before that thread is known, move_pages() once";
	FIX: BIND;
}

PROPERTY PrivatePartsElsewhere(ObjectFlow o) {
	CONDITION: far(o) AND in_parts(o) AND o.elsewhere_share > ELSEWHERE_SHARE;
	CONFIDENCE: 1;
	SEVERITY: o.remote_time;
	WHY: "{o.users} use {o.structure.name} each in a part of its own ({o.one_user_share %} of it), but {far_share(o) %} of the fetches come from another node{allocated(o)}{o.allocated_at}{touched(o)}{toucher(o)}{touched_at(o)}{touch_line(o)}";
	DO: "let each thread allocate, or first write, what it alone uses of {o.structure.name}: fill it in a parallel loop with the schedule of the loop that uses it, or call malloc (numa_alloc_local) in the thread that uses the block";
	FIX: BIND;
}

PROPERTY AlternatingRemoteUse(ObjectFlow o) {
	CONDITION: far(o) AND in_turn(o);
	CONFIDENCE: 1;
	SEVERITY: o.remote_time;
	WHY: "{o.users} use {o.structure.name} one after the other, on {o.nUserNodes} nodes; node {o.home_node} serves {o.home_share %} of its fetches, and {far_share(o) %} of the fetches come from another node{allocated(o)}{o.allocated_at}{touched(o)}{toucher(o)}{touched_at(o)}{touch_line(o)}";
	DO: "let the threads that use {o.structure.name} one after the other run on one node (OMP_PLACES, pthread_setaffinity_np), or move it with the work: move_pages(), or a copy, where the next thread begins and uses it long enough";
	FIX: THREADS;
}

PROPERTY ConcurrentRemoteReads(ObjectFlow o) {
	CONDITION: far(o) AND at_once(o) AND NOT is_written(o);
	CONFIDENCE: 1;
	SEVERITY: o.remote_time;
	WHY: "{o.users} read {o.structure.name} at the same time, on {o.nUserNodes} nodes, and none writes it in the phase; node {o.home_node} serves {o.home_share %} of its fetches, and {far_share(o) %} of the fetches come from another node{allocated(o)}{o.allocated_at}{touched(o)}{toucher(o)}{touched_at(o)}{touch_line(o)}";
	DO: "keep a copy of {o.structure.name} on each node, made once it has its values: for each node copy[n] = numa_alloc_onnode(size, n) and memcpy(copy[n], {o.structure.name}, size); threads read copy[numa_node_of_cpu(sched_getcpu())]; if it is written again between executions of the phase, let its pages lie on all nodes in turn instead (numa_alloc_interleaved)";
	FIX: REPLICATE;
}

PROPERTY SharedInGroup(ObjectFlow o) {
	CONDITION: far(o) AND at_once(o) AND is_written(o) AND by_group(o);
	CONFIDENCE: 1;
	SEVERITY: o.remote_time;
	WHY: "{o.nUsers} of {o.nThreads} threads{of_process(o)} ({o.users}) read and write {o.structure.name} at the same time, on {o.nUserNodes} nodes, and {far_share(o) %} of the fetches come from another node{allocated(o)}{o.allocated_at}{touched(o)}{toucher(o)}{touched_at(o)}{touch_line(o)}";
	DO: "let the threads that share {o.structure.name} run on one node, and one of them allocate it: OMP_PLACES, pthread_setaffinity_np, or for each process numactl --cpunodebind=N --localalloc";
	FIX: THREADS;
}

PROPERTY OverloadedNode(ObjectFlow o) {
	CONDITION: far(o) AND at_once(o) AND is_written(o) AND NOT by_group(o) AND overloaded(o);
	CONFIDENCE: 1;
	SEVERITY: o.remote_time;
	WHY: "{o.users} read and write {o.structure.name} at the same time, on {o.nUserNodes} nodes; node {o.home_node} serves {o.home_share %} of its fetches, and {o.home_load} times an even share of all fetches{allocated(o)}{o.allocated_at}{touched(o)}{toucher(o)}{touched_at(o)}{touch_line(o)}";
	DO: "let the pages of {o.structure.name} lie on all nodes in turn: numa_alloc_interleaved(size), mbind(p, size, MPOL_INTERLEAVE, ..) before it is first written, or numactl --interleave=all";
	FIX: INTERLEAVE;
}

PROPERTY ConcurrentRemoteUse(ObjectFlow o) {
	CONDITION: far(o)
		AND at_once(o)
		AND is_written(o)
		AND NOT by_group(o)
		AND NOT overloaded(o)
		AND concentrated(o);
	CONFIDENCE: 1;
	SEVERITY: o.remote_time;
	WHY: "{o.users} read and write {o.structure.name} at the same time, on {o.nUserNodes} nodes, and {far_share(o) %} of the fetches come from another node{allocated(o)}{o.allocated_at}{touched(o)}{toucher(o)}{touched_at(o)}{touch_line(o)}";
	DO: "let the threads that use {o.structure.name} most run on its node, {o.home_node}, where that leaves no processors idle; else divide it so that each thread keeps to a part on its node";
	FIX: THREADS;
}

// Structures that are too cheap for a pattern of their own.
setof ObjectFlow too_cheap(ThreadFlow f) = { o IN f.structures
	WITH o.remote_access > 0
		AND far_share(o) > REMOTE_SHARE
		AND NOT (o.remote_time > REMOTE_TIME * o.phase_cpu_time)
		AND o.first_touched_by != ""
		AND one_toucher(o) };

PROPERTY FilledByOneThread(ThreadFlow f) {
	LET
		int many = COUNT(o WHERE o IN too_cheap(f));
		float together = SUM(o.remote_time WHERE o IN too_cheap(f));
		float most = MAX(o.remote_time WHERE o IN too_cheap(f));
		int dearest = COUNT(o WHERE o IN too_cheap(f) AND o.remote_time == most);
		string dearest_is = dearest == 1 ? "; the dearest is " : "";
		string dearest_name = dearest == 1
			? UNIQUE({ o IN too_cheap(f) WITH o.remote_time == most }).structure.name
			: "";
	IN
	CONDITION: many > 1 AND together > REMOTE_TIME * f.phase_cpu_time;
	CONFIDENCE: 1;
	SEVERITY: together;
	WHY: "{many} data structures, each of which costs little, lie on another node than the threads that use them, since one thread touched each of them first{dearest_is}{dearest_name}";
	DO: "fill these structures in parallel loops with the schedule of the loops that use them, so that each thread touches its part first; or let all pages lie on all nodes in turn: numactl --interleave=all";
}
