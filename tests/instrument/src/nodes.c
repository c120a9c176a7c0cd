/* Structs that point to their own type, and one that does not. */
#include <stdlib.h>

struct cell { struct cell *next; double v; };
struct twin { struct twin *next, *prev; double v; };
struct leaf { struct leaf *left, *right; double v; };
struct octant { struct octant *child[8]; double v; };
struct member { struct member *parent; double v; };
struct plain { double *v; struct cell *cells; };

int main(void)
{
	struct cell *cell = malloc(sizeof *cell), *pool = malloc(10 * sizeof *pool);
	struct twin *twin = malloc(sizeof *twin);
	struct leaf *leaf = malloc(sizeof *leaf);
	struct octant *octant = malloc(sizeof *octant);
	struct member *member = malloc(sizeof *member);
	struct plain *plain = malloc(2 * sizeof *plain);
	double *values = malloc(100 * sizeof *values);

	return !cell + !pool + !twin + !leaf + !octant + !member + !plain + !values;
}
