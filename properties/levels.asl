// SPDX-License-Identifier: BSD-3-Clause
// The levels of the memory hierarchy one by one: for who has read what `memory` says and wants to
// know which level it is, whether loads or stores miss there, and how slow the loads are.
//
// Why a file of its own: most of what misses a cache level misses the nearer ones too, so that one
// loop may hold several of these.  Ask for them with --properties levels.
//
// L1MissRate .. L4MissRate    the accesses (loads and stores) that cache level n does not serve,
//                             as a share of all accesses of the region, not only of those that
//                             reach the level.  The L1 rate of a loop that goes through 8-byte
//                             numbers in order is 1/8 with lines of 64 bytes: one miss a line.
//                             A loop that reuses what it fetched has less, long strides more.
// L1ReadMissRate ..           loads only, over the same denominator: never more than the above.
// L1WriteMissRate ..          stores only.  Processors can often go on while a store waits, so
//                             the same rate costs less than one of loads.
// TlbMissRate                 accesses to a page of which the processor's table of page
//                             addresses (TLB) had no entry; it must look the page up in the page tables.
// LAT16 LAT64 LAT256 LAT1024  the share of loads that take at least that many cycles, named after
//                             the classes in the paper.  On processors of today 16 cycles are
//                             more than the second cache level needs, 64 more than most third
//                             levels, 256 about main memory; 1024 are a memory that is far
//                             away or overloaded.  Each is asked where the one before holds.
//                             The classes lat4 .. lat4096 of the data model are there for more.
// P..OfData                   the same for a data structure, where the region's P holds.
//
// A rate over its threshold names a place to look at; it is not lost time.  Severity is rate x
// time of the region: an index to rank by.  Where threads wait, few accesses stand for all of that
// time: `memory` leaves such places out, here they are told.  Levels that the machine does not have,
// and what was not measured, are undecided.
//
// Thresholds are ours; change one with --set L2_THRESHOLD=0.05.
const float L1_THRESHOLD = 0.05;
const float L2_THRESHOLD = 0.03;
const float L3_THRESHOLD = 0.01;
const float L4_THRESHOLD = 0.01;
const float TLB_THRESHOLD = 0.005;
const float LAT16_THRESHOLD = 0.05;
const float LAT64_THRESHOLD = 0.03;
const float LAT256_THRESHOLD = 0.01;
const float LAT1024_THRESHOLD = 0.001;

PROPERTY L1MissRate(SeqPerf s) {
	LET
		float rate = s.lc1_data_miss / s.memory_access;
	IN
	CONDITION: rate > L1_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
	WHY: "{rate %} of the loads and stores go past the first cache level";
	DO: "let the innermost loop run over the index that is contiguous in memory, and use what was fetched for more before going on";
}

PROPERTY L1ReadMissRate(SeqPerf s) REFINES L1MissRate {
	LET
		float rate = s.lc1_data_read_miss / s.memory_access;
	IN
	CONDITION: rate > L1_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
	WHY: "{s.lc1_data_read_miss / s.read_access %} of the loads miss cache level 1";
}

PROPERTY L1WriteMissRate(SeqPerf s) REFINES L1MissRate {
	LET
		float rate = s.lc1_data_write_miss / s.memory_access;
	IN
	CONDITION: rate > L1_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
	WHY: "{s.lc1_data_write_miss / s.write_access %} of the stores miss cache level 1";
	DO: "write to what was read shortly before, and write each line whole";
}

PROPERTY L1MissRateOfData(DataPerf d) REFINES L1MissRate {
	LET
		float rate = d.lc1_data_miss / d.memory_access;
	IN
	CONDITION: rate > L1_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: d.lc1_data_miss * access_time(d);
	WHY: "{rate %} of the accesses to {d.structure.name} miss cache level 1";
	DO: "let the innermost loop run over its contiguous index (the first in Fortran, the last in C), and use what was fetched for more before going on";
}

PROPERTY L2MissRate(SeqPerf s) {
	LET
		float rate = s.lc2_data_miss / s.memory_access;
	IN
	CONDITION: rate > L2_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
	WHY: "{rate %} of the loads and stores go past the second cache level";
	DO: "split the loops into blocks whose data fits it, or join loops that use the same data";
}

PROPERTY L2ReadMissRate(SeqPerf s) REFINES L2MissRate {
	LET
		float rate = s.lc2_data_read_miss / s.memory_access;
	IN
	CONDITION: rate > L2_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
	WHY: "{s.lc2_data_read_miss / s.read_access %} of the loads miss cache level 2";
}

PROPERTY L2WriteMissRate(SeqPerf s) REFINES L2MissRate {
	LET
		float rate = s.lc2_data_write_miss / s.memory_access;
	IN
	CONDITION: rate > L2_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
	WHY: "{s.lc2_data_write_miss / s.write_access %} of the stores miss cache level 2";
	DO: "write to what was read shortly before, and write each line whole";
}

PROPERTY L2MissRateOfData(DataPerf d) REFINES L2MissRate {
	LET
		float rate = d.lc2_data_miss / d.memory_access;
	IN
	CONDITION: rate > L2_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: d.lc2_data_miss * access_time(d);
	WHY: "{rate %} of the accesses to {d.structure.name} miss cache level 2";
	DO: "use what was fetched for more before going on";
}

PROPERTY L3MissRate(SeqPerf s) {
	LET
		float rate = s.lc3_data_miss / s.memory_access;
	IN
	CONDITION: rate > L3_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
	WHY: "{rate %} of the loads and stores go past the third cache level";
	DO: "split the loops into blocks whose data fits it, or join loops that use the same data";
}

PROPERTY L3ReadMissRate(SeqPerf s) REFINES L3MissRate {
	LET
		float rate = s.lc3_data_read_miss / s.memory_access;
	IN
	CONDITION: rate > L3_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
	WHY: "{s.lc3_data_read_miss / s.read_access %} of the loads miss cache level 3";
}

PROPERTY L3WriteMissRate(SeqPerf s) REFINES L3MissRate {
	LET
		float rate = s.lc3_data_write_miss / s.memory_access;
	IN
	CONDITION: rate > L3_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
	WHY: "{s.lc3_data_write_miss / s.write_access %} of the stores miss cache level 3";
	DO: "write to what was read shortly before, and write each line whole";
}

PROPERTY L3MissRateOfData(DataPerf d) REFINES L3MissRate {
	LET
		float rate = d.lc3_data_miss / d.memory_access;
	IN
	CONDITION: rate > L3_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: d.lc3_data_miss * access_time(d);
	WHY: "{rate %} of the accesses to {d.structure.name} miss cache level 3";
	DO: "use what was fetched for more before going on";
}

PROPERTY L4MissRate(SeqPerf s) {
	LET
		float rate = s.lc4_data_miss / s.memory_access;
	IN
	CONDITION: rate > L4_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
	WHY: "{rate %} of the loads and stores go past the fourth cache level";
	DO: "split the loops into blocks whose data fits it, or join loops that use the same data";
}

PROPERTY L4ReadMissRate(SeqPerf s) REFINES L4MissRate {
	LET
		float rate = s.lc4_data_read_miss / s.memory_access;
	IN
	CONDITION: rate > L4_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
	WHY: "{s.lc4_data_read_miss / s.read_access %} of the loads miss cache level 4";
}

PROPERTY L4WriteMissRate(SeqPerf s) REFINES L4MissRate {
	LET
		float rate = s.lc4_data_write_miss / s.memory_access;
	IN
	CONDITION: rate > L4_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
	WHY: "{s.lc4_data_write_miss / s.write_access %} of the stores miss cache level 4";
	DO: "write to what was read shortly before, and write each line whole";
}

PROPERTY L4MissRateOfData(DataPerf d) REFINES L4MissRate {
	LET
		float rate = d.lc4_data_miss / d.memory_access;
	IN
	CONDITION: rate > L4_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: d.lc4_data_miss * access_time(d);
	WHY: "{rate %} of the accesses to {d.structure.name} miss cache level 4";
	DO: "use what was fetched for more before going on";
}

PROPERTY TlbMissRate(SeqPerf s) {
	LET
		float rate = s.tlb_data_miss / s.memory_access;
	IN
	CONDITION: rate > TLB_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
	WHY: "{rate %} of the loads and stores need a page whose address must be looked up first";
	DO: "use what lies in a page before going on to the next, or ask for huge pages";
}

PROPERTY TlbMissRateOfData(DataPerf d) REFINES TlbMissRate {
	LET
		float rate = d.tlb_data_miss / d.memory_access;
	IN
	CONDITION: rate > TLB_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: d.tlb_data_miss * access_time(d);
	WHY: "{rate %} of the accesses to {d.structure.name} ({d.structure.size}) need a page whose address must be looked up first";
	DO: "use what lies in a page before going on to the next, or ask for huge pages";
}

PROPERTY LAT16(SeqPerf s) {
	LET
		float share = s.lat16 / s.read_access;
	IN
	CONDITION: share > LAT16_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: s.lat16 / s.memory_access * s.exec_time;
	WHY: "{share %} of the loads take 16 cycles or more";
	DO: "most of them are not served by the two nearest cache levels";
}

PROPERTY LAT16OfData(DataPerf d) REFINES LAT16 {
	LET
		float share = d.lat16 / d.read_access;
	IN
	CONDITION: share > LAT16_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: d.lat16 * access_time(d);
	WHY: "{share %} of the loads from {d.structure.name} take 16 cycles or more";
}

PROPERTY LAT64(SeqPerf s) REFINES LAT16 {
	LET
		float share = s.lat64 / s.read_access;
	IN
	CONDITION: share > LAT64_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: s.lat64 / s.memory_access * s.exec_time;
	WHY: "{share %} of the loads take 64 cycles or more";
	DO: "use what was fetched for more before going on";
}

PROPERTY LAT64OfData(DataPerf d) REFINES LAT64 {
	LET
		float share = d.lat64 / d.read_access;
	IN
	CONDITION: share > LAT64_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: d.lat64 * access_time(d);
	WHY: "{share %} of the loads from {d.structure.name} take 64 cycles or more";
}

PROPERTY LAT256(SeqPerf s) REFINES LAT64 {
	LET
		float share = s.lat256 / s.read_access;
	IN
	CONDITION: share > LAT256_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: s.lat256 / s.memory_access * s.exec_time;
	WHY: "{share %} of the loads take 256 cycles or more, as main memory does";
	DO: "work on smaller blocks, or run through memory in order, so that it is fetched ahead";
}

PROPERTY LAT256OfData(DataPerf d) REFINES LAT256 {
	LET
		float share = d.lat256 / d.read_access;
	IN
	CONDITION: share > LAT256_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: d.lat256 * access_time(d);
	WHY: "{share %} of the loads from {d.structure.name} take 256 cycles or more";
}

PROPERTY LAT1024(SeqPerf s) REFINES LAT256 {
	LET
		float share = s.lat1024 / s.read_access;
	IN
	CONDITION: share > LAT1024_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: s.lat1024 / s.memory_access * s.exec_time;
	WHY: "{share %} of the loads take 1024 cycles or more, as memory that is far away or overloaded does";
}

PROPERTY LAT1024OfData(DataPerf d) REFINES LAT1024 {
	LET
		float share = d.lat1024 / d.read_access;
	IN
	CONDITION: share > LAT1024_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: d.lat1024 * access_time(d);
	WHY: "{share %} of the loads from {d.structure.name} take 1024 cycles or more";
}
