/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the time of each section with its accesses. */
#include "report/model/timeline_facts.h"

#include <math.h>

#define KNOWN 0.8               /* of the accesses are made in regions whose time is known */
#define FEW 0.005               /* of the accesses: a region with fewer, and .. */
#define SLOW 10                 /* .. so many times their share of the time is idle */
/* share of the time that an axis of accesses misplaces, to be shown by time */
#define UNEVEN 0.15

/* What each section has, by the number of its first region. */
struct work { double *accesses, *time; };

static void count_accesses(const struct time_facts *f, double *accesses)
{
	for (int i = 0; i < f->t->ncells; i++) {
		const struct report_time_cell *c = &f->t->cells[i];

		accesses[c->region] += (double)(series_sum(&c->reads) + series_sum(&c->writes));
	}
}

/* In such a region threads wait or begin: where its few accesses lie says nothing of its time. */
static bool is_idle(double accesses, double time)
{
	return accesses < FEW && time > SLOW * accesses;
}

/* The first section of a function that is entered at several places stands for all of them. */
static int section_of(const struct time_facts *f, int region)
{
	const int own = f->section[region];

	for (int i = 1; i < own && !f->one_routine; i++)
		if (f->section[i] == i &&
		    time_same_function(f->t->regions[i - 1].name, f->t->regions[own - 1].name))
			return i;
	return own;
}

/* Divides the time of regions into that which accesses show and the rest. */
static void share_time(struct time_facts *f, const struct work *w, const double *accesses)
{
	struct time_pace *p = &f->pace;
	double all = 0, idle = 0;

	for (int i = 0; i < f->t->nregions; i++)
		all += f->t->regions[i].time > 0 ? f->t->regions[i].time : 0;
	for (int i = 1; i <= f->t->nregions; i++) {
		const double time = f->t->regions[i - 1].time;
		int section;

		if (!(time > 0))
			continue;
		if (!(accesses[i] > 0) ||
			is_idle(accesses[i] / (double)time_accesses(&f->all), time / all)) {
			idle += time;
			continue;
		}
		p->of_region[i] = time;
		section = section_of(f, i);
		w->accesses[section] += accesses[i];
		w->time[section] += time;
	}
	p->idle = all > 0 ? idle / all : 0;
}

static void compare(struct time_facts *f, const struct work *w)
{
	struct time_pace *p = &f->pace;
	double accesses = 0, time = 0, most = 0;

	for (int i = 1; i <= f->t->nregions; i++) {
		accesses += w->accesses[i];
		time += w->time[i];
	}
	p->known = time > 0 && accesses >= KNOWN * (double)time_accesses(&f->all);
	for (int i = 1; p->known && i <= f->t->nregions; i++) {
		const double of_time = w->time[i] / time, of_accesses = w->accesses[i] / accesses;

		p->moved += fabs(of_time - of_accesses) / 2;
		if (of_time - of_accesses > most) {
			most = of_time - of_accesses;
			p->section = i;
			p->time = of_time;
			p->accesses = of_accesses;
		}
	}
}

bool time_pace_uneven(const struct time_pace *p)
{
	return p->known && p->section && p->moved >= UNEVEN;
}

int time_pace_make(struct time_facts *f)
{
	const size_t n = (size_t)f->t->nregions + 1;
	const struct work w = { arena_array(f->arena, n, sizeof *w.accesses),
		arena_array(f->arena, n, sizeof *w.time) };
	double *accesses = arena_array(f->arena, n, sizeof *accesses);

	f->pace.of_region = arena_array(f->arena, n, sizeof *f->pace.of_region);
	if (!w.accesses || !w.time || !accesses || !f->pace.of_region)
		return -1;
	count_accesses(f, accesses);
	share_time(f, &w, accesses);
	compare(f, &w);
	return 0;
}
