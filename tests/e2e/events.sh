#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Events of the kernel by region: exact counts, experiments as the limits make necessary, and reasons.
. "${srcdir:-.}/tests/e2e/lib.sh"
psc_frontend --list-metrics >metrics 2>&1
grep -q "^  page_faults  *page-faults" metrics || skip_all "no events here: $(grep page_faults metrics)"
plan 17
psc_instrument gcc -O2 -g -fopenmp "$srcdir/tests/e2e/faults.c" -o faults >build.log 2>&1 || skip_all "no program"
cat >faults.asl <<'EOF'
PROPERTY Faults(SeqPerf s) {
	CONDITION: s.event_page_faults >= 1;
	CONFIDENCE: 1;
	SEVERITY: s.event_page_faults / 1000;
	ADVICE: "{s.event_page_faults} pages at {s.region.line}";
}
PROPERTY Minor(SeqPerf s) {
	CONDITION: s.event_minor_faults + s.event_page_faults > 400;
	CONFIDENCE: 1;
	SEVERITY: s.event_minor_faults / 2000;
	ADVICE: "{s.event_minor_faults} minor of {s.event_page_faults} at {s.region.line}";
}
PROPERTY Waits(SeqPerf s) {
	CONDITION: s.event_context_switches > 1000000;
	CONFIDENCE: 1;
	SEVERITY: 0.5;
}
EOF
# faults THREADS OPTIONS...
faults() {
	OMP_NUM_THREADS=$1
	shift
	run 0 --app ./faults --properties ./faults.asl --phase "faults.c:58" --no-what-if "$@"
}
notes() { sed -n '/^Notes/,$p' out | tr '\n' ' ' | tr -s ' '; }

check "events are counted" faults 2 -- 60
# Beside other programs the team waits so long that a region may have less than the 1 % of time that are looked at.
pages() { for number in 37 211 74; do grep -qE "^ *[0-9-]+  $number pages" out || return 1; done; }
for try in 2 3 4; do pages || faults 2 -- 60; done
check "of the region that touches 37 pages, exactly" grep -qE "^ *[0-9-]+  37 pages" out
check "of the region that touches 211, exactly" grep -qE "^ *[0-9-]+  211 pages" out
check "of a team's two threads together, exactly" grep -qE "^ *[0-9-]+  74 pages" out
check "in one experiment" eval 'notes | grep -q "1 experiment: 3 events, 8 at once"'
check "and it says how they were counted" eval 'notes | grep -q "page_faults by page-faults, minor_faults by minor-faults"'

psc_instrument gcc -O2 -g "$srcdir/tests/e2e/fresh_threads.c" -o fresh -lpthread >>build.log 2>&1
check "threads and children of each execution, too" run 0 --app ./fresh --properties ./faults.asl \
	--phase fresh_threads.c:78 --no-what-if
check "of two threads that begin and end there, exactly" grep -qE "^ *[0-9-]+  100 pages" out

# What is counted at once must not change what is found.  One thread: its simulated counts never vary.
findings() { sed -n '/^Advice/,/^$/p' out; sed -n '/^Search paths/,/^$/p' out; }
check "with one thread" faults 1 -- 60
findings >many
check "with one counter it takes three experiments" faults 1 --counters 1 -- 600
findings >one
check "and it says why" eval 'notes | grep -q "3 experiments: 3 events, 1 counter at once; a property reads more than fit"'
check "one counter finds what many find" eval '[ -s one ] && diff many one'

# Reasons.
check "with few file descriptors the program runs on" eval '(ulimit -n 199 && faults 2 -- 60)'
cat >ipc.asl <<'EOF'
PROPERTY Slow(SeqPerf s) {
	CONDITION: s.event_instructions / s.event_cycles < 100;
	CONFIDENCE: 1;
	SEVERITY: 0.5;
}
EOF
check "a property of counters" run 0 --app ./faults --properties ./ipc.asl --phase "faults.c:58" -- 60
if grep -q "^  instructions  *not measured" metrics; then
	check "is undecided where there are none" eval 'notes | grep -q "events that were not measured: .*instructions: .*not supported"'
else
	check "is decided where there are" eval 'notes | grep -q "instructions by"'
fi
check "--list-metrics names the event of a metric" grep -q "^  minor_faults  *minor-faults  *type 1, config 0x5" metrics
check "--doctor says it in a line" eval 'psc_frontend --doctor | grep -qE "^  perf +available +[0-9]+ of [0-9]+ metrics"'
