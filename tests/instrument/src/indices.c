/* Arrays whose names begin with "at" are accessed at an index that is an element of an array, and no others. */
struct grid { int n, first; double *at_member; };
struct cell { int where; double w; };
static double at_static[1000], bounds[1000];
static int table[1000], n;

double kernel(double *at_pointer, double *at_variable, double *at_sum, double *at_two[], double *plain, double *row, double *walked,
	const int *idx, const struct cell *cells, double *at_cells, const struct grid *g, double *behind, double *hashed)
{
	double s = 0;

	for (int i = 0; i < n; i++) {
		int k = idx[i];

		s += at_pointer[idx[i]] + at_variable[k] + at_sum[4 * table[i] + 1] + at_static[table[i]];
		s += at_cells[cells[i].where] + g->at_member[idx[i]] + at_two[i][idx[i]];
		plain[i] = s + row[i * g->n + g->first] + behind[i + table[3]];
		hashed[(i * 7919L) % n] = s;
	}
	for (int i = 0; i < n; i++)
		for (int k = table[i]; k < table[i + 1]; k++)   /* a row: it goes on by one */
			s += walked[k];
	for (int i = table[n]; i < n; i++)
		bounds[i] = s;
	return s;
}
