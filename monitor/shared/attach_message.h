/* SPDX-License-Identifier: BSD-3-Clause */
/* How psc_frontend asks a process that runs without an agent to connect to one.
 *
 * psc_frontend makes a memfd of this struct and queues MON_ATTACH_SIGNAL with its number.  The
 * monitor opens it as /proc/SENDER/fd/NUMBER, which the kernel allows to the same user
 * only; both write to `state`. */
#ifndef PSC_MONITOR_ATTACH_MESSAGE_H
#define PSC_MONITOR_ATTACH_MESSAGE_H

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/un.h>

#define MON_ATTACH_SIGNAL SIGURG        /* ignored unless the program says otherwise */
/* The signal's value: this in its upper half, the descriptor's number in its lower one. */
#define MON_ATTACH_VALUE UINT64_C(0x50534341)
#define MON_ATTACH_MAGIC UINT64_C(0x31485441434d5350)  /* "PSMCATH1" */

enum mon_attach_state {
	MON_ATTACH_SENT,        /* by psc_frontend */
	MON_ATTACH_SEEN,        /* by the signal's handler: the next marker connects */
	MON_ATTACH_CONNECTING,  /* by that marker */
	MON_ATTACH_DONE,        /* the agent has welcomed the process */
	MON_ATTACH_FAILED,      /* see `reason` */
	MON_ATTACH_LEAVE,       /* by psc_frontend, with another signal: the agents are gone, the
				 * analysis ends; answer: DONE */
	MON_ATTACH_CANCELLED    /* by psc_frontend, instead of MON_ATTACH_CONNECTING: the marker
				 * does nothing */
};
enum mon_attach_reason {
	MON_ATTACH_NO_REASON,
	MON_ATTACH_VERSION,     /* the monitor is of another version */
	MON_ATTACH_AGAIN,       /* the process is being analysed, or was */
	MON_ATTACH_GUARDED,     /* it has more rights than its user, or does not let itself be
				 * inspected */
	MON_ATTACH_REFUSED,     /* there is no agent, or it does not want the process */
	MON_ATTACH_OTHER        /* another psc_frontend asked, too */
};

struct mon_attach {
	/* written by psc_frontend */
	uint64_t magic;
	uint32_t version;       /* MON_VERSION */
	uint32_t pid;           /* of the process that is to connect */
	char socket[sizeof((struct sockaddr_un *)0)->sun_path];
	/* written by both */
	_Atomic uint32_t state; /* enum mon_attach_state */
	uint32_t reason;        /* enum mon_attach_reason */
};

#endif
