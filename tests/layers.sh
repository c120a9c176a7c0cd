#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Who may include whom: the layering that keeps the parts apart.
srcdir=${srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
cd "$srcdir" || exit 1
n=0

# sources PART: its files, and those of its folders that are no parts themselves
sources() {
	ls "$1"/*.[chlycd]* 2>/dev/null
	for folder in "$1"/*/; do
		grep -q "^layer ${folder%/} " "tests/layers.sh" || ls "$folder"*.[chlycd]* 2>/dev/null
	done
}
# layer PART ALLOWED...: every #include "part/header.h" of the part matches one of the patterns
layer() {
	part=$1
	shift
	n=$((n + 1))
	# shellcheck disable=SC2046
	bad=$(grep -Hn '^#include "[a-z]*/' $(sources "$part") /dev/null | while IFS= read -r hit; do
		header=${hit#*\"}
		header=${header%%\"*}
		for allowed in "$part/*" "$@"; do
			# shellcheck disable=SC2254
			case $header in $allowed) continue 2 ;; esac
		done
		echo "# $hit"
	done)
	[ -z "$bad" ] && echo "ok $n - $part" || { echo "$bad"; echo "not ok $n - $part"; }
}
# without PART HEADER...: the part never includes these
without() {
	part=$1
	shift
	n=$((n + 1))
	bad=
	for header in "$@"; do
		# shellcheck disable=SC2046
		bad=$bad$(grep -Hn "^#include [<\"]$header" $(for p in $part; do sources "$p"; done) 2>/dev/null)
	done
	[ -z "$bad" ] && echo "ok $n - $part without $*" || { echo "# $bad"; echo "not ok $n - $part without $*"; }
}

echo "1..43"
layer base
layer asl 'base/*'
layer asl/tools 'base/*' 'asl/*'
layer sir 'base/*'
layer sir/tools 'base/*' sir/sir.h binary/binary.h
layer binary 'base/*' sir/sir.h sir/model.h
layer machine 'base/*'
layer instrument 'base/*'
layer simulate/cache base/reuse_classes.h base/timeline_log.h machine/flat.h
layer simulate/coherence machine/flat.h 'simulate/cache/*'
layer simulate/access base/abi.h base/unit_tables.h 'simulate/cache/*' 'simulate/coherence/*'
layer simulate/loop 'simulate/cache/*' 'simulate/coherence/*' 'simulate/access/*'
layer simulate base/abi.h 'simulate/*'
layer monitor 'base/*' machine/flat.h simulate/simulate.h 'monitor/shared/*'
layer monitor/mpi 'base/*'
layer burst
layer monitor/shared base/counters.def base/reuse_classes.h machine/flat.h
layer monitor/client 'base/*' machine/flat.h simulate/cache/set_sample.h 'monitor/shared/*'
layer report/model 'base/*'
layer report/words 'base/*' 'report/model/*'
layer report 'base/*'
layer events 'base/*' monitor/shared/shm.h
layer samples 'base/*' events/metrics.h
layer analysis/measure 'base/*' asl/asl.h sir/sir.h machine/line_costs.h machine/machine.h machine/flat.h monitor/client/mon.h
layer analysis/trials 'base/*' asl/asl.h sir/sir.h machine/line_costs.h machine/machine.h machine/flat.h monitor/client/mon.h 'analysis/measure/*' analysis/search/search.h analysis/search/fixes.h
layer analysis/search 'base/*' asl/asl.h sir/sir.h machine/line_costs.h machine/machine.h machine/flat.h monitor/client/mon.h monitor/shared/shm.h 'analysis/measure/*'
layer analysis/findings 'base/*' asl/asl.h sir/sir.h machine/line_costs.h machine/machine.h machine/flat.h monitor/client/mon.h report/model/report.h report/model/fields.h \
	'analysis/measure/*' 'analysis/search/*'
layer phase 'base/*'
layer collect 'base/*' events/metrics.h samples/page_host.h samples/unit.h monitor/client/mon.h report/model/report.h 'analysis/*'
layer foreign 'base/*' binary/binary.h burst/shared/burst.h machine/flat.h 'monitor/shared/*' events/metrics.h samples/page_host.h samples/page_scan.h \
	samples/soft_dirty.h samples/ring.h samples/sample.h samples/unit.h samples/event_source.h simulate/simulate.h
layer agents 'base/*' 'phase/*' binary/binary.h collect/collector.h monitor/client/mon.h monitor/shared/socket_path.h report/model/report.h 'analysis/*'
layer frontend 'base/*' events/metrics.h samples/ring.h samples/unit.h asl/asl.h binary/binary.h samples/page_host.h foreign/preload.h sir/sir.h machine/machine.h machine/calibration_due.h machine/flat.h monitor/client/mon.h monitor/shared/shm.h monitor/shared/attach_message.h monitor/shared/socket_path.h report/model/report.h report/compare/compare.h report/compare/count_beside.h \
	collect/collector.h agents/link.h agents/progress.h agents/heartbeat.h agents/tree.h analysis/search/run_config.h analysis/search/fixes.h analysis/trials/actions.h analysis/findings/invariants.h \
	analysis/findings/report_sum.h
without asl mpi.h libxml time.h sys/time.h asl/tools/
without monitor mpi.h libxml hwloc stdio.h monitor/client/
without 'simulate/*' mpi.h libxml hwloc stdio.h stdlib.h time.h sys/ unistd.h
without report mpi.h
without frontend mpi.h
without sir mpi.h
without burst stdio.h pthread_mutex libdw elfutils
without monitor/mpi stdio.h stdlib.h monitor/state.h
n=$((n + 1))
if [ "$(grep -l '^#include <mpi.h>' */*.[ch] analysis/*/*.[ch] asl/*/*.[ch] | tr '\n' ' ')" = "agents/comm.c " ]; then
	echo "ok $n - MPI in agents/comm.c alone"
else
	echo "not ok $n - MPI in agents/comm.c alone"
fi
n=$((n + 1))
bad=$(grep -nE '\b(exit|abort|malloc|calloc|realloc|printf|fprintf)\(' $(sources monitor) simulate/*.c simulate/*/*.c | grep -vE '_exit|/\*|\* ')
[ -z "$bad" ] && echo "ok $n - the monitor has no exit, malloc or stdio" || { echo "$bad" | sed 's/^/# /'; echo "not ok $n - the monitor has no exit, malloc or stdio"; }
n=$((n + 1))
bad=$(grep -nE 'atomic|pthread|__sync_' simulate/*.[ch] simulate/access/* simulate/loop/*)
[ -z "$bad" ] && echo "ok $n - locks and atomics in simulate/cache and simulate/coherence alone" || { echo "$bad" | sed 's/^/# /'; echo "not ok $n - locks and atomics in simulate/cache and simulate/coherence alone"; }
