/* SPDX-License-Identifier: BSD-3-Clause */
/* --attach: asks processes that run already to connect to the agents, and watches them. */
#ifndef PSC_FRONTEND_ATTACH_REQUEST_H
#define PSC_FRONTEND_ATTACH_REQUEST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "frontend/options.h"
#include "base/buf.h"
#include "base/err.h"

struct attached_process;
struct attach {
	struct attached_process *list;  /* owned */
	int n;
	char *words;            /* owned: texts of the command */
	char *directory;        /* owned */
	uint64_t began;         /* time of the first call of attach_step() */
	double patience;        /* s that a process may take to come to a marker; 0: any time */
	bool told;              /* it has been said what is waited for */
};

/* Finds the processes of --attach: those that are given, and of a process that is not instrumented
 * those that it has started.  Puts their executable's command into the options.  0; -1: one of them
 * cannot be analysed, and why. */
int attach_find(struct attach *a, struct frontend_options *o, struct err *err);
/* Asks them to connect to the socket.  0 / -1. */
int attach_begin(struct attach *a, const char *socket, struct err *err);
/* 1: all have connected; 0: call again in some ms; -1: one cannot.  waits: set when it is first
 * seen that a process takes long to come to a marker. */
int attach_step(struct attach *a, bool *waits, struct err *err);
/* Withdraws the request from processes that have not connected yet. */
void attach_cancel(struct attach *a);
/* The agents are gone and could not end the analysis: the processes do at their next
 * boundaries.  Waits for 1 s at most. */
void attach_leave(struct attach *a);
bool attach_running(const struct attach *a);    /* does one of them still run? */
void attach_names(const struct attach *a, struct buf *out);     /* "process 12", "processes 12,
								 * 13" */
void attach_free(struct attach *a);

#endif
