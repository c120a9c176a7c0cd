/* SPDX-License-Identifier: BSD-3-Clause */
/* The connection to the agent, and its end. */
#ifndef PSC_MONITOR_CONNECT_H
#define PSC_MONITOR_CONNECT_H

#include "monitor/state.h"

#pragma GCC visibility push(hidden)

/* Makes pscm_shm and offers it to the agent that listens at the path.  prepare() runs before the
 * agent sees the memory.  false: there is no agent, prepare() returned false, or the agent did not
 * welcome the process; pscm_shm is NULL then. */
bool pscm_connect(const char *path, bool (*prepare)(void));
/* The same for another analysis of the process, if pscm_shm is there: it keeps its address, and
 * what names units and objects.  Without success nothing has changed. */
void pscm_hang_up(void);                /* closes the connection */
void pscm_connect_prepare(void);        /* remembers what the environment says of the process now */
void pscm_disconnect(void);             /* in a child of fork(); sets pscm_shm to NULL */
bool pscm_agent_gone(void);             /* has the agent closed the connection? */
void pscm_event(void);                  /* tells the agent that a slot changed state; never waits */
void pscm_lockstep(void);               /* waits, with a time limit, for the agent's MON_GO */

/* --- shutdown.c ------------------------------------------------------------------------------- */
void pscm_stop(void);                   /* become inert for good */
void pscm_stop_forked(void);            /* become inert in a child of fork() */

#pragma GCC visibility pop
#endif
