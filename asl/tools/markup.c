/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a reference page as Markdown or HTML. */
#include "config.h"
#include "asl/tools/markup.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define WIDTH 80

static const char style[] =
	":root{color-scheme:light dark;--ink:#1c1f24;--dim:#5b6470;--back:#fff;--panel:#f5f6f8;"
	"--line:#dcdfe4;--link:#0b57b0;--word:#8a2f7a;--text:#1f6b3a}\n"
	"@media(prefers-color-scheme:dark){:root{--ink:#dfe3e8;--dim:#9aa4b0;--back:#15181c;"
	"--panel:#1e2329;--line:#343b44;--link:#7fb4ff;--word:#e29ad2;--text:#8fd3a5}}\n"
	"body{font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;"
	"color:var(--ink);background:var(--back);max-width:52rem;margin:2.5rem auto;padding:0 1.2rem}\n"
	"h1{font-size:1.9rem;margin:0 0 1rem}h2{font-size:1.4rem;margin:2.6rem 0 .8rem;"
	"padding-bottom:.25rem;border-bottom:1px solid var(--line)}"
	"h3{font-size:1.12rem;margin:2.2rem 0 .6rem}h4{margin:1.6rem 0 .4rem}\n"
	"h1+h1,hr{margin-top:4rem}a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}\n"
	"code,pre{font:.875em/1.5 ui-monospace,SFMono-Regular,Consolas,'DejaVu Sans Mono',monospace}\n"
	"pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.7rem .9rem;"
	"overflow-x:auto;tab-size:4}\n"
	"pre b{color:var(--word);font-weight:600}pre i{color:var(--text);font-style:normal}\n"
	"table{border-collapse:collapse;width:100%;margin:.8rem 0;font-size:.94em}"
	"th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0;"
	"border-bottom:1px solid var(--line)}th{color:var(--dim);font-weight:600}\n"
	"dl{display:grid;grid-template-columns:max-content 1fr;gap:.35rem 1.2rem}dt{font-weight:600}dd{margin:0}\n"
	"blockquote{margin:.9rem 0;padding:.1rem 0 .1rem 1rem;border-left:3px solid var(--line);"
	"color:var(--dim)}ul{padding-left:1.3rem}li{margin:.15rem 0}\n"
	"@media(max-width:36rem){dl{grid-template-columns:1fr;gap:0}dd{margin:0 0 .6rem 1rem}"
	"table{display:block;overflow-x:auto}}\n"
	"@media print{body{max-width:none;margin:0;font-size:10.5pt}a{color:inherit}"
	"pre{white-space:pre-wrap}h2,h3,h4{break-after:avoid}pre,tr,blockquote{break-inside:avoid}}\n";

/* --- characters --- */
static void html_char(struct buf *out, char ch)
{
	switch (ch) {
	case '<':
		buf_puts(out, "&lt;");
		break;
	case '>':
		buf_puts(out, "&gt;");
		break;
	case '&':
		buf_puts(out, "&amp;");
		break;
	case '"':
		buf_puts(out, "&quot;");
		break;
	default:
		buf_add(out, (unsigned char)ch < 32 && ch != '\n' && ch != '\t' ? "?" : &ch, 1);
	}
}

static void html(struct buf *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		html_char(out, s[i]);
}

static bool is_word(char ch)
{
	return isalnum((unsigned char)ch) || ch == '_';
}

/* Escapes text for Markdown.  `_` between letters has no meaning there and is not escaped. */
static void markdown(struct buf *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool inner = i && i + 1 < n && is_word(s[i - 1]) && is_word(s[i + 1]);

		if (s[i] == '&')
			buf_puts(out, "&amp;");
		else if (strchr("\\`*<>|", s[i]) || (s[i] == '_' && !inner)
				|| (s[i] == ']' && i + 1 < n && strchr("([:", s[i + 1])))
			buf_printf(out, "\\%c", s[i]);
		else
			buf_add(out, (unsigned char)s[i] < 32 ? " " : s + i, 1);
	}
}

static void code(struct markup *p, const char *s, size_t n)
{
	bool tick = memchr(s, '`', n) != NULL, link = p->known && p->known(p->arg, s, n);

	if (p->html) {
		if (link) {
			buf_puts(p->out, "<a href=\"#");
			html(p->out, s, n);
			buf_puts(p->out, "\">");
		}
		buf_puts(p->out, "<code>");
		html(p->out, s, n);
		buf_puts(p->out, link ? "</code></a>" : "</code>");
		return;
	}
	buf_puts(p->out, tick ? "`` " : link ? "[`" : "`");
	for (size_t i = 0; i < n; i++)
		buf_add(p->out, s[i] == '\n' ? " " : s + i, 1);
	buf_puts(p->out, tick ? " ``" : "`");
	if (!link || tick)
		return;
	buf_puts(p->out, "](#");
	for (size_t i = 0; i < n; i++)
		buf_printf(p->out, "%c", tolower((unsigned char)s[i]));
	buf_puts(p->out, ")");
}

/* Writes text with code between backquotes; a backquote without a partner is literal. */
static void rich(struct markup *p, const char *s, size_t n)
{
	while (n > 0) {
		const char *open = memchr(s, '`', n), *close = open ? memchr(open + 1, '`',
			n - (size_t)(open + 1 - s)) : NULL;
		size_t plain = close && close > open + 1 ? (size_t)(open - s) : n;

		(p->html ? html : markdown)(p->out, s, plain);
		if (plain == n)
			break;
		code(p, open + 1, (size_t)(close - open - 1));
		n -= (size_t)(close + 1 - s);
		s = close + 1;
	}
}

/* --- Markdown lines --- */
/* Whether a line that begins with s would be a heading, a list or a quotation in Markdown. */
static bool means_something(const char *s, size_t n)
{
	size_t digits = strspn(s, "0123456789");

	if (n && strchr("#+-=~", *s))
		return true;
	return digits && digits < n && (s[digits] == '.' || s[digits] == ')');
}

static void put_word(struct buf *out, const char *s, size_t n, bool first)
{
	size_t digits = first && means_something(s, n) ? strspn(s, "0123456789") : n;

	buf_add(out, s, digits);
	if (digits < n)
		buf_puts(out, "\\");
	buf_add(out, s + digits, n - digits);
}

/* Length of the word at s; a link or code is one word. */
static size_t word_length(const char *s)
{
	size_t n = strcspn(s, " \n");

	if (*s == '[')
		n = strcspn(s, ")") + (s[strcspn(s, ")")] == ')');
	else if (*s == '`' && strchr(s + 1, '`'))
		n = (size_t)(strchr(s + 1, '`') - s) + 1;
	return n + strcspn(s + n, " \n");
}

/* Fills lines with escaped text; the first line begins at `column`. */
static void fill(struct buf *out, const char *s, const char *indent, size_t column)
{
	size_t width = column;

	for (s += strspn(s, " \n"); *s; s += strspn(s, " \n")) {
		size_t n = word_length(s);

		if (width > column && width + 1 + n > WIDTH) {
			buf_puts(out, "\n");
			buf_puts(out, indent);
			width = column = strlen(indent);
		} else if (width > column) {
			buf_puts(out, " ");
			width++;
		}
		put_word(out, s, n, width == column);
		width += n;
		s += n;
	}
}

static void filled(struct markup *p, const char *s, size_t n, const char *indent, size_t column)
{
	struct buf raw = BUF_INIT;
	struct markup inner = { .out = &raw, .known = p->known, .arg = p->arg };

	rich(&inner, s, n);
	fill(p->out, buf_str(&raw), indent, column);
	if (raw.failed)
		p->out->failed = true;
	buf_free(&raw);
}

/* --- the page --- */
void markup_begin(struct markup *p, const char *title)
{
	if (!p->html)
		return;
	buf_puts(p->out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>");
	html(p->out, title, strlen(title));
	buf_puts(p->out, "</title>\n<style>\n");
	buf_puts(p->out, style);
	buf_puts(p->out, "</style>\n</head>\n<body>\n");
}

void markup_end(struct markup *p)
{
	if (p->html)
		buf_puts(p->out, "</body>\n</html>\n");
}

/* Begins a block: an empty line before all but the first. */
static void block(struct markup *p)
{
	if (!p->html && p->out->len)
		buf_puts(p->out, "\n");
}

void markup_heading(struct markup *p, int level, const char *text, const char *name)
{
	block(p);
	if (!p->html) {
		buf_printf(p->out, "%.*s ", level, "####");
		markdown(p->out, text, strlen(text));
		buf_puts(p->out, "\n");
		return;
	}
	buf_printf(p->out, "<h%d", level);
	if (name) {
		buf_puts(p->out, " id=\"");
		html(p->out, name, strlen(name));
		buf_puts(p->out, "\"");
	}
	buf_puts(p->out, ">");
	html(p->out, text, strlen(text));
	buf_printf(p->out, "</h%d>\n", level);
}

static bool is_keyword(const char *s, size_t n)
{
	static const char *const words[] = { "PROPERTY", "TEMPLATE", "CLASS", "ENUM", "EXTENDS",
		"SETOF", "CONST", "REFINES", "LET", "IN", "WITH", "WHERE", "AND", "OR", "NOT", "TRUE",
		"FALSE", "CONDITION", "CONFIDENCE", "SEVERITY", "ADVICE", "INCLUDE" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == n && !strncasecmp(s, words[i], n))
			return true;
	return false;
}

/* Writes a word of code, a string, or one character; `member`: it follows a dot. */
static size_t put_token(struct markup *p, const char *s, bool member)
{
	size_t n = 1;

	if (*s == '"') {
		while (s[n] && s[n] != '"')
			n += 1 + (s[n] == '\\' && s[n + 1]);
		n += s[n] == '"';
		buf_puts(p->out, "<i>");
		html(p->out, s, n);
		buf_puts(p->out, "</i>");
		return n;
	}
	while (is_word(*s) && is_word(s[n]))
		n++;
	if (!member && is_keyword(s, n))
		buf_printf(p->out, "<b>%.*s</b>", (int)n, s);
	else if (!member && is_word(*s) && p->known(p->arg, s, n))
		buf_printf(p->out, "<a href=\"#%.*s\">%.*s</a>", (int)n, s, (int)n, s);
	else
		html(p->out, s, n);
	return n;
}

void markup_listing(struct markup *p, const char *text)
{
	block(p);
	if (!p->html) {
		buf_printf(p->out, "```asl\n%s\n```\n", text);
		return;
	}
	buf_puts(p->out, "<pre>");
	for (const char *s = text; *s; )
		s += put_token(p, s, s > text && s[-1] == '.');
	buf_puts(p->out, "</pre>\n");
}

/* --- paragraphs --- */
void markup_open_paragraph(struct markup *p)
{
	block(p);
	if (p->html)
		buf_puts(p->out, "<p>");
	p->paragraph = p->out->len;
}

void markup_text(struct markup *p, const char *text)
{
	rich(p, text, strlen(text));
}

void markup_strong(struct markup *p, const char *text)
{
	buf_puts(p->out, p->html ? "<strong>" : "**");
	rich(p, text, strlen(text));
	buf_puts(p->out, p->html ? "</strong>" : "**");
}

void markup_code(struct markup *p, const char *text)
{
	code(p, text, strlen(text));
}

void markup_close_paragraph(struct markup *p)
{
	struct buf raw = BUF_INIT;

	if (!p->html && !p->out->failed) {
		buf_puts(&raw, buf_str(p->out) + p->paragraph);
		p->out->len = p->paragraph;
		fill(p->out, buf_str(&raw), "", 0);
		p->out->failed = p->out->failed || raw.failed;
		buf_free(&raw);
	}
	buf_puts(p->out, p->html ? "</p>\n" : "\n");
}

void markup_quote(struct markup *p, const char *label, const char *text)
{
	block(p);
	buf_puts(p->out, p->html ? "<blockquote><p>" : "> ");
	markup_strong(p, label);
	buf_puts(p->out, " ");
	if (p->html)
		html(p->out, text, strlen(text));
	else
		filled(p, text, strlen(text), "> ", 7 + strlen(label));
	buf_puts(p->out, p->html ? "</p></blockquote>\n" : "\n");
}

/* --- prose --- */
static size_t line_length(const char *s)
{
	return strcspn(s, "\n");
}

size_t markup_term(const char *s, size_t n)
{
	size_t word = 0, gap;

	while (word < n && s[word] != ' ')
		word++;
	for (gap = word; gap < n && s[gap] == ' '; gap++)
		;
	if (word == 0 || gap == n || gap < word + 2 || strchr(":!?,;", s[word - 1])
			|| (s[word - 1] == '.' && gap < word + 3))
		return 0;
	return gap;
}

/* Whether a line is a drawing: it is indented, or has more blanks inside than after a sentence. */
static bool is_drawn(const char *s, size_t n)
{
	const char *inner = n ? memmem(s, n, "   ", 3) : NULL;

	return inner || (n && *s == ' ');
}

static void put_terms(struct markup *p, const char *s, const char *end)
{
	buf_puts(p->out, p->html ? "<dl>\n" : "");
	while (s < end) {
		size_t n = line_length(s), gap = markup_term(s, n), word = strcspn(s, " ");
		size_t line = p->out->len;
		struct buf text = BUF_INIT;

		buf_add(&text, s + gap, n - gap);
		if (p->html) {
			buf_puts(p->out, "<dt>");
			code(p, s, word);
			buf_puts(p->out, "</dt><dd>");
		} else {
			buf_puts(p->out, "- ");
			code(p, s, word);
			buf_puts(p->out, ": ");
		}
		for (s += n + 1; s < end && *s == ' '; s += n + 1) {
			n = line_length(s);
			buf_puts(&text, "\n");
			buf_add(&text, s + strspn(s, " "), n - strspn(s, " "));
		}
		if (p->html)
			rich(p, buf_str(&text), text.len);
		else
			filled(p, buf_str(&text), text.len, "  ", p->out->len - line);
		buf_puts(p->out, p->html ? "</dd>\n" : "\n");
		if (text.failed)
			p->out->failed = true;
		buf_free(&text);
	}
	buf_puts(p->out, p->html ? "</dl>\n" : "");
}

static void put_paragraph(struct markup *p, const char *s, const char *end)
{
	size_t n = (size_t)(end - s);

	n -= n && s[n - 1] == '\n';
	if (p->html) {
		buf_puts(p->out, "<p>");
		rich(p, s, n);
		buf_puts(p->out, "</p>\n");
	} else {
		filled(p, s, n, "", 0);
		buf_puts(p->out, "\n");
	}
}

static void put_drawn(struct markup *p, const char *s, const char *end)
{
	size_t n = (size_t)(end - s);

	n -= n && s[n - 1] == '\n';
	buf_puts(p->out, p->html ? "<pre>" : "```text\n");
	if (p->html)
		html(p->out, s, n);
	else
		buf_add(p->out, s, n);
	buf_puts(p->out, p->html ? "</pre>\n" : "\n```\n");
}

static const char *next_line(const char *s)
{
	s += line_length(s);
	return *s ? s + 1 : s;
}

void markup_prose(struct markup *p, const char *s)
{
	while (*s) {
		const char *end = s;

		if (*s == '\n') {
			s++;
			continue;
		}
		block(p);
		if (markup_term(s, line_length(s))) {
			do
				end = next_line(end);
			while (*end == ' ' || (*end && markup_term(end, line_length(end))));
			put_terms(p, s, end);
		} else if (is_drawn(s, line_length(s))) {
			while (*end && is_drawn(end, line_length(end)))
				end = next_line(end);
			put_drawn(p, s, end);
		} else {
			while (*end && *end != '\n' && !is_drawn(end, line_length(end))
					&& (end == s || !markup_term(end, line_length(end))))
				end = next_line(end);
			put_paragraph(p, s, end);
		}
		s = end;
	}
}

/* --- tables and outlines --- */
void markup_table(struct markup *p, const char *const *titles)
{
	block(p);
	buf_puts(p->out, p->html ? "<table>\n<tr>" : "|");
	for (p->columns = 0; titles[p->columns]; p->columns++) {
		buf_puts(p->out, p->html ? "<th>" : " ");
		rich(p, titles[p->columns], strlen(titles[p->columns]));
		buf_puts(p->out, p->html ? "</th>" : " |");
	}
	buf_puts(p->out, p->html ? "</tr>\n" : "\n|");
	for (int i = 0; !p->html && i < p->columns; i++)
		buf_puts(p->out, "---|");
	buf_puts(p->out, p->html ? "" : "\n");
}

void markup_row(struct markup *p)
{
	buf_puts(p->out, p->html ? "<tr>" : "|");
}

void markup_cell(struct markup *p, const char *text)
{
	buf_puts(p->out, p->html ? "<td>" : " ");
	rich(p, text, strlen(text));
	buf_puts(p->out, p->html ? "</td>" : " |");
}

void markup_cell_code(struct markup *p, const char *text)
{
	buf_puts(p->out, p->html ? "<td>" : " ");
	if (*text)
		code(p, text, strlen(text));
	buf_puts(p->out, p->html ? "</td>" : " |");
}

void markup_end_row(struct markup *p)
{
	buf_puts(p->out, p->html ? "</tr>\n" : "\n");
}

void markup_end_table(struct markup *p)
{
	if (p->html)
		buf_puts(p->out, "</table>\n");
}

void markup_open_list(struct markup *p)
{
	block(p);
	if (p->html)
		buf_puts(p->out, "<ul>\n");
}

void markup_entry(struct markup *p, int depth, const char *name, const char *text)
{
	if (p->html) {
		buf_printf(p->out, "<li style=\"margin-left:%d.%drem\">", depth * 14 / 10, depth * 14 % 10);
	} else {
		for (int i = 0; i < depth; i++)
			buf_puts(p->out, "  ");
		buf_puts(p->out, "- ");
	}
	code(p, name, strlen(name));
	if (*text) {
		buf_puts(p->out, ": ");
		rich(p, text, strlen(text));
	}
	buf_puts(p->out, p->html ? "</li>\n" : "\n");
}

void markup_close_list(struct markup *p)
{
	if (p->html)
		buf_puts(p->out, "</ul>\n");
}
