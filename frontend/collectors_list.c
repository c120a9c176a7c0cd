/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the ways to measure. */
#include "frontend/collectors_list.h"

#include <stdio.h>
#include <stdlib.h>

#include "collect/collector.h"
#include "frontend/metrics_list.h"

static void print_one(const struct collector *k, const char *recipes)
{
	char text[400] = "";
	bool can = !k->here || k->here(recipes, text, sizeof text);

	printf("  %-10s %s\n", k->name, k->what);
	if (k->metrics[0]) {
		printf("%13sgives ", "");
		for (int i = 0; i < COLLECTOR_METRICS && k->metrics[i]; i++)
			printf("%s%s", i ? ", " : "", k->metrics[i]);
		printf("\n");
	}
	printf("%13s%s%s%s\n", "", can ? "available here" : "not available here", text[0] ? ": " :
		"", text);
}

int collectors_list(void)
{
	struct err err;
	char *recipes = metrics_recipes(&err);

	printf("Ways to measure, by preference (--collector NAME,... puts others first):\n");
	for (int i = 0; collectors[i]; i++)
		print_one(collectors[i], recipes ? recipes : "");
	if (!recipes)
		fprintf(stderr, "psc_frontend: %s\n", err.text);
	free(recipes);
	return 0;
}
