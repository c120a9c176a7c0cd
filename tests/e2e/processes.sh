#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An application of two processes: what is folded over them, against the exported figures of the same run.
agents=auto
. "${srcdir:-.}/tests/e2e/lib.sh"
command -v mpicc >/dev/null || skip_all "mpicc is not installed"
if [ "$(id -u)" = 0 ]; then     # Open MPI refuses root unless told twice
	OMPI_ALLOW_RUN_AS_ROOT=1
	OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
fi
source=$srcdir/tests/e2e/processes.c
psc_instrument mpicc -O1 -g "$source" -o app >build.log 2>&1 || skip_all "mpicc does not build a program"
mpirun --oversubscribe -np 2 ./app 1 1 2 >run.log 2>&1 || skip_all "mpirun does not run two processes here"
plan 17

phase=$(grep -n 'the phase' "$source" | cut -d: -f1)
loop=$(grep -n 'r < rounds' "$source" | cut -d: -f1)
# analyse ARGUMENTS...: of two processes; OUT.json, counts.csv, counts.csv.1
analyse() {
	run 0 --app mpirun --phase "processes.c:$phase" --machine x86-server --top 0 --why-not \
		--properties "$srcdir/tests/e2e/processes.asl" "$@" || return 1
	! grep -A 4 'leave out' out
}
# finding PROPERTY LINE KEY [FILE]: of the finding over processes whose place is there
finding() {
	awk -v p="\"property\": \"$1\"" -v line="\"line\": $2," -v key="\"$3\": " '
	/^    {"rank"/ { one = index($0, p) ? $0 : "" }
	one != "" && /^       {/ { last = $0 }
	one != "" && /^     "lines": / && index(last, line) {
		n = index(one, key)
		if (n) { v = substr(one, n + length(key)); sub(/[,}].*/, "", v); print v }
		one = ""
	}' "${4:-f.json}"
}
# exported LINE: of the two processes' region: largest, least, mean, deviation of the time; largest access over mean
exported() {
	grep -h "^[01],.*,LOOP_REGION,.*,$1,\*," counts.csv counts.csv.1 | awk -F, '
	{ t[NR] = $9; s += $9; a = $10 + $11; all += a; if (a > most) most = a }
	END {
		max = t[1] > t[2] ? t[1] : t[2]; min = t[1] > t[2] ? t[2] : t[1]
		printf "%d %.9g %.9g %.9g %.9g %.9g\n", NR, max, min, s / 2, (max - min) / 2, most / (all / 2)
	}'
}
# near A B: equal to the digits that are written
near() {
	case "$1,$2," in ,* | *,, | *nan*) false ;; esac && awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; if (d < 0) d = -d
		exit !(d <= 1e-6 * (b < 0 ? -b : b)) }' || { echo "$1 is not $2"; return 1; }
}

check "the analysis of two processes runs" analyse --psc two.psc --json f.json \
	--export-counts counts.csv \
	-- --oversubscribe -np 2 ./app 40 5 60
exported "$loop" >figures
read -r rows max min mean deviation ratio <figures
check "both processes were exported" test "$rows" = 2
check "one does eight times the other's work: the ratio is that of the accesses" \
	near "$(finding UnevenWork "$loop" measure)" "$ratio"
check "and it is 8 / 4.5" near "$ratio" 1.7777777
check "its severity is largest less least time" \
	near "$(finding UnevenWork "$loop" severity)" "$(echo "$max $min" | awk '{ printf "%.9g", $1 - $2 }')"
check "a sum and a deviation" \
	near "$(finding Sums "$loop" severity)" "$(echo "$mean $deviation" | awk '{ printf "%.9g", $1 + $2 }')"
check "the threads of each process, one here" near "$(finding Teams "$loop" severity)" "$max"
exported "$phase" >whole
check "the share is of the mean phase time" near "$(finding Sums "$loop" severity_share)" \
	"$(echo "$(cat figures) $(cat whole)" | awk '{ printf "%.9g", ($4 + $5) / $10 }')"
check "the report says that it is about both" sh -c \
	"grep -q 'over all 2 processes' out && grep -q '2 of 2 processes are in' out"
check "and so does its .psc file" sh -c "psc_report -v two.psc | grep -q 'over all 2 processes'"
check "what is unknown is undecided, not false" sh -c \
	"grep -q '^Unknown: [0-9]* undecided' out && grep -q 'all processes: lc4_data_miss' out"
check "refinement is where the other holds" sh -c \
	"grep '^UnevenMisses: ' out | grep -q false"

cp f.json all.json
check "one counter at a time finds the same" analyse --no-psc --json f.json --counters 1 --lockstep \
	-- --oversubscribe -np 2 ./app 40 5 60
check "with the same figure" near "$(finding UnevenWork "$loop" measure)" \
	"$(finding UnevenWork "$loop" measure all.json)"

analyse --no-psc --json f.json -- --oversubscribe -np 2 ./app 10 10 60
check "equal work is not uneven" sh -c \
	"[ -z '$(finding UnevenWork "$loop" measure)' ] && grep -q '^UnevenWork: [0-9]* false' out"

run 0 --app ./app --phase "processes.c:$phase" --machine x86-server --psc one.psc --json f.json \
	--properties "$srcdir/tests/e2e/processes.asl" -- 10 10 60
check "one process: the same property, of one" sh -c \
	"[ '$(finding Sums "$loop" over_processes)' = true ] && psc_report -v one.psc | grep -q Sums"

# Open MPI 5 leaves the directory of a process that was started without mpirun: also without us.
mkdir native
mpicc "$source" -o plain && TMPDIR=$PWD/native ./plain 1 1 2 >run.log 2>&1
for left in native/*; do
	rm -rf "$TMPDIR/${left#native/}"
done
check "nothing is left behind" nothing_left
