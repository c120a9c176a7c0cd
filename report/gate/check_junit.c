/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of limits as JUnit XML: a test case for each limit. */
#include "base/xml_text.h"
#include "report/gate/check.h"

/* What exceeds the limit, a line each. */
static void hits(struct buf *out, const struct check *c, int limit)
{
	for (int k = 0; k < c->nhits; k++) {
		const struct check_hit *hit = &c->hits[k];

		if (hit->limit != limit)
			continue;
		xml_text(out, hit->file);
		buf_printf(out, ":%d: ", hit->line);
		xml_text(out, hit->what);
		buf_puts(out, ": ");
		xml_text(out, hit->message);
		buf_puts(out, "\n");
	}
}

static void test_case(struct buf *out, const struct check *c, int i)
{
	const struct check_limit *limit = &c->limits[i];
	enum check_state state = check_limit_state(limit);
	const char *element = state == CHECK_FAILED ? "failure" : "system-out";

	buf_puts(out, "    <testcase");
	xml_attribute(out, "classname", "memory");
	xml_attribute(out, "name", limit->text);
	if (state == CHECK_PASSED) {
		buf_puts(out, "/>\n");
		return;
	}
	buf_printf(out, ">\n      <%s", element);
	if (state == CHECK_FAILED)
		buf_printf(out, " message=\"%d of %d exceed it\" type=\"limit\"", limit->exceeded,
			limit->tested);
	buf_puts(out, ">");
	hits(out, c, i);
	buf_printf(out, "</%s>\n    </testcase>\n", element);
}

void check_junit(const struct check *c, struct buf *out)
{
	int failures = 0;

	for (int i = 0; i < c->nlimits; i++)
		failures += check_limit_state(&c->limits[i]) == CHECK_FAILED;
	buf_printf(out,
		XML_HEAD "<testsuites tests=\"%d\" failures=\"%d\" errors=\"0\">\n  <testsuite",
		c->nlimits, failures);
	xml_attribute(out, "name", c->name);
	buf_printf(out, " tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"0\">\n", c->nlimits,
		failures);
	for (int i = 0; i < c->nlimits; i++)
		test_case(out, c, i);
	buf_puts(out, "  </testsuite>\n</testsuites>\n");
}
