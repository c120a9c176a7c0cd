/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the recipes for events, and prints what they give on this host. */
#include "frontend/metrics_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "collect/collector.h"
#include "events/metrics.h"
#include "frontend/install_paths.h"

char *metrics_recipes(struct err *err)
{
	struct buf text = BUF_INIT;
	char path[4500], block[4096], *slash, *all;
	size_t n;
	FILE *f;

	if (paths_property("model", path, sizeof path - 20, err))
		return NULL;
	slash = strrchr(path, '/');
	strcpy(slash ? slash + 1 : path, "events.recipes");
	f = fopen(path, "re");
	if (!f) {
		err_sys(err, "%s", path);
		return NULL;
	}
	while ((n = fread(block, 1, sizeof block, f)) > 0)
		buf_add(&text, block, n);
	fclose(f);
	all = buf_take(&text);
	if (!all)
		err_nomem(err);
	return all;
}

/* The metrics with their events of this host.  NULL: err says why.  Caller frees. */
static struct event_metrics *choose(struct err *err)
{
	struct event_metrics *m = calloc(1, sizeof *m);
	char *text = metrics_recipes(err);

	if (!m || !text || event_metrics_parse(m, "events.recipes", text, err)) {
		free(m);
		free(text);
		return NULL;
	}
	free(text);
	event_metrics_choose(m);
	event_metrics_limit(m);
	return m;
}

int metrics_list(void)
{
	struct err err = { "out of memory" };
	struct event_metrics *m = choose(&err);

	if (!m) {
		fprintf(stderr, "psc_frontend: %s\n", err.text);
		return 2;
	}
	printf("Metrics of events on this host (properties read event_<metric>):\n");
	for (uint32_t i = 0; i < m->n; i++) {
		const struct event_metric *one = &m->metric[i];

		if (one->event[0])
			printf("  %-20s %-24s type %u, config 0x%llx%s\n", one->name, one->event,
				one->code.type, (unsigned long long)one->code.config,
				one->hardware ? "" : ", takes no counter");
		else
			printf("  %-20s not measured: %s\n%23srecipe: %s\n", one->name, one->why,
				"", one->recipe);
	}
	if (m->at_once)
		printf("Counters at once: %u\n", m->at_once);
	printf("Names of libpfm4: %s\n", events_have_pfm() ? "known" :
		"not known, built without it");
	free(m);
	return 0;
}

int metrics_summary(char *text, unsigned size)
{
	struct err err;
	char *recipes = metrics_recipes(&err);
	int n;

	if (!recipes) {
		snprintf(text, size, "%s", err.text);
		return -1;
	}
	n = collector_events.here(recipes, text, size);
	free(recipes);
	return n;
}
