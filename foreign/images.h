/* SPDX-License-Identifier: BSD-3-Clause */
/* What is mapped in the program: files of code, other files, stacks, other
 * memory; as /proc has it. */
#ifndef PSC_FOREIGN_IMAGES_H
#define PSC_FOREIGN_IMAGES_H

#include <stdbool.h>
#include <stdint.h>
#include "binary/binary.h"

enum image_kind {
	IMAGE_FILE,             /* a file that is mapped */
	IMAGE_STACK,            /* the main thread's stack */
	IMAGE_VDSO,             /* code of the kernel's */
	IMAGE_ANONYMOUS         /* other memory: heap, stacks of threads, bss */
};
struct image {
	uint64_t lo, hi;        /* [lo, hi) in the program */
	uint64_t offset;        /* of `lo` in the file */
	enum image_kind kind;
	bool executable, writable, shared;
	struct image_file *file;        /* IMAGE_FILE and the anonymous memory behind a file's data
					 * (bss); borrowed */
};
struct image_file {
	const char *path;       /* owned */
	struct binary *binary;  /* owned; NULL: it is no ELF file that can be read */
	uint64_t base;          /* what is added to the file's addresses in the program */
	int fd;                 /* to read code; -1: not open */
	bool variables_known;   /* these two for the owner of objects */
	uint64_t variables_base;        /* `base` at that time */
	/* for the owner of places: have its functions contexts? */
	enum { IMAGE_CODE_UNKNOWN, IMAGE_CODE_OWN, IMAGE_CODE_CALLER } code;
	struct image_file *next;
};

struct images {
	long pid;
	struct image *list;     /* by address; owned */
	uint32_t n, room;
	struct image_file *files;       /* owned */
	uint32_t generation;    /* raised when the list has changed */
};

void images_begin(struct images *m, long pid);
void images_end(struct images *m);
/* Reads the program's mappings again.  0 / -1: the program has gone, the list is as it was. */
int images_read(struct images *m);
/* Reads code of the program from its file.  false: it is in no file. */
bool images_code(const struct images *m, uint64_t address, uint8_t *out, uint32_t bytes);
/* The mapping with the address; NULL: none is known.  Borrowed until the next images_read(). */
const struct image *images_find(const struct images *m, uint64_t address);

#endif
