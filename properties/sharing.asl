// SPDX-License-Identifier: BSD-3-Clause
// Cache lines that threads take from one another.  A line that one thread writes leaves the caches
// of all others; the next access of another thread has to fetch it again.
//
// FalseSharing    the threads use different bytes of the line: they have nothing to do with each
//                 other, but for lying side by side.  Putting the data of each thread on lines of
//                 its own (padding, alignment) removes it.
// TrueSharing     they use the same bytes: a counter, a lock, a boundary that neighbours exchange.
//                 It takes another algorithm: a sum of its own for each thread, added up at the
//                 end (reduction), fewer updates, larger parts.
// ..OfData        the same for a data structure, where the region's holds; it names the bytes, from
//                 the structure's begin, and who uses them.
//
// Each holds where these misses would take more than SHARING_THRESHOLD of the phase's time, of a
// data structure SHARING_DATA.  Severity: that time.  It is modelled: threads of a parallel
// region are taken to run side by side, turn by turn (64 accesses).
//
// Asked by default.  A program with one thread has nothing of it.  Thresholds are ours; change one with
// --set SHARING_THRESHOLD=0.05.
const float SHARING_THRESHOLD = 0.01;
const float SHARING_DATA = 0.005;

PROPERTY FalseSharing(SeqPerf s) {
	LET
		float share = s.false_sharing_time / s.phase_time;
	IN
	CONDITION: share > SHARING_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: s.false_sharing_time;
	WHY: "threads take cache lines from one another of which they use different bytes";
	DO: "give each thread lines of its own";
}

PROPERTY FalseSharingOfData(DataPerf d) REFINES FalseSharing {
	LET
		float share = d.false_sharing_time / d.phase_time;
	IN
	CONDITION: share > SHARING_DATA;
	CONFIDENCE: 1;
	SEVERITY: d.false_sharing_time;
	WHY: "threads use different bytes of a line";
	DO: "pad or align {d.structure.name}, so that each has lines of its own";
}

PROPERTY TrueSharing(SeqPerf s) {
	LET
		float share = s.true_sharing_time / s.phase_time;
	IN
	CONDITION: share > SHARING_THRESHOLD;
	CONFIDENCE: 1;
	SEVERITY: s.true_sharing_time;
	WHY: "threads read and write the same data in turn";
	DO: "let each work on its own and join the results at the end (reduction)";
}

PROPERTY TrueSharingOfData(DataPerf d) REFINES TrueSharing {
	LET
		float share = d.true_sharing_time / d.phase_time;
	IN
	CONDITION: share > SHARING_DATA;
	CONFIDENCE: 1;
	SEVERITY: d.true_sharing_time;
	WHY: "threads take {d.structure.name} from one another";
	DO: "let each have its own and join them at the end, or update it less often";
}
