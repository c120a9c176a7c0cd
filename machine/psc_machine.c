/* SPDX-License-Identifier: BSD-3-Clause */
/* The program psc_machine: prints and checks machine models. */
#include "config.h"

#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/file_kind.h"
#include "base/log.h"
#include "machine/calibration.h"
#include "machine/machine.h"
#include "machine/psc_machine.h"

enum { EXIT_OK = 0, EXIT_CHECK = 1, EXIT_USAGE = 2, EXIT_NO_ROOM = 3 };

enum { CHECK = 256, XML, HOST, LIST, CALIBRATE, BRIEF };
static const struct cli_option cli_options[] = {
	{ "host", HOST, NULL,
		"this host (the default): what hwloc reports, where that is plausible", 0 },
	{ "xml", XML, NULL, "as a model file, to be changed and used with --machine", 0 },
	{ "calibrate", CALIBRATE, NULL,
		"measure what memory costs on this host, and keep it in the "
		"user's cache directory; takes some seconds, and up to a minute while other programs run", 0 },
	{ "brief", BRIEF, NULL,
		"with --calibrate: at most 6 s, as psc_frontend does at the first analysis on a host", 0 },
	{ "check", CHECK, NULL, "check model files and calibrations", 0 },
	{ "list", LIST, NULL, "the names of the models", 0 },
	CLI_COMMON
};
static const struct cli cli = {
	.program = "psc_machine",
	.usage = "[--xml] [NAME | FILE.xml | --host]\n"
		"--calibrate [--brief] [--xml]\n"
		"--check FILE.xml...\n"
		"--list",
	.purpose =
	"Prints a machine model: the caches, TLBs and memory nodes that are simulated, and the "
		"latencies; and what a cache line costs, measured or computed. A program can be analysed for a machine other than this host.",
	.options = cli_options, .noptions = sizeof cli_options / sizeof cli_options[0],
	.rest = "Examples:\n"
		"  psc_machine                   this host\n"
		"  psc_machine --calibrate       measure this host\n"
		"  psc_machine --xml > m.xml     to change, for psc_frontend --machine m.xml\n"
		"\n"
		"Exit status: 0 done; 1 a model file is wrong; 2 wrong use, or a file that cannot be read; "
		"3 not calibrated: not enough memory."
};

static const char *size_text(uint64_t size, char *out, size_t n)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB" };
	unsigned i = 0;

	while (i < 3 && size % 1024 == 0 && size) {
		size /= 1024;
		i++;
	}
	snprintf(out, n, "%" PRIu64 " %s", size, units[i]);
	return out;
}

static const char *shared_text(const struct machine_flat *f, const struct machine_level *l,
	char *out, size_t n)
{
	static const char *const who[] = { "", " of a core", " of a socket", "" };

	if (l->cpus == 1)
		snprintf(out, n, "private");
	else if (l->cpus == f->ncpus)
		snprintf(out, n, "all %u CPUs", l->cpus);
	else
		snprintf(out, n, "%u CPUs%s", l->cpus, who[l->shared]);
	return out;
}

static void latency(uint32_t cycles, double ghz)
{
	printf("%5u cycles %6.1f ns\n", cycles, cycles / ghz);
}

static void options(const struct machine_flat *f)
{
	for (uint32_t i = 0; i < f->nlevels; i++) {
		const struct machine_level *l = &f->level[i];
		static const char *const order[] = { "", " pseudo-LRU (tree)",
			" random replacement" };
		static const char *const holds[] = { "", " inclusive", " exclusive" };
		static const char *const ahead[] = { "", "next line", "stride" };

		if (!l->replacement && !l->inclusion && !l->prefetch)
			continue;
		printf("L%-5u%s%s%s", l->level, order[l->replacement],
			l->replacement && l->inclusion ? "," : "", holds[l->inclusion]);
		if (l->prefetch)
			printf("%s prefetch: %s, %u line%s",
				l->replacement || l->inclusion ? "," : "", ahead[l->prefetch],
				l->degree, l->degree == 1 ? "" : "s");
		putchar('\n');
	}
	if (f->write == MACHINE_WRITE_BACK)
		puts("stores  write-back and write-allocate, written-back lines are counted");
}

static void translation(const struct machine_flat *f)
{
	char size[32];

	for (uint32_t i = 0; i < f->ntlbs; i++) {
		const struct machine_tlb *t = &f->tlb[i];

		printf("TLB %u   %u entries, %u ways, pages of %s; a miss costs %u cycles\n", i + 1,
			t->entries, t->ways, size_text(t->page, size, sizeof size), t->miss);
	}
}

static void nodes(const struct machine_flat *f)
{
	const struct machine_nodes *n = &f->nodes;

	if (f->sockets > 1)
		printf("%u sockets\n", f->sockets);
	if (n->count == 1)
		return;
	if (f->spread)
		printf("threads run on the %snodes in turn\n",
			f->sockets > 1 ? "sockets and " : "");
	printf("%u memory nodes of %u CPUs; a load of %u cycles or more is remote\n", n->count,
		n->cpus, n->threshold);
	printf("cycles to");
	for (uint32_t k = 0; k < n->count; k++)
		printf(" %4u", k);
	for (uint32_t i = 0; i < n->count; i++) {
		printf("\nfrom %4u", i);
		for (uint32_t k = 0; k < n->count; k++)
			printf(" %4u", n->latency[i][k]);
	}
	putchar('\n');
}

static void channels(const struct machine_flat *f)
{
	char size[32];

	if (!f->channels)
		return;
	printf("%u memory channels%s, in turn every %s; ", f->channels, f->nodes.count > 1 ?
		" of each node" : "", size_text(f->interleave, size, sizeof size));
	puts(machine_channels(f) ? "the place in a page tells the channel" :
		"the page's frame decides on the channel, so that it is not known");
}

static void table(const struct machine *m, bool here)
{
	const struct machine_flat *f = &m->flat;
	char size[32], shared[48];

	printf("%s: %s\n", m->name, m->title);
	printf("from %s\n", m->source);
	if (m->note[0])
		printf("note: %s\n", m->note);
	printf("%u CPUs, %.3g GHz, pages of %s %s\n\n", f->ncpus, m->ghz,
		size_text(f->page_size, size, sizeof size),
		f->pages == MACHINE_PAGES_VIRTUAL ? "with their virtual addresses"
		: "numbered by first touch");
	printf("%-6s %9s %5s %5s %7s  %-19s %12s\n", "level", "size", "ways", "line", "sets",
		"shared by", "latency");
	for (uint32_t i = 0; i < f->nlevels; i++) {
		const struct machine_level *l = &f->level[i];

		printf("L%-5u %9s %5u %5u %7u  %-19s", l->level,
			size_text(l->size, size, sizeof size), l->assoc, l->line, l->sets,
			shared_text(f, l, shared, sizeof shared));
		latency(l->latency, m->ghz);
	}
	printf("%-56s", "memory");
	latency(f->memory_latency, m->ghz);
	options(f);
	translation(f);
	nodes(f);
	channels(f);
	print_costs(m, here);
}

static int check(char **files)
{
	int ret = EXIT_OK;

	for (; *files; files++) {
		struct calibration c;
		struct machine m;
		struct err err;

		const char *kind = file_kind_of(*files);

		if (kind) {
			fprintf(stderr,
				"%s: %s, not a machine model (psc_machine --host --xml prints one)\n", *files, kind);
			ret = EXIT_CHECK;
		} else if (calibration_is(*files)) {
			if (calibration_read(*files, &c, &err) < 0) {
				fprintf(stderr, "%s\n", err.text);
				ret = EXIT_CHECK;
			} else {
				printf("%s: calibration of %s, %u levels\n", *files, c.costs.host,
					c.costs.nlevels);
			}
		} else if (machine_read(&m, *files, &err) < 0) {
			fprintf(stderr, "%s\n", err.text);
			ret = EXIT_CHECK;
		} else {
			printf("%s: %s, %u CPUs, %u levels\n", *files, m.name, m.flat.ncpus,
				m.flat.nlevels);
		}
	}
	return ret;
}

static int show(const char *name, bool xml)
{
	struct machine m;
	struct err err;

	if ((name ? machine_read(&m, name, &err) : machine_here(&m, &err)) < 0) {
		log_msg(0, "%s", err.text);
		return EXIT_USAGE;
	}
	if (!xml) {
		table(&m, !name);
		return EXIT_OK;
	}
	if (m.note[0])
		log_msg(1, "note: %s", m.note);
	if (machine_write(&m, NULL, &err) < 0) {
		log_msg(0, "%s", err.text);
		return EXIT_USAGE;
	}
	return EXIT_OK;
}

/* One line on a terminal, written over each second. */
static void tell(const char *what, unsigned seconds)
{
	static const char *last;
	static unsigned at;

	if (what == last && seconds == at)
		return;
	last = what;
	at = seconds;
	fprintf(stderr, "\r\033[Kmeasuring %s: %u s (up to 60 on a busy machine)", what, seconds);
}

static int measure_host(const struct machine *m, bool brief, struct calibration *c, struct err *err)
{
	const bool terminal = isatty(STDERR_FILENO) && !brief;
	int ret = calibration_measure(m, brief ? &calibration_brief : &calibration_long, terminal ?
		tell : NULL, c, err);

	if (terminal)
		fputs("\r\033[K", stderr);
	return ret;
}

/* Measures this host and keeps the result; xml: prints the file, too, otherwise the table. */
static int calibrate(bool brief, bool xml)
{
	struct calibration c;
	struct machine m;
	char path[PATH_MAX];
	struct err err;

	if (machine_host(&m, &err) < 0 || calibration_path(true, path, sizeof path, &err) < 0) {
		log_msg(0, "%s", err.text);
		return EXIT_USAGE;
	}
	if (measure_host(&m, brief, &c, &err) < 0) {
		log_msg(0, "not calibrated: %s", err.text);
		return EXIT_NO_ROOM;
	}
	if (calibration_write(&c, path, &err) < 0 ||
	    (xml && calibration_write(&c, "-", &err) < 0)) {
		log_msg(0, "%s", err.text);
		return EXIT_USAGE;
	}
	if (!xml)
		print_costs(&m, true);
	log_msg(1, "kept in %s", path);
	return EXIT_OK;
}

static int list(void)
{
	char names[4096];

	machine_list(names, sizeof names);
	for (char *p = strtok(names, ", "); p; p = strtok(NULL, ", "))
		puts(p);
	return EXIT_OK;
}

int main(int argc, char **argv)
{
	bool want_check = false, xml = false, host = false, want_list = false, measure = false,
		brief = false;
	struct err err;
	int opt, ret;

	log_setup("psc_machine", 1);
	while ((opt = cli_next(&cli, argc, argv, &err)) != CLI_END)
		switch (opt) {
		case CHECK:
			want_check = true;
			break;
		case XML:
			xml = true;
			break;
		case HOST:
			host = true;
			break;
		case CALIBRATE:
			measure = true;
			break;
		case BRIEF:
			brief = true;
			break;
		case LIST:
			want_list = true;
			break;
		case CLI_HELP:
			cli_help(&cli);
			return EXIT_OK;
		case CLI_VERSION:
			cli_version(&cli);
			return EXIT_OK;
		default:
			return cli_wrong(&cli, "%s", err.text);
		}
	if (want_check && (xml || host || want_list || measure))
		return cli_wrong(&cli, "--check goes with no other option");
	if (want_check && optind == argc)
		return cli_wrong(&cli, "no file given");
	if (measure && (host || want_list))
		return cli_wrong(&cli, "--calibrate goes with --brief and --xml alone");
	if (brief && !measure)
		return cli_wrong(&cli, "--brief goes with --calibrate");
	if (!want_check && (host || want_list || measure ? optind < argc : argc - optind > 1))
		return cli_wrong(&cli, "'%s': one machine at a time", argv[argc - 1]);
	ret = want_check ? check(argv + optind) : want_list ? list() : measure ? calibrate(brief,
		xml) : show(optind < argc ? argv[optind] : NULL, xml);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		perror("psc_machine: standard output");
		return EXIT_USAGE;
	}
	return ret;
}
