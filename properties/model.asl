// SPDX-License-Identifier: BSD-3-Clause
// The data model: what a property can ask for.
//
// These declarations are the only place that names metrics.  The agents bind each attribute, by
// its name, to what a collector measured; one that nothing measured is undefined, never 0.
// Every value is of one execution of the phase (per phase execution where several were
// measured), inclusive of subregions and called subroutines, for one process.
//
// Regular names:  lc<n>_data_read_miss    demand loads that missed cache level n
//                 lc<n>_data_write_miss   stores that missed it
//                 lc<n>_data_miss         both
//                 llc_...                 the last level, whatever its number
//                 lat<n>                  loads that take n cycles or more, n a power of two
// Prefetches and write-backs are never in a miss count; without a prefetcher, a TLB, followed
// writes in the machine model their attributes are undefined.  Levels that the machine does not have
// are undefined.  The latency classes are cumulative, as the event counters of the paper's
// Itanium 2 were: lat4 holds lat8, and so on to lat4096.  The collectors `sim` and `burst` model
// them: a load takes what the machine model says of the level that serves it, or of main memory.
// With `perf` they are what the processor sampled, undefined where that is of less than 9/10 of the
// loads.
//
// Units: [s] seconds, [1] a count, [B] bytes, [cycle] processor cycles.

// Kinds of program region, as reports print them.
enum RegionType {
	UNKNOWN_REGION, MAIN_REGION, SUB_REGION, LOOP_REGION, CALL_REGION, IO_REGION,
	BARRIER_REGION, PARALLEL_REGION, SECTIONS_REGION, SECTION_REGION, SINGLE_REGION,
	CRITICAL_REGION, ATOMIC_REGION, ORDERED_REGION, MASTER_REGION, USER_REGION,
	WORKSHARE_REGION, WORKSHARE_SECTIONS, WORKSHARE_DO, TASK_REGION, TASKWAIT_REGION,
	DATA_STRUCTURE
};

// The kinds of misses, by the way they come about (docs/truth.md).
//   STREAM   neighbouring lines, one after the other: fetched ahead
//   STRIDED  a constant step
//   GATHER   addresses that do not depend on one another: misses overlap
//   GUESSED  a branch on loaded data decides what comes next
//   CHAINED  each address is computed from the load before: misses never overlap
//   COPY     most of what is accessed, in order or in steps, is copied: the whole copy can be saved
//   SHARING  another thread wrote the line: other bytes of it (FALSE_SHARING), the same bytes
//            (TRUE_SHARING), or so many of both that each has to be cured (SHARING)
//            Of a data structure in whose lines a lock lies beside other locks or data: LOCK; where all
//            threads update one lock, or the same few bytes: CONTENTION
// Causes that go before these, where they take most of the memory time:
//   TLB      the search for pages
//   CONFLICT lines compete for few sets of a cache that has room for them
//   CAPACITY streams and strides come again in the same execution, after more than the cache holds
//   RECORD   of a data structure that is an array of structs: of each line, little is used, because the
//            code leaves members out; before CAPACITY
enum MemoryKind {
	STREAM, STRIDED, GATHER, GUESSED, CHAINED, SHARING, COPY, TLB, CONFLICT, CAPACITY, RECORD,
	FALSE_SHARING, TRUE_SHARING, LOCK, CONTENTION
};

// What the source copies in a region and in what it calls, the first of: sections of arrays that gfortran copies to a temporary
// for a call, and back; arguments by value; objects of C++ by their copy constructors; other blocks.
enum Copies { NO_COPIES, SECTION, ARGUMENT, OBJECT, BLOCK };

// What the blocks of a data structure are nodes of: a container of the C++ library, or a struct with pointers to its
// own type (one, or several that are called next and the like: a list; else a tree).
enum Nodes { NO_NODES, HASH_TABLE, TREE, LIST };
// Why memory is new in each execution, so that its first touches are page faults.
//   ALLOCATED_AGAIN  malloc gives blocks back to the system when they are released
//   MAPPED_AGAIN     malloc maps each block by itself, and unmaps it
//   GROWN            a list grows: a larger block, and a copy into it
//   REALLOCATED      the same by realloc
//   AUTOMATIC        an automatic array of Fortran, which the compiler allocates at each entry
//   TEMPORARY        a temporary array that the compiler makes (Fortran)
//   FRESH_MEMORY     other memory: of a library, mapped, of new threads, or copied for a child
enum FaultCause {
	ALLOCATED_AGAIN, MAPPED_AGAIN, GROWN, REALLOCATED, AUTOMATIC, TEMPORARY, FRESH_MEMORY
};

// Changes to a data structure, or to where it lies, that a property may name in FIX: those of --what-if whose effect follows from
// the counts (docs/what-if.md).  LARGE_PAGES: pages=2M.
enum Fix { INTERLEAVE, BIND, REPLICATE, THREADS, LARGE_PAGES, DENSE, SPLIT, NOCOPY, PAD };

// The origin of a data structure's memory.
enum Storage { UNKNOWN_STORAGE, STATIC, COMMON, MODULE, HEAP, STACK, MAPPED };

// --- what measurements are about --------------------------------------------------------------
// A host.
class Node {
	string name;                    // of the host
};

// A process of the application.
class Process {
	int rank;                       // in MPI_COMM_WORLD; 0 without MPI
	Node node;
};

// A thread of a process.
class Thread {
	int number;                     // from 0, in the process
	Process process;
};

// A region of the program: a subroutine, a loop, a call, a construct of OpenMP.
class Region {
	string name;                    // of the subroutine, or of the callee; "" for loops
	string file;
	int line;                       // of its first line
	RegionType type;
	Region parent;                  // undefined at the root
};

// A data structure: a variable, an array, a block of COMMON, what is allocated at a place.
class DataStructure {
	string name;                    // with aliases: "v (= rsd)"
	string file;
	int line;                       // of the declaring unit
	float size [B];                 // of all that carries the name; undefined: not known
	float element [B];              // of one element
	Storage storage;
};

// --- per region and process; sums over the threads ---------------------------------------------
// A region in a process: sums over its threads.
class SeqPerf {
	Region region;
	Process process;

	float exec_time [s];              // processor time and waits (barriers, MPI, input and output) of the
	                                  // slowest thread, median of clean executions: another program's
	                                  // load does not change it
	float cpu_time [s];               // processor time without waits, sum over threads
	float wall_time [s];              // of the thread that was there longest: also what other programs took
	float time_spread [1];            // how much exec_time varies between clean executions: distance of the
	                                  // median from the farther quartile / median
	float phase_time [s];             // exec_time of the phase
	float calls [1];                  // executions of the region

	float read_access [1];            // loads
	float write_access [1];           // stores
	float memory_access [1];          // both
	float memory_access_lasting [1];  // those but accesses to temporaries: variables on stacks of less than 4096
	                                  // bytes, and what has no name there
	float bytes_accessed [B];         // sum of the sizes of both
	float copied_bytes [B];           // of these, loaded and stored by copies of blocks of 64 bytes or more, and of sections of
	                                  // arrays; what is stored of an argument by value is not
	string copied;                    // the same: "246 MiB"
	Copies copies;
	float copied_for [1];             // calls that arguments and sections are copied for, as far as the source tells
	string copied_for_names;          // their callees: "eval, f and 2 more"

	float lc1_data_read_miss [1];
	float lc1_data_write_miss [1];
	float lc1_data_miss [1];
	float lc2_data_read_miss [1];
	float lc2_data_write_miss [1];
	float lc2_data_miss [1];
	float lc3_data_read_miss [1];
	float lc3_data_write_miss [1];
	float lc3_data_miss [1];
	float lc4_data_read_miss [1];
	float lc4_data_write_miss [1];
	float lc4_data_miss [1];
	float llc_data_read_miss [1];
	float llc_data_write_miss [1];
	float llc_data_miss [1];
	float tlb_data_read_miss [1];     // loads whose page the last TLB level did not hold
	float tlb_data_write_miss [1];    // stores
	float tlb_data_miss [1];          // both
	float lat4 [1];                   // loads that take 4 cycles or more
	float lat8 [1];
	float lat16 [1];
	float lat32 [1];
	float lat64 [1];
	float lat128 [1];
	float lat256 [1];
	float lat512 [1];
	float lat1024 [1];
	float lat2048 [1];
	float lat4096 [1];
	float lat_remote [1];             // loads slower than this node's main memory

	float lines_fetched_bytes [B];    // bytes of the lines brought into the last level
	float fetched_bytes [B];          // bytes of the lines brought into the first level
	float writeback_bytes [B];        // bytes written back from the last level to memory, of the lines
	                                  // that were stored to here
	float prefetched_lines [1];       // lines that prefetchers brought into any level ahead of accesses
	float prefetch_hits [1];          // accesses that were the first to hit such a line

	// The costs of memory, in thread-seconds of an execution (docs/truth.md): estimates, held against
	// measured losses.  They never exceed the processor time; their share is of phase_cpu_time.
	// With a model of another machine they are times of that machine.
	float est_stall [s];              // processor time lost to misses, waits not included
	float est_stall_low [s];          // 0 <= low <= est_stall <= high
	float est_stall_high [s];
	float phase_cpu_time [s];         // processor time of all threads in the phase: the base
	float phase_est_stall_high [s];   // est_stall_high of the phase
	float memory_time [s];            // what the misses cost if nothing hid them: the sum of these seven
	float stream_time [s];
	float strided_time [s];
	float gather_time [s];
	float guessed_time [s];
	float chained_time [s];
	float sharing_time [s];
	float copy_time [s];              // what copying takes with all data in the first level
	float core_time [s];              // what the code would take with all data in the first level
	float branch_time [s];            // the part of it for mispredicted branches on loaded data: between 0 and
	                                  // twice as much
	float bandwidth_time [s];         // what the lines from and to memory take at least, at the bandwidth
	                                  // that the threads which work at once have together
	float walk_time [s];              // the part of memory_time for page walks
	float large_pages [1];            // the part of walk_time that large pages save, as measured on this host; all of it
	                                  // on another machine's model; -1: not known
	float conflict_time [s];          // the part of memory_time for lines that half of the missed level would
	                                  // hold with all others that missed since; from a sample of the lines,
	                                  // like capacity_time: of few misses, each can be more than memory_time
	float capacity_time [s];          // ... for lines that came again for the same statement and execution after more
	MemoryKind memory_class;          // the largest of these seven
	MemoryKind memory_kind;           // COPY where most bytes are copied, in order or in steps; else the first that takes more than half: CONFLICT, TLB (page walks; not if
	                                  // memory_class is CHAINED or STRIDED, or a third of the misses
	                                  // is STRIDED), CAPACITY (only if it is STREAM); else memory_class,
	                                  // for SHARING the one that three quarters of the misses are of
	float capacity_distance [B];      // median of the reuse distances larger than block_size
	float block_size [B];             // half of the largest cache level of which blocks save at least a third of
	                                  // what blocks of any level save; undefined: they save nothing
	string reused_after;              // "its lines come again after 3 MiB of others (the median)"
	string blocking;                  // "work in blocks of less than 256 KiB (L2), or fuse the loops that use them"
	float reuse_distance [B];         // of lines that miss the first level again: median of the bytes of
	                                  // other lines that missed in between
	float stream_miss [1];            // misses of the first level by kind; lc<n>_stream_miss likewise
	float strided_miss [1];
	float gather_miss [1];
	float guessed_miss [1];
	float chained_miss [1];

	float stall_cycles [cycle];       // sum of misses x extra latency of the machine model, TLBs included
	float miss_latency_sum [s];       // the same in thread-seconds; not a bound of the time lost
	float remote_access [1];          // last-level misses served by another memory node
	float local_access [1];           // ... by this one

	float coherence_miss [1];         // misses because another thread had written the line
	float false_sharing_miss [1];     // of these: only other bytes of the line than this access needs
	float true_sharing_miss [1];      // ... bytes that this access needs
	float false_sharing_time [s];     // misses x latency of the cache they are served from, spread
	float true_sharing_time [s];      // over the threads that ran; not a bound

	// Page faults by first touches, of clean executions; undefined on another machine's model, and where the kernel was
	// not asked.  A structure has those of its heap blocks that are allocated again in each execution.
	float faults [1];
	float fault_time [s];             // number x what one was measured to cost; where clock ticks tell the system
	                                  // time, as much of it as that cost allows
	FaultCause fault_cause;           // of a structure; else FRESH_MEMORY
	float fault_block [B];            // the largest of the structure's blocks
	float fault_left [1];             // the part of its faults that remains if a list grows twice as large each time, 0..1; of
	                                  // a structure that does not grow 0; undefined: not known
	string fault_blocks;              // where the memory is allocated that most of them are of: "grow.c:12 (list)";
	                                  // "": its blocks are too few for the faults of the phase

	bool whole_run;                   // the figures are those of the program's whole run, not of executions of a phase

	// Events of the kernel and the processor's counters, of all instructions that are executed, system
	// calls of the region included where the kernel allows that.  They are counted in executions without
	// recording, and only if a property reads them; psc_frontend --list-metrics says which are known
	// here.  No name is shared with what the collector `sim` counts.  Waits are left out.  Not of data
	// structures, nor of regions that are too brief for markers.
	float event_page_faults [1];
	float event_minor_faults [1];     // without a disk
	float event_major_faults [1];     // with input from a disk
	float event_context_switches [1];
	float event_cpu_migrations [1];
	float event_cycles [1];           // of the processor; this and those below in user mode alone
	float event_instructions [1];
	float event_lc1_data_read_miss [1];
	float event_llc_data_read_miss [1];
	float event_dtlb_read_miss [1];
	float event_dtlb_write_miss [1];
	float event_branch_misses [1];

	SeqPerf excl;                     // the same without subregions and called subroutines
};

// A data structure in a region and process: the same metrics for the accesses to it, plus the totals
// of the region that its share is taken from.
class DataPerf extends SeqPerf {
	DataStructure structure;
	float region_exec_time [s];       // exec_time of the region
	float region_access [1];          // memory_access of the region
	float region_est_stall [s];       // est_stall of the region
	float region_bandwidth_time [s];  // bandwidth_time of the region
	float shared_lines [1];           // lines that one thread wrote and another one touched
	float locks [1];                  // locks in its line with most coherence misses, as far as calls of libraries name them
	float locks_updated [1];          // of these, locks that several threads take
	float updated_bytes [B];          // bytes of that line that several threads write
	// Of an array of structs (derived types), by the source of the region and of what it calls; undefined
	// where the structure is not known to be one, or all members are used:
	float record_size [B];            // of one record
	float record_bytes_used [B];      // of the members used here
	float record_members [1];         // of the type; a member that is a struct counts as its members
	float record_members_used [1];
	string record_use;                // "3 of 9 members are used in the phase (24 of 72 bytes)"; where the phase uses more
	                                  // than the region: "2 of 9 members are used there (16 of 72 bytes; 3 in the phase)"
	string record_names;              // these members: "x, y, z"
	Nodes nodes;                      // by the type of the variable that its blocks are allocated for
	float indexed [1];                // 1: the region, or what it calls, accesses it at an index that is an element of an
	                                  // array, as in a[idx[i]]; else 0
};

// --- per region and process, arrays by thread (0 .. nThreads-1) --------------------------------
// The threads of a region in a process.  Tested on parallel regions and on what runs inside them,
// where the team has several threads.  The threads are those that entered the innermost parallel
// region around, in the order in which they were first seen; a number is not that of
// omp_get_thread_num().  One that never came to a region inside has 0 for its time and its counts
// there, and counts in nThreads.  What a nested parallel region's own team does is not in the
// arrays of the regions around that.
class MRIParPerf {
	Region region;
	Process process;
	int nThreads;
	float exec_time [s];            // of the slowest thread, as in SeqPerf
	float phase_time [s];
	float parT[] [s];               // processor time of the thread in the region, median of clean
	                                // executions; waits are not in it
	float parT_spread [1];          // how much the threads' processor times vary between clean executions:
	                                // farthest distance of a median from a quartile / longest median
	float away_time [s];            // longest time that a thread of the team had no processor in the team's
	                                // region and did not wait: other programs ran, or a call slept
	float waitT[] [s];              // wall time in which the thread waited in the region, in barriers, in
	                                // calls of MPI, in input and output
	float startT[] [s];             // of a parallel region that is in no other: wall time from its fork to the
	                                // begin of the thread's part, summed over the entries; else 0
	float read_access[] [1];
	float write_access[] [1];
	float memory_access[] [1];
	float lc1_data_read_miss[] [1];
	float lc1_data_write_miss[] [1];
	float lc1_data_miss[] [1];
	float lc2_data_read_miss[] [1];
	float lc2_data_write_miss[] [1];
	float lc2_data_miss[] [1];
	float lc3_data_read_miss[] [1];
	float lc3_data_write_miss[] [1];
	float lc3_data_miss[] [1];
	float lc4_data_read_miss[] [1];
	float lc4_data_write_miss[] [1];
	float lc4_data_miss[] [1];
	float llc_data_read_miss[] [1];
	float llc_data_write_miss[] [1];
	float llc_data_miss[] [1];
	float tlb_data_miss[] [1];
	float lat4[] [1];
	float lat8[] [1];
	float lat16[] [1];
	float lat32[] [1];
	float lat64[] [1];
	float lat128[] [1];
	float lat256[] [1];
	float lat512[] [1];
	float lat1024[] [1];
	float lat2048[] [1];
	float lat4096[] [1];
	float est_stall[] [s];          // processor time that this thread loses to misses: an estimate
	float est_stall_low[] [s];
	float est_stall_high[] [s];
	float memory_time[] [s];
	float core_time[] [s];
	float miss_latency_sum[] [s];   // of this thread: misses x extra latency, not a bound
	float remote_access[] [1];
	float local_access[] [1];
	float coherence_miss[] [1];     // misses because another thread had written the line
	float false_sharing_miss[] [1];
	float true_sharing_miss[] [1];
};

// The threads of a region, and one data structure: the same for the accesses to it.
class DataParPerf extends MRIParPerf {
	DataStructure structure;
	float region_access [1];        // loads and stores of the region, by all threads
	float shared_lines [1];         // lines that one thread wrote and another one touched
};

// --- whole application ------------------------------------------------------------------------
// A memory node (module) of a host: what it served.
class NodePerf {
	Node node;
	float memory_access [1];        // from all nodes
	float remote_access [1];        // of these, from other nodes
};

// Calls of MPI in a region and process: sums over its threads (of which one calls MPI, as a rule), from clean executions.  They are looked at if a
// property reads one of these, in programs that psc_mpicc and its like linked, for Open MPI or MPICH; else
// they are undefined.  Waits are found by matching the two ends of each message, and all
// members of each collective, of the processes of a host; where a tenth has no known partner, they are undefined.
class MpiPerf extends SeqPerf {
	float mpi_calls [1];
	float mpi_time [s];              // in functions of MPI
	float mpi_sent [B];              // undefined: of some calls not known (MPI_Alltoallv and the like)
	float mpi_received [B];
	float mpi_messages [1];          // sent and received, without collectives
	float late_sender_time [s];      // receives that wait for the send to begin
	float late_receiver_time [s];    // sends that wait for the receive to begin
	float collective_wait_time [s];  // in collectives, until the last process comes that they need
	float barrier_wait_time [s];     // in MPI_Barrier
	int late_rank;                   // the process that this region waits for longest; undefined: for none
	string late_cause;               // "rank 2, which computes 1.2 ms longer than the mean of the others, ..": the
	                                 // regions in which its processor time exceeds theirs
};

// A region in all processes of the application.  What is selected and folded is worked out where each process is, so
// these sets are only for COUNT SUM MIN MAX AVG STDEV EXISTS FORALL, in which nothing stands but the
// element and constants.
class AppPerf {
	Region region;
	int nProcesses;
	setof SeqPerf regions;          // one per process, of the same region
	setof MRIParPerf threads;
};

// --- over time ---------------------------------------------------------------------------------
// Who uses what when, in the counted executions, one over the other.  Threads are ordered by barriers that they pass together, and
// in between by their accesses; where no such barrier is known, what one thread does before
// another is undefined.  A time is a part of the region's exec_time, as if each access took equally long: an estimate, as are
// figures of single intervals, which are cut at 512 parts of the execution.

// How threads share a data structure.
//   EXCLUSIVE_USE    one thread makes all but a thousandth of the accesses
//   ALTERNATING_USE  hardly ever do several use it in the same part of the execution (at most a tenth of those parts)
//   CONCURRENT_USE   they do
enum Use { EXCLUSIVE_USE, ALTERNATING_USE, CONCURRENT_USE };

// A data structure in a region and process, over time.
class ObjectFlow extends DataPerf {
	int nThreads;                   // of the process; numbers are those of omp_get_thread_num(), other threads behind them
	float access_by_thread[] [1];
	int nNodes;                     // of memory
	float served_by_node[] [1];     // misses of the last level that the node served
	Use use;
	int first_thread;               // that uses it first in the execution
	float first_use [s];            // from the begin of the execution
	float last_use [s];
	float last_write [s];           // undefined: it is never written
	float access_after_write [1];   // accesses behind the last write; all, if it is never written
	// All that is stored; of this, what is overwritten before anything reads it; of that, in cache lines of which the execution
	// had read nothing before.  Counted if a property reads them.
	float written_bytes [B];
	float overwritten_bytes [B];
	float overwritten_first [B];
	// Its 256ths that the phase accesses, in bytes, as a sample of the accesses shows them; undefined: accesses were not
	// drawn by address (psc_frontend --timeline), or there are too few of them to know.
	float touched_bytes [B];
	int nProcesses;                 // of the application, on this host
	// Memory nodes.  A user is a thread with a thousandth of its accesses or more.
	int nUsers;
	string users;                   // "threads 0 to 3"
	int nUserNodes;                 // nodes on which users run
	int nThreadNodes;               // nodes on which threads of the phase run
	int home_node;                  // that serves most of its misses of the last level
	float home_share [1];           // of these, what it serves
	float home_load [1];            // what that node serves of all misses of the phase, over an even share of nThreadNodes
	// What memory costs of it because lines come from another node than the thread's; queues are not modelled.
	float remote_time [s];
	// Predicted for a run with as many threads as the index says, up to nCPUs, those of the machine model: the same work
	// divided among them, the same part of them touching the pages first.  Lines from memory of an execution, with a range.
	// Of the memory node that would serve most of all lines of the phase: its number, its share, with a range, that share over
	// an even one of the nodes in use, and which part of it is this structure's; undefined where all threads of the run are on one
	// node (psc_frontend --threads-on spread).  How far predictions are right: docs/truth.md.
	int nCPUs;
	float lines_at[] [1];
	float lines_at_least[] [1];
	float lines_at_most[] [1];
	int busy_node_at[];
	float busy_share_at[] [1];
	float busy_share_at_least[] [1];
	float busy_share_at_most[] [1];
	float busy_load_at[] [1];
	float busy_part_at[] [1];
	// Of the parts of it that the phase uses (what one page and one block have in common), in bytes:
	int first_toucher;              // the thread that touched most of them first, since the program began
	float first_toucher_share [1];  // its part of them
	string first_touched_by;        // "thread 0"; "": not known
	string first_touched_at;        // the line of most of these first touches, "f.c:11"; "": not known
	string allocated_at;            // where it is allocated; "": in several places, or not known
	float one_user_share [1];       // that one thread alone uses
	float group_share [1];          // that several threads use, but not all of nThreads
	float elsewhere_share [1];      // that one thread alone uses, and a thread of another node touched first
	// Intervals: a thread uses it again and again, at most 3 of 512 parts of the execution apart, and mostly reads, mostly
	// writes, or both; by begin.
	int nIntervals;
	int interval_thread[];
	float interval_begin[] [s];
	float interval_end[] [s];
	float interval_read_access[] [1];
	float interval_write_access[] [1];
	float interval_llc_miss[] [1];  // misses of the last level
};

// The threads of a region in a process, over time: intervals in which a thread makes most accesses to one structure.
class ThreadFlow extends SeqPerf {
	int nThreads;
	setof ObjectFlow structures;    // that they access
	float access_by_thread[] [1];
	int nIntervals;
	int interval_thread[];
	int interval_structure[];       // a number: equal ones are one structure; 0: memory without a name
	string first_structure;         // of the first interval; "": memory without a name
	float interval_begin[] [s];
	float interval_end[] [s];
	float interval_read_access[] [1];
	float interval_write_access[] [1];
	float interval_llc_miss[] [1];
};

// --- functions that properties share ------------------------------------------------------------

// A region's time in proportion: what part of it each of its accesses stands for.
float access_time(DataPerf d) = d.region_exec_time / d.region_access;

// Lines that threads take from one another, by what lies in them.  SCALAR_BYTES: the most that one variable has.
const float SCALAR_BYTES = 16;
string locks_why(DataPerf d) = d.locks > 1
	? "locks lie in one cache line, and threads take different ones"
	: "a lock lies in one cache line with data that other threads use";
string locks_cure(DataPerf d) = d.locks > 1
	? "give each lock a line of its own (alignas(64), or pad it to 64 bytes)"
	: "put the lock, or the data, into a line of its own (alignas(64))";
string contention_why(DataPerf d) = d.locks_updated > 0
	? "all threads take the same lock: its line goes from one to the next, and they wait for one another"
	: "all threads update the same few bytes";
string contention_cure(DataPerf d) = d.locks_updated > 0
	? "take it less often: compute outside of it, let each thread have results of its own and join these once (reduction), or divide among several locks what it protects"
	: "let each thread update a copy of its own and join the copies at the end (reduction), or update it less often";

// Miss rates of one thread, and statistics over the threads of such a function of (region, thread).
float LC1DReadMissRateParFunc(MRIParPerf m, int tid) =
	m.lc1_data_read_miss[tid] / m.memory_access[tid];
float LC2DReadMissRateParFunc(MRIParPerf m, int tid) =
	m.lc2_data_read_miss[tid] / m.memory_access[tid];
float LC3DReadMissRateParFunc(MRIParPerf m, int tid) =
	m.lc3_data_read_miss[tid] / m.memory_access[tid];
float LC4DReadMissRateParFunc(MRIParPerf m, int tid) =
	m.lc4_data_read_miss[tid] / m.memory_access[tid];
float LLCDReadMissRateParFunc(MRIParPerf m, int tid) =
	m.llc_data_read_miss[tid] / m.memory_access[tid];

float mean_func_t(float F(MRIParPerf, int), MRIParPerf m) = AVG(F(m, tid) WHERE tid IN m.nThreads);
float max_func_t(float F(MRIParPerf, int), MRIParPerf m) = MAX(F(m, tid) WHERE tid IN m.nThreads);
float min_func_t(float F(MRIParPerf, int), MRIParPerf m) = MIN(F(m, tid) WHERE tid IN m.nThreads);
