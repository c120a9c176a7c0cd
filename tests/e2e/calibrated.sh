#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The calibration that the first analysis on a host makes: once, before the program starts, by one process, and not where it is of
# no use.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 13

build_lu .
unset PSC_CALIBRATE HWLOC_XMLFILE HWLOC_SYNTHETIC
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
file=$work/cache/periscope/$(uname -n).xml
# analyse ARGUMENTS...
analyse() { run 0 --app ./lu --phase ssor.f:109 --json lu.json --no-psc -o report "$@" -- 12 40; }
lines() { test "$(cat err* | grep -c "^psc_frontend: measuring what memory costs on this host, once: up to 6 s")" = "$1"; }
again() { grep -q '^psc_frontend: measuring again' err; }
costs() { grep -q "\"costs_source\": \"$1" lu.json; }
nothing_measured() { analyse "$@" && lines 0 && ! again && [ ! -e "$file" ]; }
unmarked() { sed -e 's/ loaded="yes"/ loaded="no"/' -e 's/ varies="[^"]*"//' "$file" >changed && cp changed "$file"; }

check "--no-calibrate measures nothing" nothing_measured --no-calibrate
check "costs are assumed then" costs assumed
check "nor for another machine's model" nothing_measured --machine x86-server
unasked() { (PSC_CALIBRATE=no && export PSC_CALIBRATE && nothing_measured); }
check "nor with PSC_CALIBRATE=no" unasked

# Where nothing can be kept, it is said, and the analysis goes on.
: >plain
unkept() {
	XDG_CACHE_HOME=$work/plain analyse && lines 0 && costs assumed &&
		grep -q "^psc_frontend: this host is not calibrated, and costs of memory are assumed: $work/plain/periscope: Not a directory" err
}
check "nor where it cannot be kept, which is said" unkept

# Two at once: one measures, the other waits for it.
analyse >other.check &
analyse_other() {
	mkdir -p other && cp lu other && (cd other && psc_frontend --lockstep --app ./lu --phase ssor.f:109 --json lu.json --no-psc -- 12 40 >out 2>../err.other)
}
check "a second analysis at the same time" analyse_other
wait $!
check "ends as the first" test $? = 0
if grep -q 'not calibrated: not enough memory' err*; then
	for what in "one of the two says in a line that it measures" "both use it" "it is valid" "the program's output is its own" \
		"the next analysis measures nothing" "it is measured again for another processor"; do
		skip "$what" "not enough memory"
	done
	exit
fi
check "one of the two says in a line that it measures" lines 1
both() { costs measured && grep -q '"costs_source": "measured' other/lu.json; }
check "both use it" both
check "it is valid" psc_machine --check "$file"
rm -f err.other
unmarked
cp "$file" before
kept() { analyse && lines 0 && ! again && costs measured && cmp before "$file"; }
check "the next analysis measures nothing" kept
./lu 12 40 | sed 's/Time: .*//' >alone
own() { sed 's/Time: .*//' out | diff alone -; }
check "the program's output is its own" own
sed 's/ processor="[^"]*"/ processor="another one"/' before >"$file"
renewed() { analyse && lines 1 && costs measured && ! grep -q 'another one' "$file"; }
check "it is measured again for another processor" renewed
