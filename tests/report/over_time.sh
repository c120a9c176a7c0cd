#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# psc_report --timeline, --cartography, --portal, --flows as a user meets them.
. "${srcdir:-.}/tests/tap.sh"
psc_report=${builddir:-.}/psc_report
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
tap_out=$tmp/log
lu=${srcdir:-.}/tests/report/lu.psc
old=${srcdir:-.}/tests/report/heat.psc

ascii() { # command...: only ASCII, at most 80 columns
	LC_ALL=C "$@" >"$tmp/ascii" && LC_ALL=C awk 'length($0) > 80 || /[^ -~]/ { exit 1 }' "$tmp/ascii"
}

plan 28
check "structures over time" says "table: written forwards" "$psc_report" --timeline "$lu"
check "one of them" says " writes " "$psc_report" --timeline=table "$lu"
check "addresses by thread" says "each thread has a part of its own" "$psc_report" --cartography "$lu"
check "variables" says "variable " "$psc_report" --portal variables "$lu"
check "threads of a process" says "thread 1 " "$psc_report" --portal threads --process 0 "$lu"
check "memory nodes, sorted" says "Sorted by node1" "$psc_report" --portal modules --portal-sort node1 "$lu"
check "counts" says "Lines from memory" "$psc_report" --portal variables --portal-count memory "$lu"
check "who uses a structure" says "from       to  thread node  region" "$psc_report" --flows table "$lu"
check "what a thread uses" says "from       to  structure " "$psc_report" --flows thread:1 "$lu"
check "all is ASCII where the locale is" ascii "$psc_report" --timeline=table "$lu"
check "what more threads would have" says "at 8 threads node 0 serves" "$psc_report" --threads-at 8 "$lu"
check "as JSON" says '"threads": 8, "claim": "at 8 threads' "$psc_report" --json "$lu"
check "more threads than the model has CPUs are refused" says "to 8 threads can be predicted" "$psc_report" --threads-at=9 "$lu"
check "so is no number" says "wants a number of threads" "$psc_report" --threads-at many "$lu"
check "a file can be written" exits 0 "$psc_report" --timeline "$lu" "$tmp/t.txt"
check "a report without a timeline says so" says "$old: the report has no timeline" "$psc_report" --timeline "$old"
check "which ends with 2" exits 2 "$psc_report" --timeline "$old"
check "so does a structure that is not there" exits 2 "$psc_report" --timeline=nothing "$lu"
check "and a thread" exits 2 "$psc_report" --flows thread:9 "$lu"
check "an unknown table is a usage error" says "variables, threads or modules" "$psc_report" --portal columns "$lu"
check "they are text" exits 2 "$psc_report" --timeline --json "$lu"
check "two views at once are a usage error" says "--timeline and --cartography are asked for" "$psc_report" --timeline \
	--cartography "$lu"
check "and a view of a gate" says "--check and --flows are asked for" "$psc_report" --check --flows table "$lu"
check "and a part of the report" says "--timeline is a view of its own" "$psc_report" --timeline --table "$lu"
check "and files for other tools beside a gate" says "write their files alone" "$psc_report" --check --fail-on 'phase: l1_misses > 1' \
	--perfetto "$tmp/t.pftrace" "$lu"
check "which are not written then" test ! -e "$tmp/t.pftrace"
check "a process without a view is a usage error" says "--process wants" "$psc_report" --process 0 "$lu"
check "so is the order of a portal" says "want --portal" "$psc_report" --timeline --portal-sort all "$lu"
