#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --max-slowdown: counts from slices of an execution are compared with those of the whole.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 43
# Checks of each record take several times as long as recording it.
unset PSC_CHECK

for p in sparse planes uneven; do
	cp "$srcdir/tests/e2e/$p.c" .
	psc_instrument gcc -O2 -g -o $p $p.c >build.log 2>&1 || { echo "Bail out! $p.c does not build"; exit 1; }
done
psc_instrument gcc -O2 -g -fopenmp -o team sparse.c || { echo "Bail out! sparse.c does not build"; exit 1; }
build_lu .
line() { echo "$1:$(grep -n "$2" "$1" | cut -d: -f1)"; }
flat() { tr '\n' ' ' <"$1" | tr -s ' '; }
says() { flat "$1" | grep -q "$2"; }
user_time() { times | awk 'NR == 2 { split($1, t, /[ms]/); print 60 * t[1] + t[2] }'; }

# compare FULL SLICED SHARE: miss rates of contexts and structures with more than 1 % of the accesses lie within the
# stated error, in that share of the rows at least.  Contexts lie in each other, so a bad draw is in many rows.
compare() {
	awk -F, -v share="$3" '
	FNR == 1 { split("", col); n = split($0, head); for (i = 1; i <= n; i++) col[head[i]] = i; file++; next }
	$8 == "(work)" { next }
	{ key = $2 SUBSEP $4 SUBSEP $5 SUBSEP $7 SUBSEP $8; refs = $col["loads"] + $col["stores"] }
	file == 1 { if ($2 == 0 && $8 == "*") all = refs; size[key] = refs }
	{ for (i = 1; i <= n; i++) if (head[i] ~ /^l[0-9]_(load|store)_miss$/) {
		x = $i + 0
		if (file == 1) { miss[key, head[i]] = x; if ($2 == 0 && $8 == "*") total[head[i]] = x; continue }
		if (size[key] < 0.01 * all || miss[key, head[i]] < 0.002 * total[head[i]]) continue
		rows++
		if (refs == 0) continue
		d = x / refs - miss[key, head[i]] / size[key]
		within += (d < 0 ? -d : d) <= $col[head[i] "_error"] / refs } }
	END { printf "%d of %d rows are within their errors\n", within, rows; exit !(rows >= 20 && within >= share * rows) }' "$1" "$2"
}
# rows FULL LABEL SHARE WITH...: compares; on a busy machine slices are few, and a draw of few may be bad, so one of five
# analyses must agree, each with a larger limit: the same number of slices is the same draw
rows() {
	full=$1 label=$2 share=$3
	shift 3
	limit_asked=$1
	shift
	for try in 1 2 3 4; do
		compare "$full.counts" "$label.counts" "$share" >/dev/null && break
		more=$(echo "$limit_asked" | awk -v try=$try '{
			unit = $1; gsub(/[0-9.]/, "", unit); print $1 * (1 + try / 8) unit }')
		with "$label" "$more" "$@" >/dev/null
	done
	few=$(flat "$label.out" | sed -n 's/.*counted in \([1-9]\) slices.*/\1/p')
	if [ -n "$few" ] && ! compare "$full.counts" "$label.counts" "$share" >check.out; then
		skip "rates of misses are within what is stated" "the machine was so busy that there were $few slices"
	else
		check "rates of misses are within what is stated" compare "$full.counts" "$label.counts" "$share"
	fi
	sed 's/^/# /' check.out
}
# with NAME LIMIT PROGRAM PHASE ARGUMENT
with() {
	label=$1 limit=$2 program=$3 phase=$4 argument=$5
	run 0 --app "./$program" --phase "$phase" --machine itanium2 --top 0 --no-psc --max-slowdown "$limit" \
		--json $label.json --export-counts $label.counts -- "$argument" && cp out $label.out && cp err $label.err
}

sparse=$(line sparse.c 's < STEPS')
check "a sparse matrix in full" with full none sparse "$sparse" 150
check "says nothing of slices" sh -c '! grep -iq "sampled\|slice" full.out full.err'
before=$(user_time)
./sparse 150 >plain.out
plain=$(user_time)
check "the same in slices" with sliced 8x sparse "$sparse" 150
after=$(user_time)
check "the program prints the same" grep -qxFf plain.out sliced.out
# Beside the program: agents, a native execution with markers, and what cannot end in time.
check "it takes what it may take" sh -c "echo $before $plain $after | awk '{ print; exit !(\$3 - \$2 - (\$2 - \$1) < 2) }'"
check "what it will take is said beforehand" says sliced.err "next, slices of 1 execution .* will be counted, which takes [0-9.]* m\\?s more"
check "the report says how many slices" says sliced.out "Sampled counted in [0-9]* slices, [0-9.]* % of the execution, error +-[0-9.]* %"
check "rates have errors beside them" grep -q "time *rate *+- *memory" sliced.out
check "JSON has the share" grep -q '"sample_share": 0\.[0-9]' sliced.json
rows full sliced 0.8 8x sparse "$sparse" 150

planes=$(line planes.c 's < STEPS')
check "planes in full" with full none planes "$planes" 210
check "in slices" with one 0.4s planes "$planes" 210
rows full one 0.8 0.4s planes "$planes" 210
check "once more" with two 0.4s planes "$planes" 210
# Columns of counts only: times and the estimates made from them differ.
counts() { cut -d, -f1-8,10-54 "$1"; }
counts one.counts >one.columns
counts two.counts >two.columns
# Their number goes by the times that were measured.
slices_of() { flat "$1" | sed 's/.*\(counted in [0-9]* slices\).*/\1/'; }
if grep -q "some were left out" one.out two.out; then
	ok "slices are the same again # SKIP the machine was too slow to count all of them"
elif [ "$(slices_of one.out)" != "$(slices_of two.out)" ]; then
	ok "slices are the same again # SKIP by the times there were others: $(slices_of one.out), $(slices_of two.out)"
else
	check "slices are the same again" cmp one.columns two.columns
fi
check "a limit that suffices for all of it" with full 1000x planes "$planes" 60
check "needs no slices" sh -c '! grep -q Sampled full.out'

check "a subroutine as the phase, with a factor" with sub 10x sparse "$(line sparse.c 'double step(void)')" 150
check "is counted in slices" says sub.out "Sampled counted in [0-9]* slices"
check "without warm-up executions nothing is known of them" run 0 --app ./planes --phase "$planes" --machine itanium2 \
	--no-psc --warm 0 --max-slowdown 0.1s -- 100
check "so all is recorded" sh -c '! grep -q Sampled out'

check "LU in full" with full none lu ssor.f:109 48
check "in slices" with sliced 10x lu ssor.f:109 48
rows full sliced 0.8 10x lu ssor.f:109 48

uneven=$(line uneven.c 'the phase') own=${uneven#*:}
check "executions with hardly an access" with few 0.1s uneven "$uneven" few
check "are recorded in full" says few.out "recorded in full, beyond --max-slowdown: .* too few accesses"
check "an execution far longer than the one before" with grows 0.1s uneven "$uneven" grows
check "a plain loop, where no slice can begin" with own 8x uneven "$uneven" own
check "is named" says own.out "of the phase's processor time were in no slice, the longest of them .*uneven.c, $own"
short() { psc_frontend --app ./uneven --phase "$uneven" --machine itanium2 --no-psc --max-slowdown 8x -- own >out 2>err; }
short_says() { short && says out "$1"; }
check "in the short report, too" short_says "counts of slices, [0-9.]*% of an execution (--max-slowdown none: all) without [0-9.]*% of the time (-v)"
drawn() { psc_frontend --app ./uneven --phase "$uneven" --machine itanium2 --no-psc --timeline -v --max-slowdown 8x -- own >out 2>err; }
check "a timeline is asked for" drawn
check "why there is none" says out "there is no timeline: executions were counted in slices, and not as a whole"
check "has no more slices than others" sh -c "! grep -q 'counted in [0-9]*[0-9][0-9][0-9] slices' grows.out"

PSC_CHECK=1
OMP_NUM_THREADS=2
export PSC_CHECK
# The threads' order is not the same in all runs, so neither are the counts of the whole: errors do not contain that.
check "two threads in full" with full none team "$sparse" 100
check "in slices" with sliced 15x team "$sparse" 100
check "between teams" says sliced.out "Sampled counted in [0-9]* slices"
rows full sliced 0.5 15x team "$sparse" 100
check "a phase that is one parallel region" with whole 0.001s lu ssor.f:109 16
check "is recorded in full" sh -c '! grep -q Sampled whole.out'
check "and the report says why" says whole.out "recorded in full, beyond --max-slowdown: it has too few calls"
OMP_NUM_THREADS=1

refused() { run 2 --app ./planes --phase "$planes" --max-slowdown "$1" && grep -q "max-slowdown takes .* not '$1'" err; }
check "a number without a unit is refused" refused 60
check "a factor that leaves no time, too" refused 1x
check "nothing is left behind" nothing_left
