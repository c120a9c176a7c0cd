/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of limits as SARIF 2.1.0 (OASIS), which code hosts show beside the source. */
#include <ctype.h>
#include <string.h>

#include "base/json_text.h"
#include "report/gate/check.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

/* A relative URI of a file: what a URI must not have in a path is written as %XX. */
static void uri(struct buf *out, const char *file)
{
	buf_puts(out, "\"");
	if (file[0] == '/')
		buf_puts(out, "file://");
	for (const char *s = file; *s; s++) {
		unsigned char ch = (unsigned char)*s;

		if (isalnum(ch) || strchr("-._~/", ch))
			buf_printf(out, "%c", ch);
		else
			buf_printf(out, "%%%02X", ch);
	}
	buf_puts(out, "\"");
}

static void rule(struct buf *out, const struct check_limit *limit)
{
	buf_puts(out, "\n        {\"id\": ");
	text_json(out, limit->text);
	buf_puts(out, ", \"shortDescription\": {\"text\": ");
	text_json(out, limit->text);
	buf_printf(out, "}, \"defaultConfiguration\": {\"level\": \"%s\"}}", limit->hard ? "error" :
		"warning");
}

static void location(struct buf *out, const struct check_hit *hit)
{
	buf_puts(out, "{");
	if (*hit->file) {
		buf_puts(out, "\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
		uri(out, hit->file);
		buf_puts(out, "}");
		if (hit->line > 0)
			buf_printf(out, ", \"region\": {\"startLine\": %d}", hit->line);
		buf_puts(out, "}, ");
	}
	buf_puts(out, "\"logicalLocations\": [{\"fullyQualifiedName\": ");
	text_json(out, hit->key);
	buf_puts(out, "}]}");
}

static void result(struct buf *out, const struct check *c, const struct check_hit *hit)
{
	const struct check_limit *limit = &c->limits[hit->limit];
	struct buf message = BUF_INIT;

	buf_puts(out, "\n      {\"ruleId\": ");
	text_json(out, limit->text);
	buf_printf(out, ", \"ruleIndex\": %d, \"level\": \"%s\",\n       \"message\": {\"text\": ",
		hit->limit, limit->hard ? "error" : "warning");
	buf_printf(&message, "%s: %s", hit->what, hit->message);
	text_json(out, buf_str(&message));
	buf_puts(out, "},\n       \"locations\": [");
	location(out, hit);
	buf_puts(out, "],\n       \"partialFingerprints\": {\"placeByName/v1\": ");
	text_json(out, hit->key);
	buf_puts(out, "}}");
	out->failed |= message.failed;
	buf_free(&message);
}

void check_sarif(const struct check *c, struct buf *out)
{
	buf_puts(out, "{\"$schema\": \"" SCHEMA "\", \"version\": \"2.1.0\",\n  \"runs\": [{\n"
		"    \"tool\": {\"driver\": {\"name\": \"Periscope/C\", \"version\": ");
	text_json(out, c->report->version ? c->report->version : "unknown");
	buf_puts(out, ",\n      \"rules\": [");
	for (int i = 0; i < c->nlimits; i++) {
		buf_puts(out, i ? "," : "");
		rule(out, &c->limits[i]);
	}
	buf_puts(out, "]}},\n    \"results\": [");
	for (int k = 0; k < c->nhits; k++) {
		buf_puts(out, k ? "," : "");
		result(out, c, &c->hits[k]);
	}
	buf_puts(out, "]}]}\n");
}
