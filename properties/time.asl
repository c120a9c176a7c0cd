// SPDX-License-Identifier: BSD-3-Clause
// What the order of uses over one execution says: stores that nothing reads, data that leave the caches before they are
// consumed.
//
// Not asked by default: these are facts, and what they cost is a part of what memory.asl finds.
//
// DeadStores and RedundantInit follow each byte that is stored, in all records of the counted executions: they are exact for
// what is recorded, whichever thread reads or overwrites.  The stores count to the region that made them.  What is unread
// at the end of an execution, at a call that passes an address to the system's libraries or to MPI, or when another
// structure stores there, is forgotten.  Memory that is released and allocated again under the same name is not told from
// what is overwritten: both are never read.  Other libraries that are not recorded are not seen: what they read seems unread.
// RedundantInit: nothing of the cache lines was read before in the execution.  Both make the simulation of a counted
// execution 1.3 to 3.4 times as long (docs/performance.md).
//
// PartlyUsed needs accesses by address (psc_frontend --timeline), of a structure that is one block.  These are a sample: a
// part of which only a few elements are used may be missing.  A part is a 256th of the structure, and one used element makes
// all of it used: of LU's arrays a to d, of which 77 % of the elements are never touched, it finds 66 to 76 %.  The severity
// is an index, no time lost: the time that accesses to the structure are given, times the part that shows no access.
//
// Thresholds are ours; change one with --set DEAD_SHARE=0.5.
const float DEAD_SHARE = 0.25;
const float LATE_SHARE = 0.5;
const float UNUSED_SHARE = 0.2;
const float ONCE = 0.9;

float dead_stores(ObjectFlow o) = o.overwritten_bytes / o.written_bytes;

// The misses of intervals that only read what an earlier interval has written.
bool only_reads(ObjectFlow o, int i) =
	o.interval_write_access[i] < 0.01 * o.interval_read_access[i];
bool written_before(ObjectFlow o, int i) =
	EXISTS(j IN i WITH o.interval_write_access[j] > o.interval_read_access[j]);
float late_misses(ObjectFlow o) = SUM(o.interval_llc_miss[i]
	WHERE i IN o.nIntervals AND only_reads(o, i) AND written_before(o, i));

PROPERTY DeadStores(ObjectFlow o) {
	CONDITION: o.written_bytes > 0
		AND dead_stores(o) > DEAD_SHARE
		AND NOT (o.overwritten_first > ONCE * o.overwritten_bytes);
	CONFIDENCE: 1;
	SEVERITY: dead_stores(o) * o.write_access * access_time(o);
	WHY: "at least {dead_stores(o) %} of what is stored to {o.structure.name} is overwritten before anything reads it";
	DO: "leave these stores out, or use the values before they are overwritten";
}

PROPERTY RedundantInit(ObjectFlow o) {
	CONDITION: o.written_bytes > 0
		AND dead_stores(o) > DEAD_SHARE
		AND o.overwritten_first > ONCE * o.overwritten_bytes;
	CONFIDENCE: 1;
	SEVERITY: dead_stores(o) * o.write_access * access_time(o);
	WHY: "{o.structure.name} is written twice at the begin, before anything reads it: at least {dead_stores(o) %} of the stores to it";
	DO: "leave the initialisation out where all elements get their values behind it";
}

PROPERTY ConsumedTooLate(ObjectFlow o) {
	CONDITION: late_misses(o) > LATE_SHARE * o.llc_data_miss
		AND late_misses(o) / o.llc_data_miss * o.lines_fetched_bytes
			> LATE_SHARE * o.structure.size;
	CONFIDENCE: 1;
	SEVERITY: o.est_stall * late_misses(o) / o.llc_data_miss;
	WHY: "{o.structure.name} is written, leaves the caches, and comes from memory again when it is read: {late_misses(o) / o.llc_data_miss %} of its misses";
	DO: "consume it where it is produced: fuse the loops, or work in blocks that fit the cache";
}

float never_touched(ObjectFlow o) = 1 - o.touched_bytes / o.structure.size;

PROPERTY PartlyUsed(ObjectFlow o) {
	CONDITION: never_touched(o) > UNUSED_SHARE;
	CONFIDENCE: 1;
	SEVERITY: never_touched(o) * o.memory_access * access_time(o);
	WHY: "{never_touched(o) %} of {o.structure.name} shows no access in the phase";
	DO: "make {o.structure.name} as large as what is used of it, or put what is used together: it then takes fewer lines and pages";
}
