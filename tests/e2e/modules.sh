#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# examples/modules: which memory channels serve most, and that the tool names the block that makes them.
. "${srcdir:-.}/tests/e2e/lib.sh"
OMP_NUM_THREADS=2
model=$srcdir/examples/modules/channels.xml

analyse() {
	run 0 --max-runs 3 --machine "$2" --app "./$1" --psc "$1.psc" --timeline-csv "$1.csv" && psc_report --ascii --portal modules "$1.psc" >"$1.txt"
}
# sum PROGRAM STRUCTURE COLUMN...: of --timeline-csv
sum() {
	awk -F, -v s="$2" -v of="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ of) at[i] = 1; else if ($i == "structure") name = i }
		NR > 1 && (s == "" || $name == s) { for (i in at) n += $i } END { print n + 0 }' "$1.csv"
}
# reads all of the claim, which is wrapped
says() { tr '\n' ' ' <"$1.txt" | grep -q "$2"; }
# all misses of known class have a channel
all_have_channels() {
	channels=$(sum "$1" "" "_channel[0-9]+$") misses=$(sum "$1" "" "^l1_miss$") shared=$(sum "$1" "" "^coherent$")
	echo "$channels of $misses misses have a channel, $shared are coherence misses"
	[ "$channels" -gt 100000 ] && [ "$channels" -le "$misses" ] && [ "$channels" -ge $((misses - shared)) ]
}

# predicted PROGRAM THREADS: lines from memory
predicted() {
	psc_report --json "$1.psc" | awk -v n="$2" 'index($0, "\"threads\": " n ", \"claim\"") { here = 1 }
		here && match($0, /"lines": \[[0-9]+/) { print substr($0, RSTART + 10, RLENGTH - 10); exit }'
}
# of a stream with two threads, the lines that four have, to a fiftieth
predicts() {
	psc_instrument gcc -O2 -g -fopenmp "$srcdir/tests/bench/nodes/stream.c" -o stream >build.log 2>&1 &&
		analyse stream "$srcdir/tests/bench/nodes/eight.xml" || return 1
	lines=$(predicted stream 4)
	OMP_NUM_THREADS=4 analyse stream "$srcdir/tests/bench/nodes/eight.xml" || return 1
	counted=$(sum stream "" "^l2_miss$")
	echo "$lines lines predicted for 4 threads, $counted counted"
	[ "$counted" -gt 10000 ] && [ $((50 * lines)) -gt $((49 * counted)) ] && [ $((50 * lines)) -lt $((51 * counted)) ]
}

# with two threads: the table that one thread has made is fetched from its node by all threads
property_predicts() {
	psc_instrument gcc -O2 -g -fopenmp "$srcdir/tests/bench/nodes/table.c" -o table >build.log 2>&1 &&
		OMP_NUM_THREADS=2 run 0 --max-runs 3 --properties scaling --machine "$srcdir/tests/bench/nodes/eight.xml" \
			--app ./table --csv table.csv || return 1
	cat table.csv
	[ "$(awk -F, 'NR > 1 { print $2, $16 }' table.csv)" = "BusyNodeAhead table" ] &&
		tr "\n" " " <out | tr -s " " | grep -q "with 16 threads node 0 would serve 8[0-9]*%"
}

plan 11
make -s -f "$srcdir/examples/modules/Makefile" CC="psc_instrument gcc" >build.log 2>&1
check "both programs are analysed" eval 'analyse multiply "$model" && analyse strassen "$model"'
check "multiply uses all channels alike" says multiply "no channel serves more than 1.25 times the mean of all 64"
check "it reads b more often than a, whose element it keeps" eval \
	'echo "$(sum multiply b ^loads$) $(sum multiply a ^loads$)"; [ "$(sum multiply b ^loads$)" -gt "$(sum multiply a ^loads$)" ]'
check "Strassen's channels are uneven, and zero makes most of it" says strassen "zero makes [6-9][0-9]% of the difference"
check "zero is a hundredth of a, and uses four or five of 64 channels" eval \
	'n=$(grep "^zero" strassen.txt | cut -c15- | tr -d ".\n" | wc -c); echo "$n channels"; [ "$n" -ge 4 ] && [ "$n" -le 5 ]'
check "every line from memory has a channel" all_have_channels multiply
check "in Strassen, too" all_have_channels strassen
sed 's/channels="64"/channels="6"/' "$model" >six.xml
check "channels that the page does not tell are not invented" eval \
	'! analyse multiply six.xml && psc_report --portal modules multiply.psc 2>&1 |
		grep -q "which of the model.s channels serves a line is not known" && ! grep -q _channel multiply.csv'
check "the columns sum to the table" psc_frontend --doctor --max-runs 3 --machine "$model" --app ./strassen
check "lines with four threads are predicted from two" predicts
check "a property predicts the node that all would wait for" property_predicts
