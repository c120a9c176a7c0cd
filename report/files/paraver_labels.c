/* SPDX-License-Identifier: BSD-3-Clause */
/* The files beside a Paraver trace: what states and types of events are called (.pcf), what threads
 * are called (.row), and windows that show the regions and the misses of the
 * structures that miss most (.cfg). */
#include "report/files/paraver.h"

#include <stdlib.h>

#include "report/words/timeline_words.h"

static void one_line(struct buf *out, const char *s)
{
	for (; *s; s++)
		buf_add(out, (unsigned char)*s < ' ' ? "?" : s, 1);
}

void paraver_structure(const struct paraver *p, int number, struct buf *out)
{
	const struct report_time_structure *s = p->structures[number - 1];

	one_line(out, timeline_structure_name(s));
	if (s->scope) {
		buf_puts(out, " in ");
		one_line(out, s->scope);
	}
}

/* --- .pcf ---------------------------------------------------------------------------------- */

static void defaults(const struct paraver *p, struct buf *out)
{
	buf_printf(out,
		"DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\nLOOK_BACK           100\n"
		"SPEED               1\nFLAG_ICONS          ENABLED\nNUM_OF_STATE_COLORS %d\nYMAX_SCALE          %d\n\n\n"
		"DEFAULT_SEMANTIC\n\nTHREAD_FUNC          State As Is\n\n\n", p->nregions + 1,
		p->nregions + 1);
}

static void region_name(const struct paraver *p, int number, struct buf *out)
{
	const struct report_time_region *r = p->regions[number - 1];

	one_line(out, r->name);
	buf_puts(out, " (");
	one_line(out, r->file);
	buf_printf(out, ":%d)", r->line);
}

/* Colours that are far apart by steps of the golden angle around the circle of
 * hues, at middle brightness. */
static void color(int number, int rgb[3])
{
	const double hue = number * 0.6180339887, turn = (hue - (int)hue) * 6;
	const int sector = (int)turn, rise = (int)(60 + 160 * (turn - sector)), fall = 280 - rise;
	const int table[6][3] = { { 220, rise, 60 }, { fall, 220, 60 }, { 60, 220, rise },
		{ 60, fall, 220 }, { rise, 60, 220 },
		{ 220, 60, fall } };

	for (int i = 0; i < 3; i++)
		rgb[i] = table[sector][i];
}

static void states(const struct paraver *p, struct buf *out)
{
	buf_puts(out, "STATES\n0    (no accesses)\n");
	for (int i = 1; i <= p->nregions; i++) {
		buf_printf(out, "%d    ", i);
		region_name(p, i, out);
		buf_puts(out, "\n");
	}
	buf_puts(out, "\n\nSTATES_COLOR\n0    {235,235,235}\n");
	for (int i = 1; i <= p->nregions; i++) {
		int rgb[3];

		color(i, rgb);
		buf_printf(out, "%d    {%d,%d,%d}\n", i, rgb[0], rgb[1], rgb[2]);
	}
	buf_puts(out, "\n\n");
}

/* "L3 misses of u". */
static void what(const struct paraver *p, int type, int number, struct buf *out)
{
	if (type == PARAVER_ACCESSES)
		buf_puts(out, "Accesses to ");
	else
		buf_printf(out, "L%d misses of ", type == PARAVER_FIRST ? 1 : p->levels);
	paraver_structure(p, number, out);
}

void paraver_pcf(const struct paraver *p, struct buf *out)
{
	static const int types[] = { PARAVER_ACCESSES, PARAVER_FIRST, PARAVER_LAST };

	defaults(p, out);
	states(p, out);
	buf_printf(out, "EVENT_TYPE\n9    %d    Region\nVALUES\n0    (no accesses)\n",
		PARAVER_REGION);
	for (int i = 1; i <= p->nregions; i++) {
		buf_printf(out, "%d    ", i);
		region_name(p, i, out);
		buf_puts(out, "\n");
	}
	for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
		if ((types[t] == PARAVER_FIRST && !p->levels) || (types[t] == PARAVER_LAST &&
		    p->levels < 2))
			continue;
		buf_puts(out, "\n\nEVENT_TYPE\n");
		for (int i = 1; i <= p->nstructures; i++) {
			buf_printf(out, "7    %d    ", types[t] + i);
			what(p, types[t], i, out);
			buf_puts(out, "\n");
		}
	}
}

/* --- .row ---------------------------------------------------------------------------------- */

void paraver_row(const struct paraver *p, struct buf *out)
{
	buf_printf(out, "LEVEL CPU SIZE %d\n", p->threads);
	for (int i = 1; i <= p->threads; i++)
		buf_printf(out, "CPU %d\n", i);
	buf_printf(out, "\nLEVEL NODE SIZE 1\nhost\n\nLEVEL THREAD SIZE %d\n", p->threads);
	for (int i = 0; i < p->r->ntimelines; i++)
		for (int t = 0; t < p->r->timelines[i].threads; t++)
			buf_printf(out, "process %d, thread %d\n", p->r->timelines[i].process, t);
}

/* --- .cfg ---------------------------------------------------------------------------------- */

enum { WINDOWS_OF_STRUCTURES = 4, WINDOW_HEIGHT = 150, WINDOW_STEP = 190 };

/* type 0: the states. */
static void window(const struct paraver *p, int number, const char *name, int type, struct buf *out)
{
	const char *const function = type ? "Last Evt Val" : "State As Is";

	buf_printf(out,
		"\n################################################################################\n"
		"< NEW DISPLAYING WINDOW %s >\n"
		"################################################################################\n"
		"window_name %s\nwindow_type single\nwindow_id %d\nwindow_position_x 100\nwindow_position_y %d\n"
		"window_width 900\nwindow_height %d\nwindow_comm_lines_enabled false\nwindow_flags_enabled false\n"
		"window_noncolor_mode true\nwindow_color_mode %s\n", name, name, number,
		60 + WINDOW_STEP * (number - 1), WINDOW_HEIGHT,
		type ? "window_in_null_gradient_mode" : "window_in_code_mode");
	buf_printf(out,
		"window_units Microseconds\nwindow_maximum_y %d\nwindow_minimum_y 0\nwindow_compute_y_max true\n"
		"window_level thread\nwindow_scale_relative 1.000000000000\nwindow_end_time_relative 1.000000000000\n"
		"window_object appl { 1, { All } }\nwindow_begin_time_relative 0.000000000000\nwindow_open true\n"
		"window_drawmode draw_maximum\nwindow_drawmode_rows draw_maximum\nwindow_pixel_size 1\nwindow_labels_to_draw 1\n",
		type ? 1 : p->nregions);
	buf_printf(out,
		"window_selected_functions { 14, { {cpu, Active Thd}, {appl, Adding}, {task, Adding}, {thread, %s}, "
		"{node, Adding}, {system, Adding}, {workload, Adding}, {from_obj, All}, {to_obj, All}, {tag_msg, All}, "
		"{size_msg, All}, {bw_msg, All}, {evt_type, =}, {evt_value, All} } }\n", function);
	buf_puts(out,
		"window_compose_functions { 9, { {compose_cpu, As Is}, {compose_appl, As Is}, {compose_task, As Is}, "
		"{compose_thread, As Is}, {compose_node, As Is}, {compose_system, As Is}, {compose_workload, As Is}, "
		"{topcompose1, As Is}, {topcompose2, As Is} } }\n");
	if (type)
		buf_printf(out,
			"window_filter_module evt_type 1 %d\nwindow_filter_module evt_type_label 1 \"%s\"\n", type, name);
}

/* The structure with most misses of the last level behind `before` (0: of all): with less, or as
 * many and a higher number;
 * 0: none. */
static int next_structure(const struct paraver *p, int before)
{
	int best = 0;

	for (int i = 1; i <= p->nstructures; i++) {
		const double v = p->misses[i - 1], limit = before ? p->misses[before - 1] : v;

		if (v > 0 && (!before || v < limit || (v >= limit && v <= limit && i > before)) &&
		    (!best || v > p->misses[best - 1]))
			best = i;
	}
	return best;
}

void paraver_cfg(const struct paraver *p, struct buf *out)
{
	const int type = p->levels > 1 ? PARAVER_LAST : PARAVER_FIRST;
	int number = 1, structures = 0;

	for (int s = next_structure(p, 0); s && structures < WINDOWS_OF_STRUCTURES;
	     s = next_structure(p, s))
		structures++;
	buf_printf(out,
		"#ParaverCFG\nConfigFile.Version: 3.4\nConfigFile.NumWindows: %d\nConfigFile.BeginDescription\n"
		"Regions, and misses of the structures that miss most. %s\nConfigFile.EndDescription\n\n", structures + 1,
		p->is_time ? "Time is an estimate, of clean executions." :
		"A nanosecond is a reference.");
	window(p, number, "Regions", 0, out);
	for (int s = next_structure(p, 0); number <= structures; s = next_structure(p, s)) {
		struct buf name = BUF_INIT;

		what(p, type, s, &name);
		window(p, ++number, buf_str(&name), type + s, out);
		buf_free(&name);
	}
}
