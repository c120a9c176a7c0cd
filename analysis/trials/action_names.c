/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the argument of --try: "malloc", "STRUCTURE:pages=2M". */
#include "analysis/trials/actions.h"

#include <stdio.h>
#include <string.h>

bool action_has_structure(enum tried_action action)
{
	return action == TRIED_LARGE_PAGES;
}

/* The last colon, unless it is part of a "::" of C++. */
static const char *colon(const char *text)
{
	const char *at = strrchr(text, ':');

	return at && at > text && at[-1] == ':' ? NULL : at;
}

static int wrong(const char *text, struct err *err)
{
	char names[200] = "";

	for (int i = TRIED_NOTHING + 1; i < TRIED_ACTIONS; i++)
		snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s%s", names[0] ? ", " : "",
			action_has_structure(i) ? "STRUCTURE:" : "", tried_action_names[i]);
	return err_set(err, "--try takes one of %s, or nothing, not '%s'", names, text);
}

int action_parse(const char *text, struct tried_want *out, struct err *err)
{
	const char *at = text ? colon(text) : NULL, *name = at ? at + 1 : text;
	const size_t n = at ? (size_t)(at - text) : 0;

	*out = (struct tried_want){ .action = TRIED_NOTHING };
	if (!text)
		return 0;
	for (int i = TRIED_NOTHING + 1; i < TRIED_ACTIONS; i++)
		if (strcmp(name, tried_action_names[i]) == 0 && action_has_structure(i) == (n > 0))
			out->action = i;
	if (!out->action)
		return wrong(text, err);
	if (n >= sizeof out->structure)
		return err_set(err, "--try: the name of the structure is too long");
	if (n)
		memcpy(out->structure, text, n);
	return 0;
}
