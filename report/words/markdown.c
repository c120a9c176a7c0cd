/* SPDX-License-Identifier: BSD-3-Clause */
/* Escapes text for Markdown as GitHub and GitLab read it. */
#include "report/words/markdown.h"

#include <string.h>

#include "base/utf8.h"
#include "report/words/page.h"

void markdown_text(struct buf *out, const char *s)
{
	while (s && *s) {
		uint32_t code;
		int n = text_utf8(s, &code);

		if (n == 0)
			buf_puts(out, "?");
		else if (page_unprintable(code))
			buf_puts(out, code == '\n' || code == '\t' || code == '\r' ? " " : "?");
		else if (*s == '<' || *s == '>' || *s == '&' || *s == '|' || *s == '@')
			buf_printf(out, "&#%d;", *s);   /* a name must mention nobody, open no
							 * element */
		else if (n == 1 && strchr("\\`*_{}[]()#+!~", *s))
			buf_printf(out, "\\%c", *s);
		else
			buf_add(out, s, (size_t)n);
		s += n ? n : 1;
	}
}
