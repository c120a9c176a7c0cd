// SPDX-License-Identifier: BSD-3-Clause
// The properties of the paper "Automatic Memory Access Analysis with Periscope" (Gerndt, Kereku,
// ICCS 2007): Figure 2 as printed, and the four of Table 1 with its thresholds, for regions and
// for data structures.
//
// A miss rate is misses / (loads + stores) of the same scope, for the read miss rates too, so
// that a refinement never exceeds what it refines.  Severity is rate x execution time: an index
// to rank by, not time lost.  A structure's is that of its region, times the structure's part
// of the misses: severities of the structures and of the unattributed rest sum to the region's.
//
// P and POfData are one property, of regions and of structures; reports show both as P.
//
// Thresholds: Table 1.  Change one with --set LC3_THRESHOLD=0.01.
const float LC2_THRESHOLD = 0.05;
const float LC3_THRESHOLD = 0.02;

// Figure 2, verbatim: it relates to loads only, and its severity is a plain fraction.
// fmt: off
PROPERTY LC1ReadMissesOverMemRef(SeqPerf s){
CONDITION:
s.lc1_data_read_miss/s.read_access > 0.01;
CONFIDENCE:
1;
SEVERITY:
s.lc1_data_read_miss/s.read_access; }
// fmt: on

PROPERTY LC2DMissRate(SeqPerf s) {
	LET
		float rate = s.lc2_data_miss / s.memory_access;
	IN
	CONDITION: rate > LC2_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
}

PROPERTY LC2DReadMissRate(SeqPerf s) REFINES LC2DMissRate {
	LET
		float rate = s.lc2_data_read_miss / s.memory_access;
	IN
	CONDITION: rate > LC2_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
}

PROPERTY LC2DMissRateOfData(DataPerf d) REFINES LC2DMissRate {
	CONDITION: d.lc2_data_miss / d.memory_access > LC2_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: d.region_exec_time * d.lc2_data_miss / d.region_access;
}

PROPERTY LC2DReadMissRateOfData(DataPerf d) REFINES LC2DReadMissRate {
	CONDITION: d.lc2_data_read_miss / d.memory_access > LC2_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: d.region_exec_time * d.lc2_data_read_miss / d.region_access;
}

PROPERTY LC3DMissRate(SeqPerf s) {
	LET
		float rate = s.lc3_data_miss / s.memory_access;
	IN
	CONDITION: rate > LC3_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
}

PROPERTY LC3DReadMissRate(SeqPerf s) REFINES LC3DMissRate {
	LET
		float rate = s.lc3_data_read_miss / s.memory_access;
	IN
	CONDITION: rate > LC3_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: rate * s.exec_time;
}

PROPERTY LC3DMissRateOfData(DataPerf d) REFINES LC3DMissRate {
	CONDITION: d.lc3_data_miss / d.memory_access > LC3_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: d.region_exec_time * d.lc3_data_miss / d.region_access;
}

PROPERTY LC3DReadMissRateOfData(DataPerf d) REFINES LC3DReadMissRate {
	CONDITION: d.lc3_data_read_miss / d.memory_access > LC3_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: d.region_exec_time * d.lc3_data_read_miss / d.region_access;
}
