// SPDX-License-Identifier: BSD-3-Clause
// Asked by default, with `memory` and `sharing`: memory that is new in each execution of the phase.  The first touch of each
// of its pages calls the kernel (a page fault), which zeroes the page; malloc gives large blocks back to the system when
// they are released, so that a program that allocates in each step pays for them in each step.
//
// PageFaults       page faults take FAULT_PART or more of the phase's processor time in this region.  Severity: that time:
//                  their number times what one was measured to cost, or what the system time allows for.
// PageFaultsOfData the same for a data structure whose heap blocks are allocated again in each execution: FAULT_DATA or more
//                  of the phase's time.
//
// First touches that happen only once, when the program begins, are in no clean execution, and no problem.  Faults are
// no part of what is lost to memory (memory.asl): that is user time, this is the kernel's.
//
// Thresholds are ours; change one with --set FAULT_PART=0.1.
const float FAULT_PART = 0.02;
const float FAULT_DATA = 0.005;
// Larger blocks are always mapped by themselves (glibc).
const float MALLOC_LARGEST = 33554432;
const float GROWS_BY_FACTOR = 0.5;

bool large_block(DataPerf d) = d.fault_block > MALLOC_LARGEST;

string fault_why(FaultCause cause, bool large) = cause == GROWN
	? "it grows, each time into a larger new block"
	: cause == REALLOCATED
	? "it grows by realloc, each time into new memory"
	: cause == AUTOMATIC
	? "an automatic array is allocated at each entry and given back at the end"
	: cause == TEMPORARY
	? "the compiler allocates a temporary array each time"
	: cause == MAPPED_AGAIN AND large
	? "malloc maps and unmaps blocks of this size each time"
	: cause == MAPPED_AGAIN
	? "malloc maps and unmaps it each time"
	: "what is released goes back to the system each time";

// `left`: what growing twice as large each time leaves; where that is much, it does so already.
string fault_cure(FaultCause cause, float left) = (cause == GROWN OR cause == REALLOCATED)
		AND left > GROWS_BY_FACTOR
	? "reserve the final size, or keep the memory"
	: cause == GROWN OR cause == REALLOCATED
	? "grow by a factor, reserve, or keep the memory"
	: cause == AUTOMATIC
	? "keep the array (save, module); -fstack-arrays if small"
	: cause == TEMPORARY
	? "avoid it (contiguous section, loop) or keep it; -fstack-arrays if small"
	: "allocate it once";

// glibc's malloc, told by its environment to keep what is released: both, as either alone gains nothing
// (base/malloc_settings.h).
const string KEEP_FREED = "; or set MALLOC_TRIM_THRESHOLD_=2000000000 MALLOC_MMAP_MAX_=0";

// Of a region, without a structure.
string fresh_why(string blocks, bool run) = run
	? "memory that the program has not used before, or gave back and took again"
	: blocks == ""
	? "memory is new in each execution"
	: "memory is new in each execution, allocated at ";
string fresh_cure(string blocks, bool run) = run
	? "keep memory instead of giving it back; use less of it; large pages need fewer faults"
	: blocks == ""
	? "keep memory from one execution to the next, also of libraries, mappings and threads"
	: "allocate it once";
string fresh_keep(string blocks) = blocks == ""
	? ""
	: KEEP_FREED;

PROPERTY PageFaults(SeqPerf s) {
	LET
		float share = s.fault_time / s.phase_cpu_time;
		string blocks = s.fault_blocks;
	IN
	CONDITION: share >= FAULT_PART;
	CONFIDENCE: 1;
	SEVERITY: s.fault_time;
	WHY: "{fresh_why(blocks, s.whole_run)}{blocks}";
	DO: "{fresh_cure(blocks, s.whole_run)}{fresh_keep(blocks)}";
}

PROPERTY PageFaultsOfData(DataPerf d) REFINES PageFaults {
	LET
		float share = d.fault_time / d.phase_cpu_time;
	IN
	CONDITION: share >= FAULT_DATA;
	CONFIDENCE: 1;
	SEVERITY: d.fault_time;
	WHY: "{fault_why(d.fault_cause, large_block(d))}";
	DO: "{fault_cure(d.fault_cause, d.fault_left)}{KEEP_FREED}";
}
