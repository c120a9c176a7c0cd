/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands of the program psc_report. */
#ifndef PSC_REPORT_PSC_REPORT_H
#define PSC_REPORT_PSC_REPORT_H

#include "report/files/placement_forms.h"
#include "report/model/report.h"
#include "report/text/over_time.h"

#define EXIT_USAGE 2

enum report_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_PSC, FORMAT_HTML, FORMAT_MARKDOWN,
	FORMAT_CALLGRIND, FORMAT_HATCHET };
enum report_command { COMMAND_PRINT, COMMAND_COMPARE, COMMAND_CHECK, COMMAND_HISTORY,
	COMMAND_TRACES, COMMAND_OVER_TIME, COMMAND_PLACEMENT };

enum { REPORT_LIMITS = 64 };
struct report_limit {
	const char *text;
	bool hard;
};

struct report_options {                 /* strings borrowed from argv */
	struct report_style style;
	enum report_format format;
	enum report_command command;
	const char *property;
	int explain;                    /* the number of the problem to explain; 0 none */
	const char *before;             /* of a comparison; NULL */
	struct report_limit limits[REPORT_LIMITS];      /* --fail-on, --warn-on */
	int nlimits;
	const char *baseline, *worse_by, *warn_by;      /* NULL: not given, as the files */
	const char *markdown_file, *sarif, *junit;
	const char *structure;          /* --structure; NULL */
	const char *in, *out;           /* out: "-" standard output */
	const char *output;             /* --output; NULL */
	const char *timeline_csv, *perfetto, *paraver;  /* files, and a stem, to write instead of
							 * the report; NULL */
	char *names[7];                 /* owned: the names of output files, expanded */
	struct over_time_style over_time;
	enum placement_form placement;
	const char *asked;              /* the option that chose the command; NULL: none did */
	const char *second;             /* one that chose another, which is an error; NULL */
	bool force, schema, verbose;
	bool no_source;                 /* the HTML page quotes no source lines */
};

/* Each returns the exit code, and has printed what is wrong. */
int command_print(const struct report_options *o);
int command_compare(const struct report_options *o);
int command_history(const struct report_options *o);
int command_check(const struct report_options *o);      /* 1: a hard limit is exceeded */
int command_traces(const struct report_options *o);     /* --timeline-csv, --perfetto, --paraver */
int command_over_time(const struct report_options *o);  /* --timeline, --cartography, --portal,
							 * --flows */
int command_placement(const struct report_options *o);  /* --placement */
/* Takes an option that asks for a command. */
void command_take(struct report_options *o, enum report_command command, const char *option);
/* Takes an option that asks for a view of memory over time. */
void over_time_take(struct report_options *o, enum over_time_view view, const char *option,
	const char *of);
/* The text of what is wrong with the options that belong to views of memory over time, given
 * without one; NULL. */
const char *over_time_without_view(const struct report_options *o);
/* The number of a name; -1. */
int over_time_name(const char *const *names, const char *name);

#endif
