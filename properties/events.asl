// SPDX-License-Identifier: BSD-3-Clause
// Events: what the kernel and the processor's counters tell of a region.
//
// MajorFaults      pages come from a disk, more than MAJOR_RATE times a second.  First touches of new memory are asked by
//                  faults.asl.
// ContextSwitches  the threads lose or give up their processors more than SWITCH_RATE times a second.
//                  Severity: `cost` for each.
// LowIPC           the processor executes fewer than IPC_LOW instructions a cycle.  Severity: the part of the
//                  processor time that IPC_LOW would not take.  It says nothing of the cause: memory.asl does.
//
// The metrics are event_...: counted in executions without recording, of all instructions, and so not
// to be divided by counts of the simulator.  Times are of clean executions.  A property whose events do
// not open here is undecided: psc_frontend --list-metrics says why.  These are no part of the default set: ask
// with --properties memory,events.
//
// Thresholds and costs are ours; change one with --set SWITCH_RATE=100 or
// --set ContextSwitches.cost=0.000002.
const float MAJOR_RATE = 100;
const float SWITCH_RATE = 1000;
const float IPC_LOW = 0.5;

PROPERTY MajorFaults(SeqPerf s) {
	LET
		float faults = s.event_major_faults;
	IN
	CONDITION: faults / s.exec_time > MAJOR_RATE;
	CONFIDENCE: 1;
	SEVERITY: s.exec_time;
	WHY: "{faults} pages come from a disk in each execution";
	DO: "read ahead, or keep less in memory";
}

PROPERTY ContextSwitches(SeqPerf s) {
	LET
		const float cost [s] = 0.000005;
		float switches = s.event_context_switches;
	IN
	CONDITION: switches / s.cpu_time > SWITCH_RATE;
	CONFIDENCE: 1;
	SEVERITY: MIN(switches * cost, s.cpu_time);
	WHY: "the threads leave their processors {switches} times in each execution";
	DO: "locks, input and output, or more threads than processors";
}

PROPERTY LowIPC(SeqPerf s) {
	LET
		float ipc = s.event_instructions / s.event_cycles;
	IN
	CONDITION: ipc < IPC_LOW;
	CONFIDENCE: 1;
	SEVERITY: (1 - ipc / IPC_LOW) * s.cpu_time;
	WHY: "{ipc} instructions a cycle";
	DO: "the processor waits";
}
