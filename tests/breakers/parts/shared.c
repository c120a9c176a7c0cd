/* SPDX-License-Identifier: BSD-3-Clause */
/* Loaded by loaded_each_step.c. */
double library_work(double *x, int n);

double library_work(double *x, int n)
{
	static __thread double z[5000];
	double s = 0;

	for (int i = 0; i < n; i++) {
		z[i % 5000] = x[i];
		s += z[i * 7 % n];
	}
	return s;
}
