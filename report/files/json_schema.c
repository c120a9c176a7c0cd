/* SPDX-License-Identifier: BSD-3-Clause */
/* The schema of the JSON form, made of the tables that write it: the two cannot differ. */
#include <string.h>

#include "base/json_text.h"
#include "base/region.h"
#include "base/user_file.h"
#include "report/model/fields.h"

static void region_types(struct buf *out)
{
	buf_puts(out, "{\"enum\": [");
	text_json(out, region_type_name(REGION_UNKNOWN));
	for (int i = REGION_UNKNOWN + 1; i <= REGION_DATA_STRUCTURE; i++)
		if (strcmp(region_type_name(i), region_type_name(REGION_UNKNOWN)) != 0) {
			buf_puts(out, ", ");
			text_json(out, region_type_name(i));
		}
	buf_puts(out, "]}");
}

static void outcomes(struct buf *out)
{
	buf_puts(out, "{\"enum\": [");
	for (int i = REPORT_HELD; i <= REPORT_NOT_TESTED; i++) {
		buf_puts(out, i ? ", " : "");
		text_json(out, report_outcome_name((enum report_outcome)i));
	}
	buf_puts(out, "]}");
}

static void names(struct buf *out, const char *const *name)
{
	buf_puts(out, "{\"enum\": [null");
	for (int i = 1; name[i]; i++) {
		buf_puts(out, ", ");
		text_json(out, name[i]);
	}
	buf_puts(out, "]}");
}

static void kind(struct buf *out, const struct field *f)
{
	switch (f->kind) {
	case FIELD_TEXT: buf_puts(out, "{\"type\": \"string\"}"); break;
	case FIELD_OPTIONAL: buf_puts(out, "{\"type\": [\"string\", \"null\"]}"); break;
	case FIELD_REAL: buf_puts(out, "{\"type\": [\"number\", \"null\"]}"); break;
	case FIELD_INT:
	case FIELD_INT64: buf_puts(out, "{\"type\": \"integer\"}"); break;
	case FIELD_BOOL: buf_puts(out, "{\"type\": \"boolean\"}"); break;
	case FIELD_REGION: region_types(out); break;
	case FIELD_OUTCOME: outcomes(out); break;
	case FIELD_NAME: names(out, f->names); break;
	case FIELD_SERIES: buf_puts(out, "{\"type\": \"string\", \"description\": "
		"\"counts that are not 0: gap to the number before, count\", "
		"\"pattern\": \"^([0-9]+ [0-9]+( [0-9]+ [0-9]+)*)?$\"}"); break;
	}
}

static void properties(struct buf *out, const struct field *table)
{
	for (const struct field *f = table; f->name; f++) {
		buf_printf(out, "%s\n      \"%s\": ", f == table ? "" : ",", f->name);
		kind(out, f);
	}
}

static void required(struct buf *out, const struct field *table, const char *separator)
{
	for (const struct field *f = table; f->name; f++) {
		buf_printf(out, "%s\"%s\"", separator, f->name);
		separator = ", ";
	}
}

/* An object with the fields of a table, and what else its writer adds: "more", properties as text
 * that begins with a comma, and their names, each after a comma. */
static void object(struct buf *out, const struct field *table, const char *more, const char *names)
{
	buf_puts(out, "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {");
	properties(out, table);
	buf_puts(out, more);
	buf_puts(out, "},\n      \"required\": [");
	required(out, table, "");
	buf_puts(out, names);
	buf_puts(out, "]}");
}

#define SENTENCE "{\"type\": [\"string\", \"null\"]}"
#define SAID "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {\"claim\": " SENTENCE ", \"read\": " SENTENCE "}, " \
	"\"required\": [\"claim\", \"read\"]}"
/* Sentences of the views, of each structure and thread in their order; for each structure the
 * number of the one that leads those always used together; order: their numbers, as views show
 * them.  missing: what is not in the pictures.  axis: its length in accesses, whether views begin
 * with an axis of time, the time of each region that its accesses show, and for each thread "GAP
 * LENGTH GAP LENGTH ..", where its columns lie.  ordered: what threads do at one place of the axis
 * is at one time.  structure_rows: by row, as a series, whose it is (1 private, 2 handed over, 3
 * shared and read only, 4 shared and written) and 1 + the thread that touched it first; parts:
 * where a row's lines are of several kinds, at 5 * row + kind their per cent.  strip:
 * regions, in columns of the axis; where threads are not ordered they are those of strip_thread,
 * and region_runs has for each region its number in the strip, 0: none. predictions: for more
 * threads, lines from memory an execution as [value, low, high], in all, by node where that is
 * known, and by structure; s an execution, where this host's bandwidth was measured. */
#define LINES "{\"type\": \"array\", \"items\": {\"type\": \"number\", \"minimum\": 0}, \"minItems\": 3, \"maxItems\": 3}"
#define NUMBER_OR_NULL "{\"type\": [\"number\", \"null\"]}"
#define SERIES_TEXT "{\"type\": \"string\", \"pattern\": \"^([0-9]+ [0-9]+( [0-9]+ [0-9]+)*)?$\"}"
#define TIMELINE_MORE ",\n      \"words\": {\"type\": \"object\", \"additionalProperties\": " SAID "},\n" \
	"      \"dependences\": " SENTENCE ", \"missing\": " SENTENCE ", \"untimed\": " SENTENCE ",\n" \
	"      \"structure_words\": {\"type\": \"array\", \"items\": {\"type\": \"object\", \"additionalProperties\": " SENTENCE "}},\n" \
	"      \"groups\": {\"type\": \"array\", \"items\": {\"type\": \"integer\", \"minimum\": 1}},\n" \
	"      \"order\": {\"type\": \"array\", \"items\": {\"type\": \"integer\", \"minimum\": 1}},\n" \
	"      \"thread_words\": {\"type\": \"array\", \"items\": " SAID "},\n" \
	"      \"strip\": {\"type\": \"array\", \"items\": {\"type\": \"object\", \"additionalProperties\": false, \"properties\": " \
	"{\"from\": {\"type\": \"integer\"}, \"to\": {\"type\": \"integer\"}, \"label\": " SENTENCE "}, " \
	"\"required\": [\"from\", \"to\", \"label\"]}},\n" \
	"      \"ordered\": {\"type\": \"boolean\"}, \"strip_thread\": {\"type\": [\"integer\", \"null\"]},\n" \
	"      \"region_runs\": {\"type\": \"array\", \"items\": {\"type\": \"integer\", \"minimum\": 0}},\n" \
	"      \"axis\": {\"type\": \"object\", \"additionalProperties\": false, \"properties\": " \
	"{\"length\": {\"type\": \"number\"}, \"by_time\": {\"type\": \"boolean\"}, \"threads\": {\"type\": \"array\", \"items\": " SERIES_TEXT "}, " \
	"\"times\": {\"type\": \"array\", \"items\": {\"type\": \"number\", \"minimum\": 0}}}, " \
	"\"required\": [\"length\", \"by_time\", \"threads\", \"times\"]},\n" \
	"      \"structure_rows\": {\"type\": \"array\", \"items\": {\"type\": \"object\", " \
	"\"additionalProperties\": false, \"properties\": {\"sharing\": " SERIES_TEXT ", \"parts\": " SERIES_TEXT ", " \
	"\"first\": " SERIES_TEXT "}, " \
	"\"required\": [\"sharing\", \"parts\", \"first\"]}},\n" \
	"      \"predictions\": {\"type\": \"array\", \"items\": {\"type\": \"object\", \"additionalProperties\": false, " \
	"\"properties\": {\"threads\": {\"type\": \"integer\"}, \"claim\": {\"type\": \"string\"}, \"read\": {\"type\": \"string\"}, \"time\": " NUMBER_OR_NULL ", " \
	"\"time_low\": " NUMBER_OR_NULL ", \"time_high\": " NUMBER_OR_NULL ", \"lines\": " LINES ", " \
	"\"nodes\": {\"type\": \"array\", \"items\": " LINES "}, \"structures\": {\"type\": \"array\", \"items\": " LINES "}}, " \
	"\"required\": [\"threads\", \"claim\", \"read\", \"time\", \"time_low\", \"time_high\", \"lines\", \"nodes\", \"structures\"]}},\n" \
	"      \"line_words\": {\"type\": \"array\", \"items\": {\"type\": \"object\", \"additionalProperties\": false, \"properties\": " \
	"{\"file\": {\"type\": \"string\"}, \"line\": {\"type\": \"integer\"}, \"says\": {\"type\": \"string\"}}, " \
	"\"required\": [\"file\", \"line\", \"says\"]}}"

/* What export.c writes of a row beside its fields. */
static const struct extra {
	const struct row_type *type;
	const char *more, *names;
} extras[] = {
	{ &problem_rows, ",\n      \"path\": {\"type\": [\"string\", \"null\"]},\n"
		"      \"why\": {\"type\": [\"string\", \"null\"]}, \"do\": {\"type\": [\"string\", \"null\"]},\n"
		"      \"findings\": {\"type\": \"array\", \"items\": {\"type\": \"integer\", \"minimum\": 1}, \"minItems\": 1}",
		", \"path\", \"why\", \"do\", \"findings\"" },
	{ &problem_structure_rows, ",\n      \"name\": {\"type\": \"string\"}", ", \"name\"" },
	{ &finding_rows, ",\n      \"rank\": {\"type\": \"integer\", \"minimum\": 1},\n"
		"      \"processes\": {\"type\": \"string\", \"description\": \"ranks: 0-255, 300\", "
		"\"pattern\": \"^([0-9]+(-[0-9]+)?(, [0-9]+(-[0-9]+)?)*)?$\"},\n"
		"      \"nprocesses\": {\"type\": \"integer\", \"minimum\": 0}",
		", \"rank\", \"processes\", \"nprocesses\"" },
	{ &gain_rows,
		",\n      \"findings\": {\"type\": \"array\", \"items\": {\"type\": \"integer\"}}",
		", \"findings\"" },
	{ &timeline_rows, TIMELINE_MORE,
		", \"words\", \"dependences\", \"missing\", \"untimed\", \"order\", \"structure_words\", \"groups\", "
		"\"thread_words\", \"strip\", \"line_words\", \"ordered\", \"strip_thread\", \"region_runs\", "
		"\"axis\", \"structure_rows\", \"predictions\"" },
	{ &site_rows, ",\n      \"share\": {\"type\": [\"number\", \"null\"]}", ", \"share\"" },
};

/* Rows in rows are defined once, by the names that they have in .psc. */
static void row(struct buf *out, const struct row_type *type)
{
	struct buf more = BUF_INIT, names = BUF_INIT;

	for (size_t i = 0; i < sizeof extras / sizeof *extras; i++)
		if (extras[i].type == type) {
			buf_puts(&more, extras[i].more);
			buf_puts(&names, extras[i].names);
		}
	for (const struct list *l = type->lists; l->name; l++) {
		buf_printf(&more, l->number == LIST_ONE ?
			",\n      \"%s\": {\"anyOf\": [{\"$ref\": \"#/$defs/%s\"}, {\"type\": \"null\"}]}" :
			",\n      \"%s\": {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/%s\"}}", l->name, l->type->element);
		buf_printf(&names, ", \"%s\"", l->name);
	}
	object(out, type->fields, buf_str(&more), buf_str(&names));
	out->failed |= more.failed || names.failed;
	buf_free(&more);
	buf_free(&names);
}

/* Defines the rows in rows that were not defined before. */
static void definitions(struct buf *out)
{
	const struct row_type *done[16];
	size_t n = 0, k;

	for (const struct list *l = report_lists; l->name; l++)
		for (const struct list *in = l->type->lists; in->name; in++) {
			for (k = 0; k < n && done[k] != in->type; k++)
				;
			if (k < n || n == sizeof done / sizeof *done)
				continue;
			buf_printf(out, "%s\"%s\": ", n ? ",\n    " : "", in->type->element);
			row(out, in->type);
			done[n++] = in->type;
		}
}

static void schema(struct buf *out)
{
	buf_puts(out, "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
		"  \"title\": \"A report of Periscope/C\",\n"
		"  \"description\": \"Times in s, sizes in bytes, shares from 0 to 1; counts per phase execution. "
		"null: not measured, or not there.\",\n"
		"  \"type\": \"object\", \"additionalProperties\": false,\n  \"properties\": {\n"
		"    \"format\": {\"const\": \"" REPORT_JSON_FORMAT "\"},");
	properties(out, report_fields);
	buf_puts(out,
		",\n    \"phase\": {\"type\": \"object\", \"additionalProperties\": false, \"properties\": {");
	properties(out, node_fields);
	buf_puts(out, ",");
	properties(out, phase_fields);
	buf_puts(out, "},\n      \"required\": [");
	required(out, node_fields, "");
	required(out, phase_fields, ", ");
	buf_puts(out,
		"]},\n    \"notes\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}}");
	for (const struct list *l = report_lists; l->name; l++) {
		buf_printf(out, ",\n    \"%s\": {\"type\": \"array\", \"items\": ", l->name);
		row(out, l->type);
		buf_puts(out, "}");
	}
	buf_puts(out,
		",\n    \"classes\": {\"type\": \"array\", \"items\": {\"type\": \"object\", \"additionalProperties\": false, "
		"\"properties\": {\"processes\": {\"type\": \"string\"},\n      \"nprocesses\": {\"type\": \"integer\"}, "
		"\"representative\": {\"type\": \"integer\"},\n      \"findings\": {\"type\": \"array\", "
		"\"items\": {\"type\": \"integer\"}}},\n      \"required\": [\"processes\", \"nprocesses\", "
		"\"representative\", \"findings\"]}}");
	buf_puts(out, "},\n  \"required\": [\"format\"");
	required(out, report_fields, ", ");
	buf_puts(out, ", \"phase\", \"notes\"");
	for (const struct list *l = report_lists; l->name; l++)
		buf_printf(out, ", \"%s\"", l->name);
	buf_puts(out, ", \"classes\"],\n  \"$defs\": {");
	definitions(out);
	buf_puts(out, "}}\n");
}

int report_schema_write(const char *path, struct err *err)
{
	struct buf out = BUF_INIT;
	int rc;

	schema(&out);
	rc = output_write(path, &out, err);
	buf_free(&out);
	return rc;
}
