/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads SIR fragments from the bytes of a section psc_sir.  The bytes are not trusted: every length
 * in them is checked before use. */
#include "sir/model.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/abi.h"
#include "base/dictionary.h"

/* The highest compression ratio of deflate (a match of 258 bytes in two bits). */
#define DEFLATE_RATIO 1032

static uint32_t swap32(uint32_t v)
{
	return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
}

static uint64_t swap64(uint64_t v)
{
	return (uint64_t)swap32((uint32_t)v) << 32 | swap32((uint32_t)(v >> 32));
}

/* 0: the stream holds exactly `size` bytes; 1: it does not; -1: out of memory. */
static int inflate_all(const unsigned char *packed, size_t length, char *text, size_t size)
{
	static const unsigned char words[] = PSC_SIR_DICTIONARY;
	z_stream z = { .next_in = (Bytef *)(uintptr_t)packed, .avail_in = (uInt)length,
		.next_out = (Bytef *)text, .avail_out = (uInt)size };
	int ret = inflateInit2(&z, -MAX_WBITS);

	if (ret != Z_OK)
		return ret == Z_MEM_ERROR ? -1 : 1;
	if (inflateSetDictionary(&z, words, sizeof words - 1) != Z_OK) {
		inflateEnd(&z);
		return 1;
	}
	ret = inflate(&z, Z_FINISH);
	inflateEnd(&z);
	if (ret == Z_MEM_ERROR)
		return -1;
	return ret == Z_STREAM_END && z.avail_out == 0 && z.avail_in == 0 ? 0 : 1;
}

/* The text of a packed fragment, allocated; NULL on failure. */
static char *unpack(const struct sir_section *sec, const char *where, const unsigned char *data,
	size_t length, size_t *size, struct err *err)
{
	struct psc_sir_packed p;
	char *text;
	int ret;

	if (length < sizeof p) {
		err_set(err, "%s: a packed fragment of %zu bytes", where, length);
		return NULL;
	}
	memcpy(&p, data, sizeof p);
	if (sec->swap)
		p.text = swap32(p.text);
	length -= sizeof p;
	if (p.text == 0 || p.text > PSC_SIR_TEXT_MAX || p.text / DEFLATE_RATIO > length) {
		err_set(err, "%s: %zu packed bytes cannot hold a text of %u", where, length,
			p.text);
		return NULL;
	}
	text = malloc(p.text);
	if (!text) {
		err_nomem(err);
		return NULL;
	}
	ret = inflate_all(data + sizeof p, length, text, p.text);
	if (ret == 0) {
		*size = p.text;
		return text;
	}
	if (ret < 0)
		err_nomem(err);
	else
		err_set(err, "%s: the packed text is damaged", where);
	free(text);
	return NULL;
}

static int read_packed(struct sir_model *m, const struct sir_section *sec, const char *where,
	const unsigned char *data, const struct psc_sir_header *h, struct err *err)
{
	size_t size = 0;
	char *text = unpack(sec, where, data, h->length, &size, err);
	int ret = text ? xml_read(m, where, text, size, &h->hash, err) : -1;

	free(text);
	return ret;
}

static int read_header(const struct sir_section *sec, size_t at, struct psc_sir_header *h,
	struct err *err)
{
	if (sec->size - at < sizeof *h)
		return err_set(err, "%s: section %s, offset %#zx: a header is cut off",
			sec->where, PSC_SIR_SECTION, at);
	memcpy(h, sec->data + at, sizeof *h);
	if (sec->swap) {
		h->version = swap32(h->version);
		h->length = swap32(h->length);
		h->hash = swap64(h->hash);
	}
	if (memcmp(h->magic, PSC_SIR_MAGIC, sizeof h->magic) != 0 &&
	    memcmp(h->magic, PSC_SIR_PACKED, sizeof h->magic) != 0)
		return err_set(err, "%s: section %s, offset %#zx: neither a fragment nor "
			"padding", sec->where, PSC_SIR_SECTION, at);
	if (h->version != PSC_ABI_VERSION)
		return err_set(err, "%s: section %s, offset %#zx: fragment of version %u; this "
			"tool reads %u: build the program again", sec->where, PSC_SIR_SECTION, at,
			h->version, PSC_ABI_VERSION);
	if (h->length > sec->size - at - sizeof *h)
		return err_set(err, "%s: section %s, offset %#zx: a fragment of %u bytes, but "
			"%zu are left", sec->where, PSC_SIR_SECTION, at, h->length,
			sec->size - at - sizeof *h);
	return 0;
}

static int read_one(struct sir_model *m, const struct sir_section *sec, size_t at, size_t *length,
	struct err *err)
{
	const unsigned char *data = sec->data + at + sizeof(struct psc_sir_header);
	struct psc_sir_header h;
	const char *where;

	if (read_header(sec, at, &h, err) < 0)
		return -1;
	where = arena_printf(m->arena, "%s(%s+%#zx)", sec->where, PSC_SIR_SECTION, at);
	if (!where)
		return err_nomem(err);
	*length = sizeof h + h.length;
	if (memcmp(h.magic, PSC_SIR_PACKED, sizeof h.magic) == 0)
		return read_packed(m, sec, where, data, &h, err);
	return xml_read(m, where, (const char *)data, h.length, &h.hash, err);
}

int fragment_read(struct sir_model *m, const struct sir_section *sec, struct err *err)
{
	static const unsigned char zero[8];
	size_t at = 0;

	while (at < sec->size) {
		size_t left = sec->size - at, length = 8;

		if (memcmp(sec->data + at, zero, left < 8 ? left : 8) != 0
		    && read_one(m, sec, at, &length, err) < 0)
			return -1;
		length = (length + 7) / 8 * 8;
		at = length < left ? at + length : sec->size;
	}
	return 0;
}
