/* SPDX-License-Identifier: BSD-3-Clause */
/* The log of the phase: what was known at some moments of a run, and what was decided, as
 * text (docs/phase-log.md). */
#ifndef PSC_PHASE_PHASE_PHASE_LOG_H
#define PSC_PHASE_PHASE_PHASE_LOG_H

#include "base/buf.h"
#include "base/err.h"
#include "phase/decide.h"

/* --- writing: appends to the log; a region's times are written where they differ from those of
 * the look before ---------- */

struct phase_log_writer {       /* zeroed before the first call; freed by phase_log_end() */
	struct phase_time *last;        /* owned: as written last, in the order of the looks */
	uint32_t n;
	uint64_t looked_ns;             /* elapsed_ns of the look that was written last */
	struct phase_decision decided;  /* and its decision */
	bool begun;
};

void phase_log_begin(struct buf *out, const char *command);
/* name: what the region is in the source. */
void phase_log_region(struct buf *out, uint32_t region, const char *name);
/* Writes a look if its decision is not that of the look before, or if the program has run
 * PHASE_LOG_NS since, and a quarter of its time: so the log of a long run stays
 * short.  true: it was written. */
#define PHASE_LOG_NS UINT64_C(1000000000)
bool phase_log_look(struct phase_log_writer *w, struct buf *out, const struct phase_look *look,
	const struct phase_decision *d);
void phase_log_decision(struct buf *out, const struct phase_decision *d);       /* its line alone */
void phase_log_held(struct buf *out, const struct phase_held *facts,
	const struct phase_decision *d);
void phase_log_end(struct phase_log_writer *w);

/* --- reading ---------------------------------------------------------------------------------- */

enum phase_log_kind { PHASE_LOG_LOOK, PHASE_LOG_HELD };
struct phase_log_item {
	enum phase_log_kind kind;
	int line;                       /* of the text */
	struct phase_look look;         /* LOOK; look.t is owned by the log */
	struct phase_held held;         /* HELD */
	struct phase_decision decided;
};
struct phase_log {              /* freed by phase_log_free() */
	char *command;                  /* owned; NULL: none */
	struct phase_log_item *item;    /* owned */
	uint32_t n;
};
/* 0 / -1: malformed, and err tells the line.  name: of the text, for errors. */
int phase_log_read(struct phase_log *log, const char *text, const char *name, struct err *err);
void phase_log_free(struct phase_log *log);

#endif
