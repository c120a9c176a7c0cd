/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that a compiler makes of directives of OpenMP: the function of the source that has the
 * directive.  GCC puts its name into the symbol ("work._omp_fn.0"); for clang (".omp_outlined.") it
 * is the function that begins last before the directive's line. */
#include "binary/internal.h"

#include <dwarf.h>
#include <string.h>

bool outlined_name(const char *name)
{
	return strstr(name, "._omp_fn.") || strstr(name, ".omp_outlined") ||
		strncmp(name, ".omp_task", 9) == 0;
}

struct lookup {
	struct arena *arena;
	struct dwarf_unit *unit;
	const char *name;               /* wanted; NULL: by line */
	size_t length;
	const char *file;
	int directive;
	struct outlined best;
};

static bool better(const struct lookup *l, const struct outlined *o, const char *plain)
{
	if (l->name)
		return plain && strncmp(plain, l->name, l->length) == 0 && !plain[l->length];
	return strcmp(o->file, l->file) == 0 && o->line <= l->directive && o->line > l->best.line;
}

static void search(struct lookup *l, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;

	if (depth > 8 || dwarf_child(parent, &die) != 0)
		return;
	do {
		const char *plain = dwarf_diename(&die), *symbol;
		struct outlined o = { NULL, "", 0 };

		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			if (!plain || outlined_name(plain))
				break;
			symbol = die_symbol(&die);
			o.file = die_place(l->arena, l->unit, &die, &o.line);
			if (o.line > 0 && better(l, &o, symbol ? symbol : plain)) {
				o.name = die_name(l->arena, &die);
				l->best = o.name ? o : l->best;
			}
			search(l, &die, depth + 1);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
			search(l, &die, depth + 1);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

bool outlined_from(struct arena *a, struct dwarf_unit *u, const char *name, const char *file,
	int directive, struct outlined *from)
{
	const char *dot = strstr(name, "._omp_fn.");
	struct lookup l = { .arena = a, .unit = u, .name = dot ? name : NULL,
		.length = dot ? (size_t)(dot - name) : 0, .file = file, .directive = directive };

	search(&l, &u->die, 0);
	*from = l.best;
	return l.best.name;
}
