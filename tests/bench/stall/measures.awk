# SPDX-License-Identifier: BSD-3-Clause
# Errors, ranks and limits of the tables of bench-stall and bench-bursts.

function missing(x) { return x == "-" || x == "" }
function size(x) { return x < 0 ? -x : x }
function above0(x) { return x > 0 ? x : 0 }
function cut(x) { return x > 1 ? 1 : x }
function cell(x) { return missing(x) ? "    -" : sprintf("%5.2f", x) }

# Ranks of v[1..n], equal values share theirs.
function rank(v, n, r,  i, j, below, equal) {
	for (i = 1; i <= n; i++) {
		below = equal = 0
		for (j = 1; j <= n; j++) {
			below += v[j] < v[i]
			equal += v[j] == v[i]
		}
		r[i] = below + (equal + 1) / 2
	}
}
function correlation(x, y, n,  i, sx, sy, xx, yy, xy) {
	for (i = 1; i <= n; i++) {
		sx += x[i]; sy += y[i]
	}
	for (i = 1; i <= n; i++) {
		xx += (x[i] - sx / n) ^ 2
		yy += (y[i] - sy / n) ^ 2
		xy += (x[i] - sx / n) * (y[i] - sy / n)
	}
	return xx * yy > 0 ? xy / sqrt(xx * yy) : "-"
}
function spearman(x, y, n,  rx, ry) {
	rank(x, n, rx)
	rank(y, n, ry)
	return correlation(rx, ry, n)
}
function mean_error(x, y, n,  i, sum) {
	for (i = 1; i <= n; i++)
		sum += size(x[i] - y[i])
	return n ? sum / n : "-"
}
# least: a bound from below, else from above
function limit(what, value, bound, least,  held) {
	held = !missing(value) && (least ? value >= bound : size(value) <= bound)
	printf "%-46s %6s  %s %-5s %s\n", what, cell(value), (least ? "at least" : "at most "), bound,
		(held ? "PASS" : "FAIL")
	if (!held)
		missed = 1
}
