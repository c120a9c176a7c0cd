/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens events in the calling process, to see whether the kernel lets it.  Private to events/. */
#ifndef PSC_EVENTS_OPEN_H
#define PSC_EVENTS_OPEN_H

#include "monitor/shared/shm.h"

int event_try(const struct mon_event *e);       /* 0; else errno */
/* The most of these events, from the first, that run as one group all the time; 1 at least. */
uint32_t events_at_once(const struct mon_event *list, uint32_t n);

#endif
