/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the argument of --try: "malloc", "threads:pin",
 * "STRUCTURE:pages=2M", "STRUCTURE:bind=1". */
#include "analysis/trials/actions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODE_MOST = 1023 };

bool action_has_cpus(enum tried_action action)
{
	return action == TRIED_SPREAD || action == TRIED_COMPACT || action == TRIED_PIN;
}

/* The last colon, unless it is part of a "::" of C++. */
static const char *colon(const char *text)
{
	const char *at = strrchr(text, ':');

	return at && at > text && at[-1] == ':' ? NULL : at;
}

static int wrong(const char *text, struct err *err)
{
	char names[300] = "";

	for (int i = TRIED_NOTHING + 1; i < TRIED_ACTIONS; i++)
		snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s%s%s",
			names[0] ? ", " : "",
			tried_of_structure(i) ? "STRUCTURE:" : "", tried_action_names[i],
			i == TRIED_ONE_NODE ? "=N" : "");
	return err_set(err, "--try takes one of %s, or nothing, not '%s'", names, text);
}

/* "=N"; elsewhere nothing may follow the name. */
static bool parse_node(enum tried_action action, const char *text, uint32_t *node)
{
	unsigned long v;
	char *end;

	if (action != TRIED_ONE_NODE)
		return !*text;
	if (text[0] != '=' || text[1] < '0' || text[1] > '9')
		return false;
	errno = 0;
	v = strtoul(text + 1, &end, 10);
	*node = (uint32_t)v;
	return !errno && !*end && v <= NODE_MOST;
}

int action_parse(const char *text, struct tried_want *out, struct err *err)
{
	const char *at = text ? colon(text) : NULL;
	const size_t n = at ? (size_t)(at - text) : 0;

	*out = (struct tried_want){ .action = TRIED_NOTHING };
	for (int i = TRIED_NOTHING + 1; text && i < TRIED_ACTIONS; i++) {
		const char *name = !tried_of_structure(i) ? text : n ? at + 1 : "";
		const size_t length = strlen(tried_action_names[i]);

		if (strncmp(name, tried_action_names[i], length) == 0 &&
		    parse_node(i, name + length, &out->node))
			out->action = i;
	}
	if (!text)
		return 0;
	if (!out->action)
		return wrong(text, err);
	if (n >= sizeof out->structure)
		return err_set(err, "--try: the name of the structure is too long");
	if (tried_of_structure(out->action))
		memcpy(out->structure, text, n);
	return 0;
}
