/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the argument of --try. */
#include "analysis/trials/actions.h"

#include <stdio.h>
#include <string.h>

int actions_parse(const char *text, uint32_t *set, struct err *err)
{
	char names[120] = "";

	if (!text) {
		*set |= ACTIONS_PROPOSED;
		return 0;
	}
	for (int i = TRIED_NOTHING + 1; i < TRIED_ACTIONS; i++) {
		if (strcmp(text, tried_action_names[i]) == 0) {
			*set |= ACTION_BIT(i);
			return 0;
		}
		snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
			names[0] ? ", " : "", tried_action_names[i]);
	}
	return err_set(err, "--try takes one of %s, or nothing, not '%s'", names, text);
}
