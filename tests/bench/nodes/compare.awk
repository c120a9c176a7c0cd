# SPDX-License-Identifier: BSD-3-Clause
# compare.awk -v name=PROGRAM -v threads=N FEW.json FEW.csv MANY.csv: what a run with few threads predicts for N, against a
# run with N; the others are their --timeline-csv.  Prints: program, threads, 1000 lines from memory of the run with few,
# as predicted for the nodes, with the range of all, as counted at the nodes; of the busiest node the share as predicted, as counted; the sum of all
# nodes' errors as a share of the lines counted or, if these are more, of the run with few; nodes whose count is in its
# range, with 2 % and 64 lines of it (a page) to spare.
function numbers(text, out) {
	gsub(/[^0-9.,]/, "", text)
	return split(text, out, ",")
}
BEGIN {
	FS = ","
}
FNR == NR {
	if (match($0, /"threads": [0-9]+, "claim"/))
		at = substr($0, RSTART + 11) + 0
	if (at == threads && match($0, /"lines": \[[^]]*\]/))
		numbers(substr($0, RSTART + 9, RLENGTH - 9), all)
	if (at == threads && $0 ~ /^ *"nodes": \[/)
		n = int(numbers(substr($0, index($0, ":")), node) / 3)
	next
}
FNR == 1 {
	run++
	gsub(/\r/, "")
	split("", column)
	for (i = 1; i <= split($0, head, ","); i++)
		if (head[i] ~ /^node[0-9]+$/)
			column[substr(head[i], 5) + 0] = i
	next
}
{
	for (k in column)
		if (run == 1)
			few += $column[k]
		else
			true[k] += $column[k]
}
END {
	busiest = 0
	for (k = 0; k < n; k++)
		sum += true[k]
	if (!n || !few) {
		printf "%s: no prediction for %d threads, or no lines\n", name, threads
		exit 1
	}
	for (k = 0; k < n; k++) {
		off = node[3 * k + 1] - true[k]
		wrong += (off < 0 ? -off : off)
		inside += true[k] >= 0.98 * node[3 * k + 2] - 64 && true[k] <= 1.02 * node[3 * k + 3] + 64
		busiest = node[3 * k + 1] > node[3 * busiest + 1] ? k : busiest
	}
	for (k = 0; k < n; k++)
		known += node[3 * k + 1]
	base = sum > few ? sum : few
	printf "%-10s %3d %8.1f %8.1f (%.1f to %.1f) %8.1f  %5.1f %% %5.1f %%  %5.1f %%  %d of %d\n", name, threads, few / 1e3, known / 1e3,
		all[2] / 1e3, all[3] / 1e3, sum / 1e3, 100 * node[3 * busiest + 1] / (known ? known : 1),
		100 * true[busiest] / (sum ? sum : 1), 100 * wrong / base, inside, n
}
