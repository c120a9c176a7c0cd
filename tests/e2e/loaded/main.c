/* Not instrumented.
 *     main OBJECT now|lazy N   loads the object, calls it and unloads it again, N times
 *     main FIRST then SECOND   loads both */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int flags, n;

	if (argc != 4)
		return 2;
	if (argv[2][0] == 't')
		return !dlopen(argv[1], RTLD_NOW) || !dlopen(argv[3], RTLD_NOW);
	flags = argv[2][0] == 'l' ? RTLD_LAZY | RTLD_LOCAL : RTLD_NOW;
	n = atoi(argv[3]);
	for (int i = 0; i < n; i++) {
		void *object = dlopen(argv[1], flags);
		double (*solve)(int) = object ? (double (*)(int))dlsym(object, "solve") : NULL;

		if (!solve) {
			printf("%s\n", dlerror());
			return 1;
		}
		printf("%g\n", solve(30));
		dlclose(object);
	}
	return 0;
}
