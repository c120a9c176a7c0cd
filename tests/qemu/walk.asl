// SPDX-License-Identifier: BSD-3-Clause
PROPERTY Walks(SeqPerf s) {
	CONDITION: s.event_dtlb_read_miss >= 1;
	CONFIDENCE: 1;
	SEVERITY: s.event_dtlb_read_miss / 10000;
	ADVICE: "{s.event_dtlb_read_miss} dTLB misses at {s.region.line}";
}
