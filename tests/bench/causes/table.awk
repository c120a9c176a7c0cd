# SPDX-License-Identifier: BSD-3-Clause
# The table of bench-causes and its summary.  Input, separated by tabs, a line for each program: its name, its right
# causes, a step of the bad and of the fixed version in seconds (medians), and what figures.awk says.
# Exit code 1 if a limit is missed.

function missing(x) { return x == "-" || x == "" }
function percent(x) { return missing(x) ? "-" : sprintf("%.0f", 100 * x) }
function limit(what, value, bound, text,  held) {
	held = value >= bound
	printf "%-52s %6s  %s  %s\n", what, text, (bound == 1 ? "all" : "at least " bound), held ? "PASS" : "FAIL"
	if (!held)
		missed = 1
}

BEGIN {
	FS = "\t"
	print "Shares of the bad version's processor time, in percent"
	print "program    true  SAVES    in  cost said/true  first cause      right  place  of"
}
NF != 12 { print "bench-causes: a line of " NF " figures: " $0; missed = 1; next }
{
	gain = 1 - $4 / $3
	n++
	right += $6
	placed += $7
	ratio = gain > 0.02 ? $10 / gain : 1
	whole += ratio >= 0.5
	range = "-"
	inside = "-"
	if ($2 !~ /^(library|math|system-calls)/) {
		saving++
		inside = !missing($11) && gain >= $11 - 0.005 && gain <= $12 + 0.005
		held += inside
		if (!missing($11))
			range = percent($11) "-" percent($12)
		inside = inside ? "yes" : "no"
	}
	printf "%-9s %5s %7s %5s  %8.0f  %6.2f  %-16s %-5s  %-5s  %s\n", $1, percent(gain), range, inside, 100 * $10, ratio,
		$5, $6 ? "yes" : "NO", $7 ? "yes" : "no", $9 (missing($8) ? "" : ": " $8)
}
END {
	printf "\nOf %d programs\n", n
	limit("right cause first", n ? right / n : 0, 1, right "/" n)
	limit("what the cause costs, at least half of the true gain", n ? whole / n : 0, 1, whole "/" n)
	if (saving)
		limit("true gain within SAVES", held / saving, 0.8, held "/" saving)
	printf "%-52s %6s\n", "place and data right", placed "/" n
	exit missed
}
