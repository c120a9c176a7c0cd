/* SPDX-License-Identifier: BSD-3-Clause */
/* AVX-512's masked accesses by name: records.sh only compiles it, as most machines cannot run it. */
#include <immintrin.h>

double a[64], o[64];
int b[64];
char c[64];

void all(__mmask8 m, __m512d v, __m256i i)
{
	_mm512_mask_storeu_pd(o, m, _mm512_mask_loadu_pd(v, m, a));
	_mm512_mask_store_pd(o + 8, m, _mm512_maskz_load_pd(m, a));
	v = _mm512_mask_i32gather_pd(v, m, i, a, 8);
	_mm512_mask_i32scatter_pd(o, m, i, v, 8);
	_mm512_mask_compressstoreu_pd(o, m, _mm512_maskz_expandloadu_pd(m, a));
	_mm512_mask_storeu_epi32(b, m, _mm512_maskz_loadu_epi32(m, b));
	_mm512_mask_storeu_epi8(c, m, _mm512_maskz_loadu_epi8(m, c));
	_mm256_mask_storeu_pd(o, m, _mm256_maskz_loadu_pd(m, a));
	_mm512_mask_cvtepi32_storeu_epi8(c, m, _mm512_castpd_si512(v));
	_mm512_stream_pd(o, v);
}
