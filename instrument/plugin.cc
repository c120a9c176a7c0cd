/* SPDX-License-Identifier: BSD-3-Clause */
/* Entry point of the plugin: reads its options and registers its passes. */
#include "instrument/pscplugin.h"
#include "instrument/gcc_version.h"

int plugin_is_GPL_compatible;

struct psc_plugin psc;

static void add_phase(const char *value)
{
	const char *colon = value ? strrchr(value, ':') : NULL;

	if (!colon || atoi(colon + 1) <= 0)
		error("periscope: %<phase=%s%>: expected %<phase=FILE:LINE%>", value ? value : "");
	else
		psc.phases.push_back({ std::string(value, colon - value), atoi(colon + 1) });
}

static void add_pass(const char *plugin, opt_pass *pass, const char *where,
	enum pass_positioning_ops position = PASS_POS_INSERT_BEFORE)
{
	struct register_pass_info info;

	info.pass = pass;
	info.reference_pass_name = where;
	info.ref_pass_instance_number = 1;
	info.pos_op = position;
	register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}

/* The plugin was compiled against one GCC build's headers; another build may lay out structures
 * differently. */
static bool fits(const struct plugin_gcc_version *version)
{
	static const struct plugin_gcc_version none = {};
	const struct plugin_gcc_version *v = version ? version : &none, *own = &gcc_version;
	const char *const built[] = { own->basever, own->datestamp, own->devphase, own->revision,
		own->configuration_arguments };
	const char *const running[] = { v->basever, v->datestamp, v->devphase, v->revision,
		v->configuration_arguments };
	static char text[8000];

	if (version_differences(built, running, text, sizeof text) == 0)
		return true;
	error("periscope: the plugin was built for another build of GCC:%s", text);
	inform(UNKNOWN_LOCATION,
		"with this compiler%'s own plugin headers (gcc-N-plugin-dev, gcc-plugin-devel)"
		" installed, %<psc_instrument%> builds the plugin that fits");
	return false;
}

/* With gcov's or profile counters, functions are cloned behind pass profile, which inserts the
 * counters: all versions then count in the same ones. */
static void add_versions(const char *plugin)
{
	if (!flag_test_coverage && !profile_arc_flag && !flag_branch_probabilities) {
		add_pass(plugin, psc_pass_versions(g), "targetclone");
		return;
	}
	add_pass(plugin, psc_pass_gcov_lines(g), "profile");
	add_pass(plugin, psc_pass_versions(g), "profile", PASS_POS_INSERT_AFTER);
}

static void finish_unit(void *, void *)
{
	psc_scalars_emit();
}

int plugin_init(struct plugin_name_args *args, struct plugin_gcc_version *version)
{
	static struct plugin_info info = { psc_plugin_version,
		"Periscope/C: regions, phases, access recording" };

	if (!fits(version))
		return 1;
	for (int i = 0; i < args->argc; i++) {
		if (strcmp(args->argv[i].key, "phase") == 0)
			add_phase(args->argv[i].value);
		else if (strcmp(args->argv[i].key, "exclude") == 0 && args->argv[i].value)
			psc.excluded.push_back(args->argv[i].value);
		else if (strcmp(args->argv[i].key, "attach") == 0)
			psc.attach = true;
		else if (strcmp(args->argv[i].key, "plain") == 0)
			psc.plain = true;
		else
			warning(0, "periscope: unknown plugin option %qs", args->argv[i].key);
	}
	register_callback(args->base_name, PLUGIN_INFO, NULL, &info);
	register_callback(args->base_name, PLUGIN_FINISH_UNIT, finish_unit, NULL);
	psc_runtime_init(args->base_name);
	add_pass(args->base_name, psc_pass_regions(g), "omplower");
	add_pass(args->base_name, psc_pass_memory(g), "omplower");
	add_pass(args->base_name, psc_pass_loops(g), "ompexp");
	add_versions(args->base_name);
	add_pass(args->base_name, psc_pass_inline_costs(g), "fnsummary", PASS_POS_INSERT_AFTER);
	add_pass(args->base_name, psc_pass_tests(g), "ehdisp", PASS_POS_INSERT_AFTER);
	add_pass(args->base_name, psc_pass_access(g), "isel");
	add_pass(args->base_name, psc_pass_guard(g), "isel");
	return 0;
}
