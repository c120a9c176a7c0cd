/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the names of C++ and Rust readable.  The C++ library of the system, which has the function
 * for it, is loaded when the first such name comes; without it names stay as they are. */
#include "binary/internal.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangler(const char *mangled, char *buffer, size_t *length, int *status);

static demangler *find_demangler(void)
{
	static demangler *found;
	static bool tried;

	if (!tried) {
		void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);

		tried = true;
		if (library)
			*(void **)&found = dlsym(library, "__cxa_demangle");
	}
	return found;
}

/* "operator" at text + i, as a word of its own; *end: behind the operator's own characters. */
static bool operator_at(const char *text, size_t i, size_t *end)
{
	static const char word[] = "operator";
	size_t n = sizeof word - 1, k = i + n;

	if (strncmp(text + i, word, n) != 0 ||
	    (i && (isalnum((unsigned char)text[i - 1]) || text[i - 1] == '_')) ||
	    isalnum((unsigned char)text[k]) || text[k] == '_')
		return false;
	if (text[k] == ' ')     /* a conversion, new, delete */
		k += 1 + strcspn(text + k + 1, "(");
	else if (strncmp(text + k, "()", 2) == 0)
		k += 2;
	else
		k += strcspn(text + k, "(");
	*end = k;
	return true;
}

static bool anonymous_at(const char *text, size_t i)
{
	return strncmp(text + i, "(anonymous namespace)", 21) == 0;
}

/* The name begins behind the last blank, and ends before the parameters,
 * outside of all brackets. */
static void demangle_strip(char *text)
{
	size_t begin = 0, end = strlen(text);
	int depth = 0;

	for (size_t i = 0, after; text[i]; i++) {
		if (!depth && operator_at(text, i, &after)) {
			i = after - 1;
			continue;
		}
		if (!depth && anonymous_at(text, i)) {
			i += 20;
			continue;
		}
		if (!depth && text[i] == '(') {
			/* "main::{lambda(int)#1}::operator()" is in braces;
			 * "f(int)::local": a local name */
			size_t close = i;

			for (int d = 0; text[close]; close++) {
				d += (text[close] == '(') - (text[close] == ')');
				if (!d)
					break;
			}
			if (strncmp(text + close, ")::", 3) == 0) {
				memmove(text + i, text + close + 1, strlen(text + close + 1) + 1);
				end = strlen(text);
				i--;
				continue;
			}
			end = i;
			break;
		}
		if (strchr("<[{(", text[i]))
			depth++;
		else if (strchr(">]})", text[i]) && !(text[i] == '>' && i && text[i - 1] == '-'))
			depth--;
		else if (!depth && text[i] == ' ' && text[i + 1] != '[')
			begin = i + 1;
	}
	text[end] = '\0';
	memmove(text, text + begin, end - begin + 1);
}

/* Removes text[at], which has n characters. */
static void cut(char *text, size_t at, size_t n)
{
	memmove(text + at, text + at + n, strlen(text + at + n) + 1);
}

/* The length of a template's argument at the beginning of the text. */
static size_t argument(const char *text)
{
	int depth = 0;
	size_t i = 0;

	for (; text[i]; i++) {
		if (!depth && (text[i] == ',' || text[i] == '>'))
			break;
		depth += strchr("<([{", text[i]) ? 1 : strchr(">)]}", text[i]) ? -1 : 0;
	}
	while (i && text[i - 1] == ' ')
		i--;
	return i;
}

/* Writes a name as the source does: without what the standard library's
 * templates take by default. */
static void shorten(char *text)
{
	static const char *const defaults[] = { ", std::allocator<", ", std::char_traits<",
		", std::less<",
		", std::equal_to<", ", std::hash<", ", std::default_delete<" };
	static const char *const inner[] = { "std::__cxx11::", "std::__1::", "std::__debug::" };
	char *at;

	for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++)
		while ((at = strstr(text, defaults[i])))
			cut(at, 0, 2 + argument(at + 2));
	for (size_t i = 0; i < sizeof inner / sizeof inner[0]; i++)
		while ((at = strstr(text, inner[i])))
			cut(at, 5, strlen(inner[i]) - 5);
	while ((at = strstr(text, "std::basic_string<char>")) ||
	       (at = strstr(text, "std::basic_string<char >"))) {
		cut(at, 5, 6);
		cut(at, 11, strcspn(at + 11, ">") + 1);
	}
	while ((at = strstr(text, " >")))
		cut(at, 0, 1);
}

/* Rust's compiler writes characters that symbols cannot have as "$LT$" or
 * "$u20$", and "::" as "..". */
static void decode_rust(char *text)
{
	static const struct { const char *code; char c; } codes[] = {
		{ "$LT$", '<' }, { "$GT$", '>' }, { "$LP$", '(' }, { "$RP$", ')' }, { "$C$", ',' },
		{ "$RF$", '&' }, { "$BP$", '*' }, { "$SP$", '@' }
	};
	char *out = text;

	for (const char *in = text; *in;) {
		size_t k = 0, n = sizeof codes / sizeof codes[0];
		char *end;

		while (k < n && strncmp(in, codes[k].code, strlen(codes[k].code)) != 0)
			k++;
		if (k < n) {
			*out++ = codes[k].c;
			in += strlen(codes[k].code);
		} else if (in[0] == '$' && in[1] == 'u' && isxdigit((unsigned char)in[2])) {
			unsigned long c = strtoul(in + 2, &end, 16);

			*out++ = c < 128 ? (char)c : '?';
			in = *end == '$' ? end + 1 : end;
		} else if (strncmp(in, "..", 2) == 0) {
			*out++ = ':';
			*out++ = ':';
			in += 2;
		} else if (in[0] == '_' && in[1] == '$' && (in == text || in[-1] == ':')) {
			in++;   /* put before a code at the beginning of a part */
		} else {
			*out++ = *in++;
		}
	}
	*out = '\0';
}

/* Removes the hash "::h0123456789abcdef" that ends a name of Rust.  false: there is none. */
static bool strip_rust_hash(char *text)
{
	size_t n = strlen(text);

	if (n < 19 || strncmp(text + n - 19, "::h", 3) != 0 ||
	    strspn(text + n - 16, "0123456789abcdef") != 16)
		return false;
	text[n - 19] = '\0';
	return true;
}

void demangle_tidy(char *text)
{
	if (strip_rust_hash(text))
		decode_rust(text);
	else
		demangle_strip(text);
	shorten(text);
}

const char *demangle_name(struct arena *a, const char *symbol)
{
	demangler *demangle = strncmp(symbol, "_Z", 2) == 0 ? find_demangler() : NULL;
	const char *name;
	char *text;
	int status;

	text = demangle ? demangle(symbol, NULL, NULL, &status) : NULL;
	if (!text)
		return symbol;
	demangle_tidy(text);
	name = arena_strdup(a, text);
	free(text);
	return name;
}

const char *demangle_short(struct arena *a, const char *name)
{
	char *text = arena_strdup(a, name);

	if (text)
		shorten(text);
	return text;
}
