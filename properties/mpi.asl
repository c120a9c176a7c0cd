// SPDX-License-Identifier: BSD-3-Clause
// MPI: what its calls cost, and for whom they wait.
//
// ExcessiveMpiTime      calls of MPI take more than MPI_SHARE of the phase's time.  Severity: that time.
// ManySmallMessages     MPI_MANY messages an execution or more, of less than SMALL_MESSAGE bytes on average, and
//                       calls of MPI take more than MPI_SHARE of the phase's time.
// LargeMessages         messages are longer than LARGE_MESSAGE bytes on average, with the same share.
// LateSender            receives wait for the sender, for more than MPI_SHARE of the phase's time.
// LateReceiver          sends wait for the receiver.
// WaitAtCollective      processes wait in a collective for those that come later.
// WaitAtMpiBarrier      the same in MPI_Barrier.
//
// A wait is time lost in the process that waits; its cause is in the one that comes late, which the advice
// names with the regions in which that computes longer than the others.  The thresholds are Periscope's.
// Times are wall time: beside other programs, or with less processors than ranks, they are longer than without.
// These are no part of the default set: ask with --properties memory,mpi.
const float MPI_SHARE = 0.05;
const float MPI_MANY = 10;
const float SMALL_MESSAGE [B] = 1000;
const float LARGE_MESSAGE [B] = 1000000;

float mpi_share(MpiPerf m) = m.mpi_time / m.phase_time;
float message_size(MpiPerf m) = (m.mpi_sent + m.mpi_received) / m.mpi_messages;

PROPERTY ExcessiveMpiTime(MpiPerf m) {
	CONDITION: mpi_share(m) > MPI_SHARE;
	CONFIDENCE: 1;
	SEVERITY: m.mpi_time;
	WHY: "calls of MPI take {m.mpi_time}, {m.mpi_calls} an execution";
	DO: "see for whom they wait, or let computing go on meanwhile with nonblocking calls";
}

PROPERTY ManySmallMessages(MpiPerf m) REFINES ExcessiveMpiTime {
	CONDITION: m.mpi_messages >= MPI_MANY AND message_size(m) < SMALL_MESSAGE;
	CONFIDENCE: 1;
	SEVERITY: m.mpi_time;
	WHY: "{m.mpi_messages} messages of {message_size(m)} on average";
	DO: "send several of them as one";
}

PROPERTY LargeMessages(MpiPerf m) REFINES ExcessiveMpiTime {
	CONDITION: m.mpi_messages > 0 AND message_size(m) > LARGE_MESSAGE;
	CONFIDENCE: 1;
	SEVERITY: m.mpi_time;
	WHY: "{m.mpi_messages} messages of {message_size(m)} on average";
	DO: "start them early with nonblocking calls, or send only what the other process uses";
}

PROPERTY LateSender(MpiPerf m) {
	CONDITION: m.late_sender_time / m.phase_time > MPI_SHARE;
	CONFIDENCE: 1;
	SEVERITY: m.late_sender_time;
	WHY: "receives wait {m.late_sender_time} until the message is sent, most of it by {m.late_cause}";
	DO: "let that process send before it computes, or share out anew what it does there";
}

PROPERTY LateReceiver(MpiPerf m) {
	CONDITION: m.late_receiver_time / m.phase_time > MPI_SHARE;
	CONFIDENCE: 1;
	SEVERITY: m.late_receiver_time;
	WHY: "sends wait {m.late_receiver_time} until the message is received, most of it by {m.late_cause}";
	DO: "let that process receive before it computes, or share out anew what it does there";
}

PROPERTY WaitAtCollective(MpiPerf m) {
	CONDITION: m.collective_wait_time / m.phase_time > MPI_SHARE;
	CONFIDENCE: 1;
	SEVERITY: m.collective_wait_time;
	WHY: "the processes that come first wait {m.collective_wait_time} in collectives, most of it for {m.late_cause}";
	DO: "share out anew what that process does there, or let the others compute meanwhile";
}

PROPERTY WaitAtMpiBarrier(MpiPerf m) {
	CONDITION: m.barrier_wait_time / m.phase_time > MPI_SHARE;
	CONFIDENCE: 1;
	SEVERITY: m.barrier_wait_time;
	WHY: "the processes that come first wait {m.barrier_wait_time} in MPI_Barrier, most of it for {m.late_cause}";
	DO: "share out anew what that process does there, or do without the barrier";
}
