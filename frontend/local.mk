# SPDX-License-Identifier: BSD-3-Clause
bin_PROGRAMS += psc_frontend
psc_frontend_SOURCES = \
	%D%/any_program.c %D%/any_program.h \
	%D%/attach_any.c %D%/attach_any.h \
	%D%/application.c %D%/application.h \
	%D%/ask_foreign.c %D%/ask_foreign.h \
	%D%/asked_file.c %D%/asked_file.h \
	%D%/attach_request.c %D%/attach_request.h \
	%D%/code_files.c %D%/code_files.h \
	%D%/collector_option.c %D%/collector_option.h \
	%D%/collectors_list.c %D%/collectors_list.h \
	%D%/doctor.c %D%/doctor.h \
	%D%/facility.h %D%/facility_events.c %D%/facility_process.c %D%/facility_why.c \
	%D%/fidelity.c \
	%D%/front.h %D%/front_agents.c %D%/front_application.c %D%/front_attached.c \
	%D%/front_loop.c %D%/front_messages.c \
	%D%/front_lives.c %D%/front_lives.h %D%/nothing.c %D%/nothing.h \
	%D%/first_calibration.c %D%/first_calibration.h \
	%D%/frontend.c \
	%D%/hosts.c %D%/hosts.h \
	%D%/inherit.c %D%/inherit.h \
	%D%/input_watch.c %D%/input_watch.h \
	%D%/install_paths.c %D%/install_paths.h \
	%D%/journal.c %D%/journal.h \
	%D%/keeper.c %D%/keeper.h \
	%D%/launch.c %D%/launch.h \
	%D%/losses.c %D%/losses.h \
	%D%/metrics_list.c %D%/metrics_list.h \
	%D%/mpi_launch.c %D%/mpi_launch.h \
	%D%/netns.c %D%/netns.h \
	%D%/options.c %D%/options.h \
	%D%/present.c %D%/present.h \
	%D%/progress_line.c %D%/progress_line.h \
	%D%/running.c %D%/running.h \
	%D%/later_runs.c %D%/later_runs.h \
	%D%/samples_check.c %D%/samples_check.h \
	%D%/setup.c %D%/setup.h \
	%D%/stop.c %D%/stop.h \
	%D%/twice.c %D%/twice.h \
	%D%/watch.c %D%/watch.h
psc_frontend_LDADD = agents/libprotocol.la $(COLLECT_LIBS) binary/libbinary.la foreign/libpreload.la
EXTRA_DIST += %D%/README.md
