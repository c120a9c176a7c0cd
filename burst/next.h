/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that the library's own of the same name stand before. */
#ifndef PSC_BURST_NEXT_H
#define PSC_BURST_NEXT_H

#include <dlfcn.h>

/* Declares `static TYPE (*next_NAME)(...)`.  It is found before main(), because the first use may
 * be in the handler of a signal, where dlsym() may not be called; or at its first use, if another
 * library's constructor comes before. */
#define NEXT(result, name, ...) \
	static result (*next_##name##_found)(__VA_ARGS__); \
	static __typeof__(next_##name##_found) next_##name(void) \
	{ \
		if (next_##name##_found == NULL) \
			*(void **)&next_##name##_found = dlsym(RTLD_NEXT, #name); \
		return next_##name##_found; \
	} \
	__attribute__((constructor)) static void next_##name##_early(void) { next_##name(); }

/* Weak, by which tests/links.sh tells these from functions that another part could call.  The
 * dynamic linker makes no difference. */
#define EXPORT __attribute__((visibility("default"), weak))

#endif
