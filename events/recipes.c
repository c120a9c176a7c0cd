/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads recipes, and chooses of each the first event that the kernel opens. */
#include "events/metrics.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "events/open.h"

static char *trim(char *s)
{
	size_t n;

	s += strspn(s, " \t\r");
	n = strlen(s);
	while (n && strchr(" \t\r", s[n - 1]))
		s[--n] = '\0';
	return s;
}

static bool name_ok(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_");

	return n && !s[n] && n < EVENT_NAME;
}

static int parse_line(struct event_metrics *m, char *line, struct err *err)
{
	struct event_metric *new = &m->metric[m->n], *old;
	char *eq = strchr(line, '='), *name, *recipe;

	if (!eq)
		return err_set(err, "no '=' behind the metric");
	*eq = '\0';
	name = trim(line);
	recipe = trim(eq + 1);
	if (!name_ok(name))
		return err_set(err, "'%s' is not the name of a metric", name);
	if (!*recipe || strlen(recipe) >= sizeof new->recipe)
		return err_set(err, "%s: %s", name, *recipe ? "too many events" : "no event");
	old = event_metrics_find(m, name);
	if (!old && m->n == EVENT_METRICS)
		return err_set(err, "more than %d metrics", EVENT_METRICS);
	if (!old)
		m->n++;
	else
		new = old;      /* a later line replaces an earlier one */
	memset(new, 0, sizeof *new);
	strcpy(new->name, name);
	strcpy(new->recipe, recipe);
	return 0;
}

int event_metrics_parse(struct event_metrics *m, const char *file, const char *text,
	struct err *err)
{
	for (int number = 1; *text; number++) {
		size_t n = strcspn(text, "\n");
		char line[1024], *code;

		if (n >= sizeof line)
			return err_set(err, "%s:%d: the line is too long", file, number);
		memcpy(line, text, n);
		line[n] = '\0';
		text += n + (text[n] == '\n');
		line[strcspn(line, "#")] = '\0';
		code = trim(line);
		if (*code && parse_line(m, code, err))
			return err_prefix(err, "%s:%d", file, number);
	}
	return 0;
}

struct event_metric *event_metrics_find(struct event_metrics *m, const char *name)
{
	for (uint32_t i = 0; i < m->n; i++)
		if (strcmp(m->metric[i].name, name) == 0)
			return &m->metric[i];
	return NULL;
}

/* One event of a recipe.  true: it opens. */
static bool attempt(struct event_metric *m, char *event)
{
	struct mon_event code;
	struct err err = { "" };
	bool hardware;
	int error = 0;

	if (event_translate(event, &code, &hardware, &err) == 0) {
		error = event_try(&code);
		if (!error) {
			snprintf(m->event, sizeof m->event, "%s", event);
			m->code = code;
			m->hardware = hardware;
			m->why[0] = '\0';
			return true;
		}
		event_refused(error, err.text, sizeof err.text);
	}
	/* A permission is easier to get than another processor: that reason goes before others. */
	if (!m->why[0] || error == EACCES || error == EPERM)
		snprintf(m->why, sizeof m->why, "%s: %.150s", event, err.text);
	return false;
}

void event_metrics_choose(struct event_metrics *m)
{
	for (uint32_t i = 0; i < m->n; i++) {
		struct event_metric *one = &m->metric[i];
		char list[sizeof one->recipe], *next = list;

		strcpy(list, one->recipe);
		one->event[0] = one->why[0] = '\0';
		while (next) {
			char *event = next;

			next = strchr(event, '|');
			if (next)
				*next++ = '\0';
			if (attempt(one, trim(event)))
				break;
		}
	}
}

void event_metrics_limit(struct event_metrics *m)
{
	struct mon_event list[MON_EVENTS_MOST];
	uint32_t n = 0;

	m->at_once = 0;
	for (uint32_t i = 0; i < m->n && n < MON_EVENTS_MOST; i++)
		if (m->metric[i].hardware && m->metric[i].event[0])
			list[n++] = m->metric[i].code;
	if (n)
		m->at_once = events_at_once(list, n);
}
