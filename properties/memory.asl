// SPDX-License-Identifier: BSD-3-Clause
// Asked by default, with `sharing`: what memory costs, on any machine, for users who are no performance experts.
//
// MemoryStall         of the phase's processor time, more than STALL_THRESHOLD is lost to memory in
//                     this region: an estimate, whose range the report prints (docs/truth.md).
//                     Severity: that time.
// LastLevelMissRate   more than LLC_THRESHOLD of the loads and stores go to main memory.
// FetchExcess         each byte that the region uses makes the first cache fetch more than
//                     FETCH_THRESHOLD bytes: lines come in and leave again mostly unused, as with
//                     long strides or records of which one member is read.  Code that walks
//                     through memory once, in order, has 1; code that reuses what it fetched
//                     has less.  Lines that go because another thread writes them are not meant
//                     (that is what `sharing` asks): they must be less than half of the misses.
//                     Severity: of what memory takes there, the part of the bytes not used.
// The severity of LastLevelMissRate is rate x time.  That says something where the time goes by with
// accesses, and nothing where threads wait: a loop that waits for another thread's flag makes few
// accesses, most of them miss, and its time is as long as the wait.  So the last two hold only where
// memory may cost (est_stall_high) more than STALL_PART of the processor time spent there, and more
// than STALL_THRESHOLD of the phase's; of a structure, DATA_THRESHOLD of that in the region.
//
// Where memory delivers lines for more than BANDWIDTH_PART of the time, its bandwidth is what is
// lacking, and the advice is fewer bytes.
//
// Each has a form for data structures, which is asked where the region's holds.  A structure is
// named for MemoryStall when it has DATA_PART of what its region loses, and that is DATA_THRESHOLD
// of the phase's time: a region's loss may come from several structures.
//
// These three are few on purpose: they say whether memory matters, and where, on a first page that
// can be read whole.  `sharing` says whether threads take cache lines from one another; a program
// with one thread has nothing of it.  `faults` says what memory that is new in each execution costs.  Other files give details and are asked for by name, alone or
// together (--properties memory,levels):
//
//     levels      which cache level misses, loads or stores, and how slow the loads are
//     balance     whether the threads and the processes have the same work
//     numa        whether the accesses go to the memory of another node
//     paper       the properties of the paper, with its thresholds
//
// Thresholds are ours; change one with --set STALL_THRESHOLD=0.1.
const float STALL_THRESHOLD = 0.05;
const float DATA_THRESHOLD = 0.01;
const float DATA_PART = 0.1;
const float LLC_THRESHOLD = 0.01;
const float FETCH_THRESHOLD = 2;
const float STALL_PART = 0.05;
const float BANDWIDTH_PART = 0.5;

// The phase may wait for memory at all: else nothing of this file is reported.
bool memory_matters(SeqPerf s) = s.phase_est_stall_high > STALL_THRESHOLD * s.phase_cpu_time;

// The misses here may take that part of the time that the threads spend here.
bool may_take(float part, SeqPerf s) = s.est_stall_high > part * s.cpu_time AND memory_matters(s);

// Most misses are the threads' own: no other thread had written the line.
bool mostly_own(SeqPerf s) = 2 * s.coherence_miss < s.lc1_data_miss;

// Memory delivers about as much as it can: bandwidth is what is lacking.
bool bandwidth_lacks(float least, float time) = least > BANDWIDTH_PART * time;

// Misses of a kind; most: their class; pages: the part of page walks that large pages save, below 0: not known.
string why(MemoryKind kind, MemoryKind most, bool full, string distance, float pages) = kind
		== STREAM
	? (full
		? "lines come one after the other as fast as memory delivers them"
		: "lines come one after the other and are fetched ahead; memory could deliver more")
	: kind == STRIDED
	? "the accesses go in large steps"
	: kind == GATHER
	? "its lines come in no order that is fetched ahead"
	: kind == GUESSED
	? "each access waits for a branch on the one before"
	: kind == CHAINED
	? "each load waits for the one before"
	: kind == CONFLICT
	? "lines displace one another from few sets of a cache that has room for them"
	: kind == CAPACITY
	? distance
	: kind == TLB AND most == STRIDED
	? "each access is in another page, and most of it is the search for pages"
	: kind == TLB AND pages >= 0 AND pages <= LARGE_PAGES_PART
	? "most of it is the search for pages, which large pages do not make shorter on this machine"
	: kind == TLB
	? "most of it is the search for pages"
	: kind == COPY
	? "most of what is accessed there is copied"
	: kind == TRUE_SHARING
	? "threads read and write the same data in turn"
	: kind == FALSE_SHARING
	? "other threads write other bytes of the same lines"
	: "other threads write the same lines";

// Large pages against page walks, by the part of these that they save.
const float LARGE_PAGES_PART = 0.1;
string fewer_walks(float pages) = pages < 0
	? "loops that stay longer in a page; large pages may help (for memory of malloc: GLIBC_TUNABLES=glibc.malloc.hugetlb=1), which was not measured here"
	: pages > LARGE_PAGES_PART
	? "large pages (for memory of malloc: GLIBC_TUNABLES=glibc.malloc.hugetlb=1), or loops that stay longer in a page"
	: "loops that stay longer in a page";

// What to do against them.
string cure(MemoryKind kind, MemoryKind most, bool full, string block, float pages) = kind == STREAM
	? (full
		? "only fewer bytes help, by using what was fetched for more (blocks, fused loops) or by a smaller type"
		: "use what was fetched for more before it leaves the nearer caches (blocks, fused loops)")
	: kind == STRIDED
	? "let the innermost loop run over the index that is contiguous in memory (the first in Fortran, the last in C), or pad the leading dimension"
	: kind == GATHER
	? "if an index says where, sort or block it; else let the innermost loop run over the index that is contiguous in memory (the first in Fortran, the last in C), or split a loop that uses many arrays"
	: kind == GUESSED
	? "fewer levels, or several searches at once, let the misses overlap"
	: kind == CHAINED
	? "an array instead of the chain, nodes that lie together, or several chains at once"
	: kind == CONFLICT
	? "let the innermost loop run over the index that is contiguous in memory, pad rows whose length is a power of two, or move one of the arrays that begin at the same offset in a page"
	: kind == CAPACITY
	? block
	: kind == TLB AND most == STRIDED
	? "let the innermost loop run over the index that is contiguous in memory (the first in Fortran, the last in C)"
	: kind == TLB
	? fewer_walks(pages)
	: kind == COPY
	? "work on it where it is"
	: kind == TRUE_SHARING
	? "let each work on its own and join the results at the end (reduction)"
	: kind == FALSE_SHARING
	? "keep what each thread writes a line apart"
	: "keep what each thread writes a line apart, and let each have its own of what all write";

// Copies: of what, for which calls, how much.
string copy_why(SeqPerf s) = s.copies == SECTION
	? "the section of an array is copied to a temporary and back"
	: s.copies == ARGUMENT
	? "it is copied, passed by value"
	: s.copies == OBJECT
	? "objects are copied, with all that they hold"
	: "it is copied as a whole";
bool for_calls(SeqPerf s, MemoryKind kind) =
	kind == COPY AND (s.copies == SECTION OR s.copies == ARGUMENT) AND s.copied_for > 0;
string copy_for(SeqPerf s, MemoryKind kind) = for_calls(s, kind) ? " for calls of " : "";
string copy_callees(SeqPerf s, MemoryKind kind) = for_calls(s, kind) ? s.copied_for_names : "";
// Not known of what a library copies.
bool bytes_known(SeqPerf s, MemoryKind kind) = kind == COPY AND s.copied_bytes > 0;
string copy_bytes(SeqPerf s, MemoryKind kind) = bytes_known(s, kind) ? s.copied : "";
string copy_colon(SeqPerf s, MemoryKind kind) = bytes_known(s, kind) ? ": " : "";
string copy_each(SeqPerf s, MemoryKind kind) = bytes_known(s, kind) ? " an execution" : "";
string copy_cure(SeqPerf s) = s.copies == SECTION
	? "make the index that is fixed there the last one, so that the section is contiguous, or the dummy assumed-shape (:)"
	: s.copies == ARGUMENT
	? "pass a reference (const &) or a pointer in place of the value"
	: s.copies == OBJECT
	? "a reference (const &) in place of the copy, or std::move where the original is done with"
	: "use it where it is (a reference, a pointer), or swap pointers in place of copying";

// Steps of an index, which no order of the loops makes smaller.
bool steps_by_index(DataPerf d, MemoryKind kind) = kind == STRIDED AND d.indexed > 0;

// Misses of nodes that hang on one another: where the next one lies is no matter of loops.
bool scattered(MemoryKind kind) =
	kind == GATHER OR kind == GUESSED OR kind == CHAINED OR kind == TLB OR kind == STRIDED;
bool of_nodes(DataPerf d) =
	scattered(d.memory_kind) AND NOT (d.indexed > 0) AND d.nodes != NO_NODES;
string nodes_why(DataPerf d) = d.nodes == HASH_TABLE
	? (d.memory_class == CHAINED
		? "each node of the hash table is found by the one before"
		: "the nodes of the hash table lie anywhere, one for each element")
	: d.nodes == TREE
	? (d.memory_class == CHAINED OR d.memory_class == GUESSED
		? "each node of the tree is found by the one above"
		: "the nodes of the tree lie anywhere, one for each element")
	: d.memory_class == CHAINED
	? "each node of the list is found by the one before"
	: "the nodes of the list lie anywhere, one for each element";
string nodes_cure(DataPerf d) = d.nodes == HASH_TABLE
	? "one flat table (open addressing), or look several up at once"
	: d.nodes == TREE
	? "a sorted array or a B-tree, or several searches at once"
	: "an array (vector) in place of it, or nodes in the order of the walk";

// The same for a data structure.
string data_why(DataPerf d, bool full) = d.memory_kind == RECORD
	? d.record_use
	: d.memory_kind == COPY
	? copy_why(d)
	: of_nodes(d)
	? nodes_why(d)
	: d.memory_kind == LOCK
	? locks_why(d)
	: d.memory_kind == CONTENTION
	? contention_why(d)
	: steps_by_index(d, d.memory_kind)
	? "an index says where, in large steps"
	: why(d.memory_kind, steps_by_index(d, d.memory_class) ? GATHER : d.memory_class, full,
		d.reused_after, d.large_pages);
string index_cure() =
	"sort or block the index, or store what it reads in the order in which it is read";
// Records that are visited in no order: of the lines of each, one at least comes in none.
bool visited(DataPerf d) = 4 * d.gather_miss > d.lc1_data_miss;
string data_cure(DataPerf d, bool full) = d.memory_kind == COPY
	? copy_cure(d)
	: of_nodes(d)
	? nodes_cure(d)
	: steps_by_index(d, d.memory_kind)
	? index_cure()
	: d.memory_kind == LOCK
	? locks_cure(d)
	: d.memory_kind == CONTENTION
	? contention_cure(d)
	: d.memory_kind != RECORD
	? cure(d.memory_kind, steps_by_index(d, d.memory_class) ? GATHER : d.memory_class, full,
		d.blocking, d.large_pages)
	: visited(d)
	? " into a struct of their own"
	: " into arrays of their own, or into a struct of their own";
// What comes before it: "put x, y, z", the members that are used.
string put(DataPerf d) = d.memory_kind == RECORD ? "put " : "";
string names(DataPerf d) = d.memory_kind == RECORD ? d.record_names : "";

PROPERTY MemoryStall(SeqPerf s) {
	LET
		float share = s.est_stall / s.phase_cpu_time;
		bool full = bandwidth_lacks(s.bandwidth_time, s.cpu_time);
	IN
	CONDITION: share > STALL_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: s.est_stall;
	WHY: "{s.memory_kind == COPY ? copy_why(s) : why(s.memory_kind, s.memory_class, full, s.reused_after, s.large_pages)}{copy_for(s, s.memory_kind)}{copy_callees(s, s.memory_kind)}{copy_colon(s, s.memory_kind)}{copy_bytes(s, s.memory_kind)}{copy_each(s, s.memory_kind)}";
	DO: "{s.memory_kind == COPY ? copy_cure(s) : cure(s.memory_kind, s.memory_class, full, s.blocking, s.large_pages)}";
}

PROPERTY MemoryStallOfData(DataPerf d) REFINES MemoryStall {
	LET
		float share = d.est_stall / d.phase_cpu_time;
		bool full = bandwidth_lacks(d.region_bandwidth_time, d.cpu_time);
	IN
	CONDITION: share > DATA_THRESHOLD AND d.est_stall > DATA_PART * d.region_est_stall;
	CONFIDENCE: 1;
	SEVERITY: d.est_stall;
	WHY: "{data_why(d, full)}{copy_for(d, d.memory_kind)}{copy_callees(d, d.memory_kind)}{copy_colon(d, d.memory_kind)}{copy_bytes(d, d.memory_kind)}{copy_each(d, d.memory_kind)}";
	DO: "{put(d)}{names(d)}{data_cure(d, full)}";
}

// What makes lines go to main memory less often; where most misses are of lines that other threads wrote, not that.
string fewer_fetches(MemoryKind kind) = kind == FALSE_SHARING OR kind == SHARING OR kind == LOCK
	? "keep what each thread writes a line apart"
	: kind == TRUE_SHARING OR kind == CONTENTION
	? "let each thread work on its own data and join the results at the end (reduction)"
	: kind == COPY
	? "work on it where it is"
	: "work on smaller blocks, or use what was fetched for more before going on";

PROPERTY LastLevelMissRate(SeqPerf s) {
	LET
		float rate = s.llc_data_miss / s.memory_access;
	IN
	CONDITION: rate > LLC_THRESHOLD AND may_take(STALL_PART, s);
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
	WHY: "{rate %} of the loads and stores go to main memory";
	DO: "{fewer_fetches(s.memory_kind)}";
}

PROPERTY LastLevelMissRateOfData(DataPerf d) REFINES LastLevelMissRate {
	LET
		float rate = d.llc_data_miss / d.memory_access;
	IN
	CONDITION: rate > LLC_THRESHOLD AND may_take(DATA_THRESHOLD, d);
	CONFIDENCE: 1;
	SEVERITY: d.llc_data_miss * access_time(d);
	WHY: "{rate %} of the accesses to {d.structure.name} ({d.structure.size}) go to main memory";
	DO: "{d.memory_kind == COPY ? copy_cure(d) : of_nodes(d) ? nodes_cure(d) : fewer_fetches(d.memory_kind)}";
}

// What makes accesses dense, by the kind of most misses; for CAPACITY, by their class.
string dense_cure(MemoryKind kind) = kind == CONFLICT
	? "pad rows whose length is a power of two, or let the innermost loop run over the index that is contiguous in memory"
	: kind == STREAM
	? "put the members that the loop uses into arrays of their own"
	: kind == COPY
	? "work on it where it is"
	: kind == STRIDED
	? "let the innermost loop run over the index that is contiguous in memory (the first in Fortran, the last in C), or put what it uses side by side"
	: "if an index says where they go, sort or block it; else let the innermost loop run over the index that is contiguous in memory (the first in Fortran, the last in C)";

MemoryKind dense_kind(DataPerf d) = d.memory_kind == CAPACITY ? d.memory_class : d.memory_kind;
string dense_data_cure(DataPerf d) = d.memory_kind == RECORD
	? data_cure(d, FALSE)
	: d.memory_kind == COPY
	? copy_cure(d)
	: of_nodes(d)
	? nodes_cure(d)
	: steps_by_index(d, dense_kind(d))
	? index_cure()
	: dense_cure(dense_kind(d));

PROPERTY FetchExcess(SeqPerf s) {
	LET
		float excess = s.fetched_bytes / s.bytes_accessed;
	IN
	CONDITION: excess > FETCH_THRESHOLD
		AND may_take(STALL_PART, s)
		AND mostly_own(s);
	CONFIDENCE: 1;
	SEVERITY: s.est_stall * (1 - 1 / excess);
	WHY: "each byte used costs {excess} bytes fetched";
	DO: "{dense_cure(s.memory_kind == CAPACITY ? s.memory_class : s.memory_kind)}";
}

PROPERTY FetchExcessOfData(DataPerf d) REFINES FetchExcess {
	LET
		float excess = d.fetched_bytes / d.bytes_accessed;
	IN
	CONDITION: excess > FETCH_THRESHOLD
		AND may_take(DATA_THRESHOLD, d)
		AND mostly_own(d);
	CONFIDENCE: 1;
	SEVERITY: d.est_stall * (1 - 1 / excess);
	WHY: "each byte used of {d.structure.name} costs {excess} bytes fetched";
	DO: "{put(d)}{names(d)}{dense_data_cure(d)}";
}
