/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps a calibration as XML in the user's cache directory, and reads it back. */
#include "config.h"

#include "machine/calibration.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/cache_dir.h"
#include "base/user_file.h"
#include "base/xml_text.h"
#include "machine/elements.h"
#include "machine/local.h"

#define MOST_NS 1e6
#define MOST_BANDWIDTH ((uint64_t)1 << 50)

static const char *const yes_no[] = { "no", "yes" };

/* --- the path -------------------------------------------------------------------------------- */

void machine_host_name(char *name, size_t size)
{
	if (gethostname(name, size) < 0 || !*name)
		snprintf(name, size, "localhost");
	name[size - 1] = '\0';
	for (char *p = name; *p; p++)
		if (*p == '/' || (unsigned char)*p < ' ')
			*p = '_';
}

int calibration_path(bool make, char *path, size_t size, struct err *err)
{
	char host[64], name[80], dir[PATH_MAX];

	machine_host_name(host, sizeof host);
	snprintf(name, sizeof name, "%s.xml", host);
	if (cache_dir_path("", dir, sizeof dir, err) || cache_dir_path(name, path, size, err))
		return -1;
	return make ? cache_dir_make(dir, err) : 0;
}

/* --- writing --------------------------------------------------------------------------------- */

static void decimal_attribute(struct buf *b, const char *name, double value)
{
	buf_printf(b, " %s=\"", name);
	machine_decimal(b, value);
	buf_puts(b, "\"");
}

static void cost_attributes(struct buf *b, const struct cost *c)
{
	decimal_attribute(b, "ns", c->value);
	decimal_attribute(b, "low", c->low);
	decimal_attribute(b, "high", c->high);
	buf_puts(b, "/>\n");
}

static void cost_element(struct buf *b, const char *indent, const char *name, const struct cost *c)
{
	buf_printf(b, "%s<%s", indent, name);
	cost_attributes(b, c);
}

static void fault_elements(struct buf *b, const struct fault_cost *f)
{
	buf_puts(b, "  <fault threads=\"1\"");
	cost_attributes(b, &f->one);
	if (f->threads < 2)
		return;
	buf_printf(b, "  <fault threads=\"%u\"", f->threads);
	cost_attributes(b, &f->all);
}

/* The cost that has the i-th name. */
static struct cost *cost_at(struct machine_costs *m, uint32_t level, int i)
{
	return i < COST_PATTERNS ? &m->line[level][i] : i < COST_HUGE ?
		&m->walk[level][i - COST_PATTERNS] : &m->huge[level][i - COST_HUGE];
}

static void level_content(struct buf *b, const struct calibration *c, uint32_t level)
{
	machine_size_attribute(b, "set", c->set[level]);
	if (c->costs.walk_pages[level] > 0)
		buf_printf(b, " pages=\"%.0f\"", c->costs.walk_pages[level]);
	buf_puts(b, ">\n");
	for (int i = 0; i < (c->costs.huge_known ? COST_NAMES : COST_HUGE); i++)
		cost_element(b, "    ", cost_names[i],
			cost_at((struct machine_costs *)(uintptr_t)&c->costs, level, i));
}

static void compose(const struct calibration *c, struct buf *b)
{
	const struct machine_costs *m = &c->costs;
	struct tm tm;
	char when[32] = "";

	if (gmtime_r(&m->when, &tm))
		strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &tm);
	buf_puts(b, XML_HEAD "<calibration");
	xml_attribute(b, "host", m->host);
	if (c->processor[0])
		xml_attribute(b, "processor", c->processor);
	xml_attribute(b, "when", when);
	decimal_attribute(b, "load", m->load);
	xml_attribute(b, "loaded", yes_no[m->loaded]);
	decimal_attribute(b, "spread", m->spread);
	if (m->varies[0])
		xml_attribute(b, "varies", m->varies);
	buf_printf(b, " line=\"%u\"", c->line);
	decimal_attribute(b, "cycle", m->cycle);
	if (m->addition > 0)
		decimal_attribute(b, "addition", m->addition);
	decimal_attribute(b, "mispredict", m->mispredict);
	buf_puts(b, ">\n");
	for (uint32_t i = 0; i < m->nlevels; i++) {
		buf_printf(b, "  <cache level=\"%u\"", c->level[i]);
		machine_size_attribute(b, "size", c->size[i]);
		if (i + 1 == m->nlevels && c->usable)
			machine_size_attribute(b, "usable", c->usable);
		level_content(b, c, i);
		buf_puts(b, "  </cache>\n");
	}
	buf_puts(b, "  <memory");
	level_content(b, c, m->nlevels);
	buf_puts(b, "  </memory>\n");
	if (m->transfer.value > 0)
		cost_element(b, "  ", "transfer", &m->transfer);
	if (m->fault.source == COST_MEASURED)
		fault_elements(b, &m->fault);
	for (unsigned i = 0; i < COST_THREADS; i++)
		if (m->read_bandwidth[i] > 0 && m->write_bandwidth[i] > 0)
			buf_printf(b,
				"  <bandwidth threads=\"%u\" read=\"%.0f\" write=\"%.0f\"/>\n",
				i + 1, m->read_bandwidth[i], m->write_bandwidth[i]);
	buf_puts(b, "</calibration>\n");
}

int calibration_write(const struct calibration *c, const char *path, struct err *err)
{
	struct buf b = BUF_INIT;
	int rc;

	compose(c, &b);
	rc = output_write(path, &b, err);
	buf_free(&b);
	return rc;
}

/* --- reading --------------------------------------------------------------------------------- */

static int read_cost_of(const struct reader *r, xmlNodePtr n, const char *const *attributes,
	struct cost *c)
{
	if (element_only(r, n, attributes) < 0 || element_real(r, n, "ns", MOST_NS, &c->value) < 0
	    || element_real(r, n, "low", MOST_NS, &c->low) < 0
	    || element_real(r, n, "high", MOST_NS, &c->high) < 0)
		return -1;
	if (!(c->low <= c->value && c->value <= c->high))
		return element_complain(r, n, "<%s>: not low <= ns <= high", n->name);
	return 0;
}

static int read_cost(const struct reader *r, xmlNodePtr n, struct cost *c)
{
	static const char *const attributes[] = { "ns", "low", "high", NULL };

	return read_cost_of(r, n, attributes, c);
}

/* Of one thread first, then of several at once. */
static int read_fault(const struct reader *r, xmlNodePtr n, struct fault_cost *f)
{
	static const char *const attributes[] = { "threads", "ns", "low", "high", NULL };
	uint32_t threads;
	struct cost c;

	if (read_cost_of(r, n, attributes, &c) < 0
	    || element_number(r, n, "threads", COST_THREADS, &threads) < 0)
		return -1;
	if (f->threads > 1 || (threads == 1) != (f->threads == 0))
		return element_complain(r, n,
			"<fault> of %u threads: of one thread first, then of several", threads);
	if (threads == 1)
		f->one = c;
	f->all = c;
	f->threads = threads;
	f->source = COST_MEASURED;
	return 0;
}

/* The number of an element's name in cost_names; -1: none. */
static int index_of(xmlNodePtr n)
{
	for (int i = 0; i < COST_NAMES; i++)
		if (strcmp((const char *)n->name, cost_names[i]) == 0)
			return i;
	return -1;
}

/* Reads the costs of a level: each pattern and each walk once. */
static int read_level(const struct reader *r, xmlNodePtr n, struct calibration *c, uint32_t level)
{
	unsigned seen = 0;
	uint32_t pages = 0;

	if (element_size(r, n, "set", (uint64_t)1 << 40, &c->set[level]) < 0)
		return -1;
	if (element_has(n, "pages") && element_number(r, n, "pages", UINT32_MAX, &pages) < 0)
		return -1;
	c->costs.walk_pages[level] = pages;
	for (xmlNodePtr e = n->children; e; e = e->next) {
		int i;

		if (e->type != XML_ELEMENT_NODE)
			continue;
		i = index_of(e);
		if (i < 0)
			return element_complain(r, e, "<%.40s> is no pattern of accesses",
				(const char *)e->name);
		if (seen & 1u << i)
			return element_complain(r, e, "<%s> twice", e->name);
		seen |= 1u << i;
		if (read_cost(r, e, cost_at(&c->costs, level, i)) < 0)
			return -1;
	}
	for (int i = 0; i < COST_HUGE; i++)
		if (!(seen & 1u << i))
			return element_complain(r, n, "<%s> without <%s>", n->name,
				cost_names[i]);
	c->costs.huge_known = seen >> COST_HUGE == (1u << COST_WALKS) - 1 &&
		(level == 0 || c->costs.huge_known);
	return 0;
}

static int read_cache(const struct reader *r, xmlNodePtr n, struct calibration *c)
{
	static const char *const attributes[] = { "level", "size", "usable", "set", "pages", NULL };
	uint32_t i = c->costs.nlevels;

	if (i == MACHINE_LEVELS)
		return element_complain(r, n, "more than %d cache levels", MACHINE_LEVELS);
	if (element_only(r, n, attributes) < 0 || element_number(r, n, "level", 9, &c->level[i]) < 0
	    || element_size(r, n, "size", (uint64_t)1 << 40, &c->size[i]) < 0)
		return -1;
	if (i && c->size[i] <= c->size[i - 1])
		return element_complain(r, n, "L%u is not larger than L%u", c->level[i],
			c->level[i - 1]);
	c->usable = 0;          /* of a farther level, if that has one */
	if (element_has(n, "usable") && element_size(r, n, "usable", (uint64_t)1 << 40,
	    &c->usable) < 0)
		return -1;
	c->costs.nlevels++;
	return read_level(r, n, c, i);
}

static int read_bytes(const struct reader *r, xmlNodePtr n, const char *name, double *value)
{
	char *s = element_text(n, name);
	const char *end;
	uint64_t v;
	int ret = 0;

	if (!s)
		return element_complain(r, n, "<%s> without %s", n->name, name);
	if (!text_whole(s, MOST_BANDWIDTH, &v, &end) || *end || !v)
		ret = element_complain(r, n, "%s=\"%.40s\" is not a number of bytes a second", name,
			s);
	else
		*value = (double)v;
	xmlFree(s);
	return ret;
}

static int read_bandwidth(const struct reader *r, xmlNodePtr n, struct machine_costs *m)
{
	static const char *const attributes[] = { "threads", "read", "write", NULL };
	uint32_t threads;

	if (element_only(r, n, attributes) < 0
	    || element_number(r, n, "threads", COST_THREADS, &threads) < 0)
		return -1;
	if (m->read_bandwidth[threads - 1] > 0)
		return element_complain(r, n, "<bandwidth> of %u threads twice", threads);
	return read_bytes(r, n, "read", &m->read_bandwidth[threads - 1]) < 0 ? -1
		: read_bytes(r, n, "write", &m->write_bandwidth[threads - 1]);
}

static int read_child(const struct reader *r, xmlNodePtr n, struct calibration *c)
{
	static const char *const memory[] = { "set", "pages", NULL };
	const char *name = (const char *)n->name;

	/* Memory's costs stand behind those of the levels: no level may follow. */
	if (strcmp(name, "cache") == 0 && !c->set[c->costs.nlevels])
		return read_cache(r, n, c);
	if (strcmp(name, "cache") == 0)
		return element_complain(r, n, "<cache> after <memory>");
	if (strcmp(name, "memory") == 0) {
		if (c->set[c->costs.nlevels])
			return element_complain(r, n, "<memory> twice");
		return element_only(r, n, memory) < 0 ? -1 : read_level(r, n, c, c->costs.nlevels);
	}
	if (strcmp(name, "transfer") == 0)
		return c->costs.transfer.value > 0 ? element_complain(r, n, "<transfer> twice")
			: read_cost(r, n, &c->costs.transfer);
	if (strcmp(name, "bandwidth") == 0)
		return read_bandwidth(r, n, &c->costs);
	if (strcmp(name, "fault") == 0)
		return read_fault(r, n, &c->costs.fault);
	return element_complain(r, n,
		"<%.40s> is none of <cache>, <memory>, <transfer>, <fault>, <bandwidth>", name);
}

static int read_when(const struct reader *r, xmlNodePtr root, time_t *when)
{
	char text[40];
	struct tm tm = { 0 };
	const char *end;

	element_copy(root, "when", "", text, sizeof text);
	end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm);
	*when = end && !*end ? timegm(&tm) : 0;
	return *when > 0 ? 0 : element_complain(r, root, "when=\"%s\" is not a date such as "
		"\"2026-01-31T12:00:00Z\"", text);
}

static int read_root(const struct reader *r, xmlNodePtr root, struct calibration *c)
{
	static const char *const attributes[] = { "host", "processor", "when", "load", "loaded",
		"spread", "varies", "line",
		"cycle", "addition", "mispredict", NULL };
	struct machine_costs *m = &c->costs;
	uint64_t line;
	uint32_t loaded;

	if (strcmp((const char *)root->name, "calibration") != 0)
		return element_complain(r, root, "root is <%.40s>, not <calibration>", root->name);
	if (element_only(r, root, attributes) < 0)
		return -1;
	element_copy(root, "host", "", m->host, sizeof m->host);
	if (!m->host[0])
		return element_complain(r, root, "<calibration> without host");
	element_copy(root, "processor", "", c->processor, sizeof c->processor);
	element_copy(root, "varies", "", m->varies, sizeof m->varies);
	if (read_when(r, root, &m->when) < 0 || element_real(r, root, "load", 1, &m->load) < 0
	    || element_choice(r, root, "loaded", yes_no, 2, 0, &loaded) < 0
	    || element_size(r, root, "line", 4096, &line) < 0
	    || element_real(r, root, "cycle", 1000, &m->cycle) < 0
	    || (element_has(root, "spread") && element_real(r, root, "spread", MOST_NS,
	    &m->spread) < 0) || (element_has(root, "addition")
	    && element_real(r, root, "addition", 1000, &m->addition) < 0)
	    || element_real(r, root, "mispredict", MOST_NS, &m->mispredict) < 0)
		return -1;
	if (!(m->cycle > 0))
		return element_complain(r, root, "cycle=\"0\" is no time");
	m->loaded = loaded;
	c->line = (uint32_t)line;
	return 0;
}

static int read_document(const struct reader *r, xmlDocPtr doc, struct calibration *c)
{
	xmlNodePtr root = xmlDocGetRootElement(doc);

	if (read_root(r, root, c) < 0)
		return -1;
	for (xmlNodePtr n = root->children; n; n = n->next)
		if (n->type == XML_ELEMENT_NODE && read_child(r, n, c) < 0)
			return -1;
	if (!c->costs.nlevels)
		return element_complain(r, root, "<calibration> without <cache>");
	if (!c->set[c->costs.nlevels])
		return element_complain(r, root, "<calibration> without <memory>");
	c->costs.source = COST_MEASURED;
	return 0;
}

int calibration_read(const char *path, struct calibration *out, struct err *err)
{
	struct reader r = { path, err, false };
	struct calibration c = { .line = 0 };
	xmlDocPtr doc = document_read(&r);
	int ret;

	if (!doc)
		return -1;
	ret = read_document(&r, doc, &c);
	xmlFreeDoc(doc);
	if (ret == 0)
		*out = c;
	return ret;
}

bool calibration_is(const char *path)
{
	struct reader r = { path, NULL, false };
	xmlDocPtr doc = document_read(&r);
	xmlNodePtr root = doc ? xmlDocGetRootElement(doc) : NULL;
	bool is = root && strcmp((const char *)root->name, "calibration") == 0;

	xmlFreeDoc(doc);
	return is;
}

/* --- this host's ----------------------------------------------------------------------------- */

/* The level, or what can be had of it (machine_here()), which is whole ways, and no less than twice
 * the next nearer level. */
static bool has_size(const struct calibration *c, uint32_t i, const struct machine_level *l)
{
	const uint64_t least = i ? 2 * c->size[i - 1] : 0, usable = c->usable < least ? least :
		c->usable;

	return c->size[i] == l->size
		|| (i + 1 == c->costs.nlevels && c->usable && l->size <= usable &&
		l->size > usable / 2);
}

static int fits(const struct machine *m, const struct calibration *c, const char *path,
	struct err *why)
{
	const struct machine_flat *f = &m->flat;

	if (c->processor[0] && strcmp(c->processor, m->title) != 0)
		return err_set(why,
			"%s is of another processor, %s: not used; run psc_machine --calibrate",
			path, c->processor);
	if (c->costs.nlevels != f->nlevels || c->line != f->level[0].line)
		return err_set(why,
			"%s is of other cache levels: not used; run psc_machine --calibrate", path);
	for (uint32_t i = 0; i < f->nlevels; i++)
		if (c->level[i] != f->level[i].level || !has_size(c, i, &f->level[i]))
			return err_set(why,
				"%s: its L%u is not this machine's: not used; run psc_machine "
				"--calibrate", path, c->level[i]);
	return 0;
}

static int read_own(char *path, size_t size, struct calibration *out, struct err *why)
{
	struct calibration c;
	char host[64];

	if (calibration_path(false, path, size, why) < 0)
		return -1;
	if (access(path, F_OK) < 0)
		return err_set(why, "this host is not calibrated: run psc_machine --calibrate");
	if (calibration_read(path, &c, why) < 0)
		return -1;
	machine_host_name(host, sizeof host);
	if (strcmp(host, c.costs.host) != 0)
		return err_set(why, "%s is of host %s, this is %s: not used", path, c.costs.host,
			host);
	*out = c;
	return 0;
}

int calibration_own(struct calibration *out, struct err *why)
{
	char path[PATH_MAX];

	return read_own(path, sizeof path, out, why);
}

int calibration_of_host(const struct machine *m, struct calibration *out, struct err *why)
{
	char path[PATH_MAX];
	struct calibration c;

	if (read_own(path, sizeof path, &c, why) < 0 || fits(m, &c, path, why) < 0)
		return -1;
	*out = c;
	return 0;
}
