/* A Python extension module, instrumented; the interpreter is not. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define N 20000
static double a[N], b[N];

static double sweep(int t)
{
	double s = 0;

	for (int i = 0; i < N; i++) {
		a[i] = a[i] * 0.5 + b[i] + t;
		s += a[i];
	}
	return s;
}

static PyObject *solve(PyObject *self, PyObject *args)
{
	double s = 0;
	int steps;

	(void)self;
	if (!PyArg_ParseTuple(args, "i", &steps))
		return NULL;
	for (int t = 0; t < steps; t++) {       /* the phase */
		b[t % N] += 1;
		s += sweep(t);
	}
	return PyFloat_FromDouble(s);
}

static PyMethodDef methods[] = { { "solve", solve, METH_VARARGS, NULL }, { NULL, NULL, 0, NULL } };
static struct PyModuleDef module = { PyModuleDef_HEAD_INIT, "sweep", NULL, -1, methods, NULL, NULL, NULL, NULL };

PyMODINIT_FUNC PyInit_sweep(void)
{
	return PyModule_Create(&module);
}
