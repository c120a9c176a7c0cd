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

string false_why(DataPerf d) = d.locks > 0 ? locks_why(d) : "threads use different bytes of a line";
// "pad or align counters" + ", so that each ..".
string before(DataPerf d) = d.locks > 0 ? "" : "pad or align ";
string named(DataPerf d) = d.locks > 0 ? "" : d.structure.name;
string false_cure(DataPerf d) = d.locks > 0 ? locks_cure(d) : ", so that each has lines of its own";

PROPERTY FalseSharingOfData(DataPerf d) REFINES FalseSharing {
	LET
		float share = d.false_sharing_time / d.phase_time;
	IN
	CONDITION: share > SHARING_DATA;
	CONFIDENCE: 1;
	SEVERITY: d.false_sharing_time;
	WHY: "{false_why(d)}";
	DO: "{before(d)}{named(d)}{false_cure(d)}";
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

// A lock that all take, or few bytes that all update; else data that goes to and fro: "threads take " + "grid" + " from one another".
bool contended(DataPerf d) =
	d.locks_updated > 0 OR (d.updated_bytes > 0 AND d.updated_bytes <= SCALAR_BYTES);
string taken(DataPerf d) = contended(d) ? "" : "threads take ";
string taken_name(DataPerf d) = contended(d) ? "" : d.structure.name;
string true_why(DataPerf d) = contended(d) ? contention_why(d) : " from one another";
string true_cure(DataPerf d) = contended(d)
	? contention_cure(d)
	: "let each have its own and join them at the end, or update it less often";

PROPERTY TrueSharingOfData(DataPerf d) REFINES TrueSharing {
	LET
		float share = d.true_sharing_time / d.phase_time;
	IN
	CONDITION: share > SHARING_DATA;
	CONFIDENCE: 1;
	SEVERITY: d.true_sharing_time;
	WHY: "{taken(d)}{taken_name(d)}{true_why(d)}";
	DO: "{true_cure(d)}";
}
