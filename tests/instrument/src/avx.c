/* SPDX-License-Identifier: BSD-3-Clause */
/* AVX2's accesses by name, "avx NAME N" makes N of each.  See records.sh. */
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define kernel(name) __attribute__((noinline)) static void name(__m256i mask, __m128i index)
__attribute__((aligned(64))) double a[64], o[64];
float single[64];
char bytes[64];

/* mask: elements 0 and 2 of four. */
kernel(load) { _mm256_store_pd(o, _mm256_maskload_pd(a + 61, mask)); (void)index; }
kernel(store) { _mm256_maskstore_pd(o + 61, mask, _mm256_setzero_pd()); (void)index; }
kernel(gather) { _mm256_store_pd(o, _mm256_i32gather_pd(a, index, 8)); (void)mask; }
kernel(some)
{
	_mm256_store_pd(o, _mm256_mask_i32gather_pd(_mm256_setzero_pd(), a, index,
		_mm256_castsi256_pd(mask), 8));
}
kernel(half) { _mm_storeu_ps(single + 8, _mm256_i64gather_ps(single, mask, 4)); (void)index; }
kernel(stream) { _mm256_stream_pd(o + 4, _mm256_castsi256_pd(mask)); (void)index; }
kernel(narrow) { _mm_maskmoveu_si128(index, _mm256_castsi256_si128(mask), bytes); }
kernel(spread) { _mm256_store_pd(o + 8, _mm256_broadcast_sd(a + 5)); (void)mask; (void)index; }
kernel(low) { _mm_storel_pi((__m64 *)bytes, _mm_castsi128_ps(index)); (void)mask; }

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*call)(__m256i mask, __m128i index);
	} kernels[] = {
		{ "load", load }, { "store", store }, { "gather", gather }, { "some", some },
		{ "half", half }, { "stream", stream }, { "narrow", narrow }, { "spread", spread },
		{ "low", low },
	};
	int n = argc > 2 ? atoi(argv[2]) : 0;

	for (int i = 0; i < 64; i++)
		a[i] = single[i] = i;
	for (unsigned k = 0; argc > 1 && k < sizeof kernels / sizeof kernels[0]; k++)
		if (!strcmp(kernels[k].name, argv[1])) {
			void (*call)(__m256i mask, __m128i index) = kernels[k].call;

			for (int i = 0; i < n; i++)
				call(_mm256_set_epi64x(0, -1, 0, -1), _mm_set_epi32(9, 8, 7, 6));
		}
	printf("%g %g %g %g %d\n", o[0], o[2], o[9], single[8], bytes[0]);
	return 0;
}
