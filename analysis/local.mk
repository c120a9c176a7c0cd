# SPDX-License-Identifier: BSD-3-Clause
# What is measured, searched and found: no MPI, no processes, so that it is tested as a library.
noinst_LTLIBRARIES += analysis/libanalysis.la
analysis_libanalysis_la_SOURCES = \
	%D%/measure/attribute_names.c %D%/measure/attribute_names.h \
	%D%/measure/attributes.c %D%/measure/attributes.h %D%/measure/attributes_private.h \
	%D%/measure/attribute_figures.c %D%/measure/attribute_figures.h \
	%D%/measure/attribute_flows.c %D%/measure/attribute_sets.c %D%/measure/attribute_needs.c \
	%D%/measure/blocking.c %D%/measure/blocking.h \
	%D%/measure/burst_error.c %D%/measure/burst_error.h %D%/measure/burst_rows.c \
	%D%/measure/burst_rows.h %D%/measure/burst_shares.c %D%/measure/burst_shares.h \
	%D%/measure/burst_weights.c %D%/measure/burst_weights.h \
	%D%/measure/first_touches.c %D%/measure/first_touches.h \
	%D%/measure/counts_csv.c %D%/measure/counts_csv.h \
	%D%/measure/estimate.c %D%/measure/estimate.h \
	%D%/measure/event_counts.c %D%/measure/event_counts.h \
	%D%/measure/metric_values.c %D%/measure/metric_values.h \
	%D%/measure/cpu_parts.c %D%/measure/cpu_parts.h %D%/measure/kernel_use.c \
	%D%/measure/kernel_use.h \
	%D%/measure/time_parts.c %D%/measure/time_parts.h \
	%D%/measure/contention.c %D%/measure/contention.h \
	%D%/measure/estimate_rows.c %D%/measure/estimate_rows.h \
	%D%/measure/estimate_rows_private.h %D%/measure/estimate_groups.c \
	%D%/measure/fault_costs.c %D%/measure/fault_costs.h \
	%D%/measure/frequent_calls.c %D%/measure/frequent_calls.h \
	%D%/measure/like.c %D%/measure/like.h \
	%D%/measure/measurements.c %D%/measure/measurements.h %D%/measure/object_names.c \
	%D%/measure/one_cpu_times.c %D%/measure/tallies.c \
	%D%/measure/monitor_tables.c %D%/measure/monitor_tables.h \
	%D%/measure/mpi_messages.c %D%/measure/mpi_messages.h %D%/measure/mpi_match.c \
	%D%/measure/mpi_match.h %D%/measure/mpi_remote.c %D%/measure/mpi_remote.h \
	%D%/measure/per_thread.c %D%/measure/per_thread.h \
	%D%/measure/quantiles.c %D%/measure/quantiles.h \
	%D%/measure/context_code.c %D%/measure/context_code.h %D%/measure/copy_use.c \
	%D%/measure/copy_use.h \
	%D%/measure/record_common.c %D%/measure/record_use.c %D%/measure/record_use.h \
	%D%/measure/sampling_error.c %D%/measure/sampling_error.h \
	%D%/measure/slice_coverage.c %D%/measure/slice_coverage.h \
	%D%/measure/sharing.c %D%/measure/sharing.h \
	%D%/measure/columns.c %D%/measure/columns.h %D%/measure/use_intervals.c \
	%D%/measure/use_intervals.h \
	%D%/measure/site_misses.c %D%/measure/site_misses.h \
	%D%/measure/walks.c %D%/measure/walks.h \
	%D%/measure/flow_axis.c %D%/measure/flow_axis.h \
	%D%/measure/flow_counts.c %D%/measure/flow_counts.h \
	%D%/measure/flow_nodes.c %D%/measure/flow_nodes.h \
	%D%/measure/flow_scaling.c %D%/measure/flow_scaling.h \
	%D%/measure/locality.c %D%/measure/locality.h \
	%D%/measure/maps.c %D%/measure/maps.h \
	%D%/measure/line_uses.c %D%/measure/line_uses.h %D%/measure/touches.c \
	%D%/measure/touches.h \
	%D%/measure/thread_times.c %D%/measure/thread_times.h \
	%D%/measure/waits.c %D%/measure/waits.h \
	%D%/measure/store.c %D%/measure/store.h \
	%D%/trials/action_names.c %D%/trials/actions.c %D%/trials/actions.h \
	%D%/trials/coin.h %D%/trials/cpu_order.c %D%/trials/cpu_order.h \
	%D%/trials/settle.c %D%/trials/settle.h \
	%D%/trials/signed_rank.c %D%/trials/signed_rank.h \
	%D%/trials/trial_plan.c %D%/trials/trial_plan.h \
	%D%/search/confidence.c %D%/search/confidence.h \
	%D%/search/run_config.c %D%/search/run_config.h \
	%D%/search/fixes.c %D%/search/fixes.h \
	%D%/search/place_rules.c %D%/search/place_rules.h \
	%D%/search/plan.c %D%/search/plan.h \
	%D%/search/plan_pack.c %D%/search/plan_pack.h \
	%D%/search/wanted.c %D%/search/wanted.h \
	%D%/search/search.c %D%/search/search.h \
	%D%/search/strategy.c \
	%D%/findings/app_findings.c \
	%D%/findings/costs.c %D%/findings/costs.h \
	%D%/findings/first_touch_rows.c %D%/findings/first_touch_rows.h \
	%D%/findings/line_use_rows.c %D%/findings/line_use_rows.h \
	%D%/findings/map_rows.c %D%/findings/map_rows.h \
	%D%/findings/line_walk_rows.c %D%/findings/line_walk_rows.h \
	%D%/findings/timeline_rows.c %D%/findings/timeline_rows.h \
	%D%/findings/timeline_sample.c %D%/findings/timeline_sample.h \
	%D%/findings/cost_cells.c %D%/findings/cost_cells.h \
	%D%/findings/name_paths.c %D%/findings/name_paths.h \
	%D%/findings/app_parts.c %D%/findings/app_parts.h \
	%D%/findings/findings.c %D%/findings/findings.h \
	%D%/findings/processor_time.c %D%/findings/proposals.c %D%/findings/whatif_try.h \
	%D%/findings/timed_texts.c %D%/findings/slice_texts.c %D%/findings/slice_texts.h \
	%D%/findings/finding_lines.c %D%/findings/finding_lines.h \
	%D%/findings/invariants.c %D%/findings/invariants.h \
	%D%/findings/ledger.c %D%/findings/worst_lines.c %D%/findings/worst_lines.h \
	%D%/findings/measured_check.c %D%/findings/measured_check.h \
	%D%/findings/report_head.c %D%/findings/report_notes.c \
	%D%/findings/report_sum.c %D%/findings/report_sum.h \
	%D%/findings/report_sum_finish.c %D%/findings/report_sum_rows.c \
	%D%/findings/report_sum_rows.h \
	%D%/findings/report_sum_wire.c \
	%D%/findings/thread_rows.c %D%/findings/thread_rows.h \
	%D%/findings/structure_names.c %D%/findings/structure_names.h \
	%D%/findings/unlike.c %D%/findings/vectors.c %D%/findings/vectors.h \
	%D%/findings/node_notes.c %D%/findings/node_notes.h \
	%D%/findings/whatif_places.c \
	%D%/findings/whatif.c %D%/findings/whatif.h \
	%D%/findings/whatif_gains.c

ANALYSIS_LIBS = analysis/libanalysis.la $(EVENTS_LIBS) asl/libasl.la sir/libsir.la \
	machine/libmachine.la \
	monitor/client/libmonclient.la report/libreport.la base/libbase.la \
	$(XML_LIBS) $(HWLOC_LIBS) $(ELF_LIBS) $(ZLIB_LIBS) -lm
EXTRA_DIST += %D%/README.md
