/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the command that starts the processes of an MPI application. */
#define _GNU_SOURCE
#include "frontend/mpi_launch.h"

#include <ctype.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontend/install_paths.h"
#include "base/buf.h"
#include "monitor/shared/shm.h"

/* Open MPI's library has been libmpi.so.20 and later since 2016; MPICH and its
 * kin agreed on libmpi.so.12. */
enum mpi_kind mpi_kind_of_text(const char *text, size_t size)
{
	static const char plain[] = "libmpi.so.", mpich[] = "libmpich.so",
		fortran[] = "libmpifort.so.";
	const char *at = memmem(text, size, plain, sizeof plain - 1);

	if (memmem(text, size, mpich, sizeof mpich - 1) ||
	    memmem(text, size, fortran, sizeof fortran - 1))
		return MPI_MPICH;
	if (!at)
		return MPI_OTHER;
	at += sizeof plain - 1;
	return (size_t)(at - text) + 2 < size && strncmp(at, "12", 2) == 0 ? MPI_MPICH :
		MPI_OPENMPI;
}

enum mpi_kind mpi_kind_of(const char *executable)
{
	int fd = open(executable, O_RDONLY | O_CLOEXEC);
	enum mpi_kind kind = MPI_OTHER;
	struct stat st;
	void *text;

	if (fd < 0)
		return MPI_OTHER;
	if (fstat(fd, &st) == 0 && st.st_size > 0) {
		text = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (text != MAP_FAILED) {
			kind = mpi_kind_of_text(text, (size_t)st.st_size);
			munmap(text, (size_t)st.st_size);
		}
	}
	close(fd);
	return kind;
}

int mpi_words(const struct mpi_job *job, char text[64], char *words[MPI_WORDS])
{
	bool over = job->cpus > 0 && (uint64_t)job->ranks_each * job->threads > (uint64_t)job->cpus;
	const char *w[MPI_WORDS] = { job->mpirun, "-np", text };
	int n = 3;

	snprintf(text, 16, "%u", job->ranks);
	if (job->hosts) {
		w[n++] = job->kind == MPI_MPICH ? "-hosts" : "--host";
		w[n++] = job->hosts;
	}
	if (job->kind == MPI_OPENMPI) {
		if (job->several) {
			w[n++] = "-x";
			w[n++] = MON_ENV;
			w[n++] = "-x";
			w[n++] = "OMP_NUM_THREADS";
		}
		w[n++] = "--map-by";
		w[n++] = text + 16;
		if (over) {
			snprintf(text + 16, 48, "slot:OVERSUBSCRIBE");
			w[n++] = "--bind-to";
			w[n++] = "none";
		} else {
			snprintf(text + 16, 48, "slot:PE=%u", job->threads);
		}
	}
	for (int i = 0; i < n; i++)
		words[i] = (char *)(uintptr_t)w[i];
	return n;
}

char *mpi_hosts(const struct hosts *h, uint32_t ranks, uint32_t *each)
{
	uint32_t part = ranks / (uint32_t)h->n, more = ranks % (uint32_t)h->n;
	struct buf b = BUF_INIT;

	*each = 0;
	for (int i = 0; i < h->n; i++) {
		uint32_t slots = h->list[i].slots ? h->list[i].slots : part + ((uint32_t)i < more);

		if (!slots)
			continue;
		buf_printf(&b, "%s%s:%u", b.len ? "," : "", h->list[i].name, slots);
		if (slots > *each)
			*each = slots;
	}
	if (*each > ranks)
		*each = ranks;
	return buf_take(&b);
}

static int processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof set, &set) ? 0 : CPU_COUNT(&set);
}

static uint32_t threads_of(const struct frontend_options *o)
{
	const char *set = getenv("OMP_NUM_THREADS");
	int n = o->ompnumthreads ? (int)o->ompnumthreads : set ? atoi(set) : 1;

	return n > 0 ? (uint32_t)n : 1;
}

/* The implementation's own command, where several are installed. */
static const char *mpirun_of(enum mpi_kind kind)
{
	const char *name = kind == MPI_OPENMPI ? "mpirun.openmpi" : kind == MPI_MPICH ?
		"mpirun.mpich" : "mpirun";
	char path[4096];
	struct err err;

	return paths_command(name, path, sizeof path, &err) ? "mpirun" : name;
}

/* The words of --apprun, separated by blanks: no shell.  The strings are kept in o->launcher. */
static int apprun_words(struct frontend_options *o, char **words, int most, struct err *err)
{
	char *rest, *word;
	int n = 0;

	o->launcher = strdup(o->apprun);
	if (!o->launcher)
		return err_nomem(err);
	for (word = strtok_r(o->launcher, " \t", &rest); word && n < most;
	     word = strtok_r(NULL, " \t", &rest))
		words[n++] = word;
	return n ? n : err_set(err, "--apprun takes a command, such as \"srun -n 64\"");
}

/* The launcher of --mpinumprocs; returns the number of words, -1: memory. */
static int own_launcher(struct frontend_options *o, const struct hosts *hosts, char **words,
	struct err *err)
{
	struct mpi_job job = { .kind = mpi_kind_of(o->executable ? o->executable : o->command[0]),
		.ranks = o->mpinumprocs, .ranks_each = o->mpinumprocs, .threads = threads_of(o),
		.cpus = processors() };

	job.mpirun = mpirun_of(job.kind);
	o->launcher = malloc(64);
	if (hosts->n && !hosts->allocated)
		job.hosts = o->launcher_hosts = mpi_hosts(hosts, job.ranks, &job.ranks_each);
	else if (hosts->n)
		job.ranks_each = (job.ranks + (uint32_t)hosts->n - 1) / (uint32_t)hosts->n;
	job.several = hosts->n > 0;
	if (!o->launcher || (hosts->n && !hosts->allocated && !job.hosts))
		return err_nomem(err);
	if (hosts->n) {
		char threads[16];

		snprintf(threads, sizeof threads, "%u", job.threads);
		setenv("OMP_NUM_THREADS", threads, 0);
	}
	if (job.kind == MPI_OPENMPI && geteuid() == 0) {    /* psc_frontend was started by root on
							     * purpose */
		setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
		setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
	}
	return mpi_words(&job, o->launcher, words);
}

/* Is the command Open MPI's launcher, whose own words end where the program begins, and does it get
 * variables to pass on in words?  Open MPI takes them from words or from its parameter, not from
 * both. */
static bool passes_variables(const struct frontend_options *o)
{
	const char *slash = strrchr(o->command[0], '/'), *name = slash ? slash + 1 : o->command[0];

	if (strncmp(name, "mpirun", 6) != 0 && strncmp(name, "mpiexec", 7) != 0 &&
	    strncmp(name, "orterun", 7) != 0)
		return false;
	for (int i = 1; i < o->ncommand; i++) {
		if (strcmp(o->command[i], "-x") == 0)
			return true;
		if ((o->executable && strcmp(o->command[i], o->executable) == 0) ||
		    mpi_kind_of(o->command[i]) != MPI_OTHER)
			return false;   /* what follows are the program's arguments */
	}
	return false;
}

/* Lets a launcher that the user wrote pass MON_ENV on to other hosts.  All but Open MPI's pass on
 * the whole environment. Returns the number of words to be put behind the launcher's first one. */
static int pass_monitor(const struct frontend_options *o, char *words[2])
{
	static const char name[] = "OMPI_MCA_mca_base_env_list";
	const char *before = getenv(name);
	char list[4096];

	if (passes_variables(o)) {
		words[0] = (char *)(uintptr_t)"-x";
		words[1] = (char *)(uintptr_t)MON_ENV;
		return 2;
	}
	snprintf(list, sizeof list, "%s%s" MON_ENV, before ? before : "", before && *before ? ";" :
		"");
	setenv(name, list, 1);
	return 0;
}

int mpi_launch(struct frontend_options *o, const struct hosts *hosts, struct err *err)
{
	enum { MOST = 128 };
	char *words[MOST];
	int n;

	if (o->ompnumthreads) {
		char text[16];

		snprintf(text, sizeof text, "%u", o->ompnumthreads);
		setenv("OMP_NUM_THREADS", text, 1);
	}
	if (o->apprun || o->mpinumprocs) {
		n = o->apprun ? apprun_words(o, words, MOST, err) : own_launcher(o, hosts, words,
			err);
		if (n < 0 || options_put_words(o, 0, words, n, err))
			return -1;
		o->nlauncher = n;
	}
	if (hosts->n && !(o->mpinumprocs && !o->apprun)) {
		n = pass_monitor(o, words);
		if (n && options_put_words(o, 1, words, n, err))
			return -1;
		o->nlauncher += o->nlauncher ? n : 0;
	}
	return 0;
}
