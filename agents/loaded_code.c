/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the structure of a program again, with the libraries that it has loaded while it ran. */
#include "agents/loaded_code.h"

#include <stdlib.h>
#include <string.h>

#include "agents/asked_regions.h"
#include "base/buf.h"
#include "base/log.h"
#include "binary/binary.h"

struct old_structure {
	struct sir *sir;
	struct old_structure *next;
};

static bool is_listed(const char *list, const char *path)
{
	const size_t length = strlen(path);

	for (const char *at = list ? strstr(list, path) : NULL; at; at = strstr(at + 1, path))
		if ((at == list || at[-1] == '\n') && (at[length] == '\n' || !at[length]))
			return true;
	return false;
}

/* The list with the libraries that are not in it; NULL: it has all, or there is no memory. */
static char *longer_list(const char *list, const struct mon_peer *peer)
{
	struct buf b = BUF_INIT;
	const char *path;
	bool more = false;

	buf_printf(&b, "%s", list ? list : "");
	for (uint32_t i = 0; (path = mon_peer_code(peer, i)); i++)
		if (!is_listed(list, path)) {
			buf_printf(&b, "%s\n", path);
			more = true;
		}
	if (more)
		return buf_take(&b);
	buf_free(&b);
	return NULL;
}

/* Has each region of the shorter structure its number in the longer one? */
static bool begins_with(const struct sir *longer, const struct sir *shorter)
{
	if (longer->nregions < shorter->nregions)
		return false;
	for (uint32_t i = 0; i < shorter->nregions; i++) {
		const struct sir_region *x = &shorter->regions[i], *y = &longer->regions[i];

		if (x->type != y->type || x->line != y->line || x->parent != y->parent ||
		    strcmp(x->name, y->name) != 0)
			return false;
	}
	return true;
}

static int replace(struct host_analysis *h, struct sir *by)
{
	struct old_structure *old = malloc(sizeof *old);

	if (!old || asked_again(h, by)) {
		free(old);
		return -1;
	}
	*old = (struct old_structure){ h->sir, h->old_sir };
	h->old_sir = old;
	h->sir = by;
	for (int i = 0; i < h->nprocesses; i++)
		if (h->process[i].now.measured)
			h->process[i].now.measured->sir = by;
	return 0;
}

void loaded_code_take(struct host_analysis *h, const struct mon_peer *peer)
{
	struct run_config *c = h->config;
	char *list = c->bursts ? longer_list(c->code_files, peer) : NULL;
	struct err err = { "" };
	struct sir *with;

	if (!list)
		return;
	with = binary_read_program(c->executable, list, NULL, &err);
	if (!with || !begins_with(with, h->sir) || replace(h, with)) {
		log_msg(1, "the functions of libraries that the program loaded have no names: %s",
			err.text);
		sir_free(with);
	}
	free(c->code_files);            /* also after a failure: it would fail again */
	c->code_files = list;
}

void loaded_code_free(struct host_analysis *h)
{
	while (h->old_sir) {
		struct old_structure *old = h->old_sir;

		h->old_sir = old->next;
		sir_free(old->sir);
		free(old);
	}
}
