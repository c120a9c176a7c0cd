# SPDX-License-Identifier: BSD-3-Clause
# The table of bench-stall and its summary.  Input, a line for each kernel, times in seconds, - where there is none:
#   KERNEL, a step of the bad, the fixed, the cached version (medians),
#   of the analysis of the bad version: time, estimate, low, high, memory time, sum of latencies; of the fixed one: the same
# Exit code 1 if a limit is missed.  Goes behind measures.awk.

function worst_error(x, y, n,  i, worst) {
	for (i = 1; i <= n; i++)
		if (size(x[i] - y[i]) >= size(worst)) {
			worst = x[i] - y[i]
			worst_kernel = name[i]
		}
	return n ? worst : "-"
}
BEGIN {
	print "Shares of the bad version's processor time"
	print "kernel     true today   est   low-high  |  gain predicted"
}
NF != 16 { print "bench-stall: a line of " NF " figures: " $0; missed = 1; next }
{
	bad = $2; fixed = $3; cached = $4
	t = 1 - cached / bad
	g = 1 - fixed / bad
	old = missing($10) ? "-" : cut($10 / $5)
	est = low = high = predicted = "-"
	if (!missing($6)) {
		n++
		name[n] = $1
		true_share[n] = t
		gain[n] = g
		estimate[n] = est = $6 / $5
		low = $7 / $5
		high = $8 / $5
		inside += low - 0.03 <= t && t <= high + 0.03
		left = missing($15) ? $12 : $15
		predicted_gain[n] = predicted = $9 > 0 ? above0($6 * (1 - left / $9)) / $5 : 0
	}
	if (!missing(old)) {
		m++
		old_share[m] = old
		old_true[m] = t
	}
	if ($1 == "heat" && !missing($6) && !missing($12)) {
		heat_gain = est - g
		heat_left = $12 / $11 - above0(1 - cached / fixed)
	}
	printf "%-9s %s %s %s  %-9s | %s     %s\n", $1, cell(t), cell(old), cell(est),
		(missing(high) ? "        -" : sprintf("%.2f-%.2f", low, high)), cell(g), cell(predicted)
}
END {
	printf "\nOf %d kernels; today: the sum of all misses' latencies, cut at 1\n", n
	printf "%-46s %6s\n", "today: mean error", cell(mean_error(old_share, old_true, m))
	printf "%-46s %6s\n", "today: rank correlation", cell(m > 1 ? spearman(old_share, old_true, m) : "-")
	if (n < NR) {
		printf "%-46s %6d  FAIL\n", "kernels without an estimate", NR - n
		missed = 1
	}
	limit("estimate: mean error", mean_error(estimate, true_share, n), 0.15)
	if (n > 1)
		limit("estimate: rank correlation", spearman(estimate, true_share, n), 0.7, 1)
	worst = worst_error(estimate, true_share, n)
	limit("estimate: worst error" (n ? " (" worst_kernel ")" : ""), worst, 0.40)
	limit("true share within low - 0.03, high + 0.03", n ? inside / n : "-", 0.80, 1)
	limit("gain of the fix: mean error", mean_error(predicted_gain, gain, n), 0.15)
	if (heat_gain != "") {
		limit("heat: estimate less the real gain", heat_gain, 0.15)
		limit("heat, fixed: estimate less what is lost", heat_left, 0.15)
	}
	exit missed
}
