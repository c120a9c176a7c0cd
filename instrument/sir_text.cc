/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the text of the unit's SIR fragment (sir/README.md). */
#include "instrument/pscplugin.h"

uint64_t psc_hash(uint64_t hash, const std::string &text)
{
	for (unsigned char c : text)
		hash = (hash ^ c) * 0x100000001b3ull;
	return hash;
}

/* Escapes markup.  Control characters and bytes that are not UTF-8, which XML cannot hold and names
 * of files may contain, become \xHH. */
static std::string escaped(const std::string &s)
{
	std::string out;
	uint32_t code;

	for (size_t i = 0, n; i < s.size(); i += n) {
		const char *at = s.c_str() + i;
		char hex[8];
		int bytes = text_utf8(at, &code);

		n = bytes > 0 ? bytes : 1;
		if (bytes <= 0 || code < 0x20 || code == 0xfffe || code == 0xffff) {
			snprintf(hex, sizeof hex, "\\x%02x", (unsigned char)*at);
			out += hex;
			n = 1;
		} else if (code == '&') {
			out += "&amp;";
		} else if (code == '<') {
			out += "&lt;";
		} else if (code == '>') {
			out += "&gt;";
		} else if (code == '"') {
			out += "&quot;";
		} else {
			out.append(at, n);
		}
	}
	return out;
}

static std::string attribute(const char *name, const std::string &value)
{
	return std::string(" ") + name + "=\"" + escaped(value) + "\"";
}

static std::string number(const char *name, long value)
{
	return attribute(name, std::to_string(value));
}

struct writer {
	std::vector<std::vector<int>> children;
	std::vector<std::string> files;
	std::string text;
};

static int file_number(struct writer *w, const std::string &file)
{
	for (size_t i = 0; i < w->files.size(); i++)
		if (w->files[i] == file)
			return i + 1;
	w->files.push_back(file);
	return w->files.size();
}

static void write_array(struct writer *w, const struct psc_array &a)
{
	static const char *const access[] = { "", "r", "w", "rw" };

	w->text += "<array" + attribute("name", a.name) + attribute("type", a.type) +
		number("nelts", a.nelts) + attribute("access",
		access[a.access & (ACCESS_READ | ACCESS_WRITE)]);
	if (!a.scope.empty() || strcmp(a.klass, "common") == 0)
		w->text += attribute("scope", a.scope);
	w->text += attribute("class", a.klass);
	if (a.access & ACCESS_INDEXED)
		w->text += attribute("index", "loaded");
	if (a.line > 0)
		w->text += number("line", a.line);
	w->text += "/>\n";
}

/* "OFFSET:BYTES:NAME": the bytes that hold the member. */
static std::string member_text(const struct psc_record_member &m)
{
	unsigned first = m.at / BITS_PER_UNIT, end = (m.at + m.size + BITS_PER_UNIT - 1) /
		BITS_PER_UNIT;

	return std::to_string(first) + ":" + std::to_string(end - first) + ":" + m.name;
}

static void write_record(struct writer *w, const struct psc_record &r)
{
	std::string used;

	for (auto &m : r.used)
		used += (used.empty() ? "" : " ") + member_text(m);
	w->text += "<record" + attribute("type", r.type);
	if (!r.array.empty())
		w->text += attribute("array", r.array);
	w->text += number("size", r.size) + number("members", r.members) +
		attribute("used", used) + "/>\n";
}

static std::string words(const std::set<std::string> &names)
{
	std::string all;

	for (auto &name : names)
		all += (all.empty() ? "" : " ") + name;
	return all;
}

static void write_copy(struct writer *w, const struct psc_copy &c)
{
	w->text += "<copy" + attribute("of", c.of);
	if (!c.callee.empty())
		w->text += attribute("for", c.callee);
	if (c.line > 0)
		w->text += number("line", c.line);
	w->text += "/>\n";
}

static std::string hooks(const struct psc_region *r)
{
	std::string hook = r->marker ? r->phase ? "marker phase" : "marker" : "";
	std::string out = hook.empty() ? "" : attribute("hook", hook);

	if (r->refuse)
		out += attribute("refuse", r->refuse);
	if (r->unrecorded)
		out += attribute("own", "unrecorded");
	if (!r->math.empty())
		out += attribute("math", words(r->math));
	return out;
}

static std::string opening(struct writer *w, int index)
{
	const struct psc_region *r = &psc.regions[index];
	std::string s;

	if (r->type == REGION_SUB) {
		const char *type = r->program ? "program" : psc_is_fortran() ? "subroutine" :
			"function";

		s = "<unit" + attribute("type", type) + attribute("name", r->name);
		if (!r->symbol.empty())
			s += attribute("symbol", r->symbol);
	} else {
		s = "<codeRegion" + attribute("type", region_type_sir(r->type)) +
			attribute("name", r->name);
	}
	return s + attribute("id", std::to_string(file_number(w, r->file)) + "-" +
		std::to_string(r->line)) + number("index", index) + hooks(r);
}

/* For regions of other files than the unit's source; else the id's line is the position. */
static std::string position(const struct psc_region *r)
{
	return "<position" + number("startLine", r->line) + number("endLine", r->end) + "><file" +
		attribute("name", r->file) + "/></position>\n";
}

static void write_region(struct writer *w, int index)
{
	const struct psc_region *r = &psc.regions[index];
	const char *element = r->type == REGION_SUB ? "unit" : "codeRegion";
	bool own = r->file == main_input_filename;

	w->text += opening(w, index);
	if (own && r->end != r->line)
		w->text += number("end", r->end);
	if (own && r->arrays.empty() && r->records.empty() && r->copies.empty() &&
	    w->children[index].empty()) {
		w->text += "/>\n";
		return;
	}
	w->text += ">\n" + (own ? "" : position(r));
	for (auto &a : r->arrays)
		write_array(w, a);
	for (auto &record : r->records)
		write_record(w, record);
	for (auto &copy : r->copies)
		write_copy(w, copy);
	for (int child : w->children[index])
		write_region(w, child);
	w->text += std::string("</") + element + ">\n";
}

static std::string language(void)
{
	return psc_is_fortran() ? "Fortran" : psc_is_cxx() ? "C++" : "C";
}

/* Nothing for the usual: optimised, with vectors for few loops. */
static std::string optimization()
{
	if (!optimize)
		return attribute("optimize", "none");
	return flag_tree_loop_vectorize && flag_vect_cost_model != VECT_COST_MODEL_VERY_CHEAP ?
		attribute("optimize", "vector") : "";
}

std::string psc_sir_text(uint64_t *hash)
{
	struct writer w;
	std::string name = lang_hooks.name, head, dir = get_src_pwd();
	int n = psc.regions.size();

	for (auto &r : psc.regions) {
		for (auto &record : r.records)
			std::sort(record.used.begin(), record.used.end(),
				[](const psc_record_member &a, const psc_record_member &b) {
					return a.at != b.at ? a.at < b.at : a.name < b.name;
				});
		std::sort(r.records.begin(), r.records.end(),
			[](const psc_record &a, const psc_record &b) {
			return a.type != b.type ? a.type < b.type : a.array < b.array;
		});
		std::sort(r.arrays.begin(), r.arrays.end(),
			[](const psc_array &a, const psc_array &b) {
			return a.name != b.name ? a.name < b.name : a.line < b.line;
		});
	}
	/* The last list holds the subroutines. */
	w.children.resize(n + 1);
	for (int i = 0; i < n; i++)
		w.children[psc.regions[i].parent >= 0 ? psc.regions[i].parent : n].push_back(i);
	for (auto &list : w.children)
		std::sort(list.begin(), list.end(), [](int a, int b) {
			int la = psc.regions[a].line, lb = psc.regions[b].line;

			return la != lb ? la < lb : a < b;
		});
	for (int i : w.children[n])
		write_region(&w, i);
	while (!name.empty() && ISDIGIT(name[name.size() - 1]))
		name.resize(name.size() - 1);
	*hash = psc_hash(psc_hash(psc_hash(PSC_HASH_START, main_input_filename), dir), w.text);
	head = "<fragment" + attribute("source", main_input_filename) +
		attribute("language", language()) +
		attribute("compiler", name + " " + gcc_version.basever) + attribute("dir", dir) +
		optimization() + ">\n";
	return head + w.text + "</fragment>\n";
}
