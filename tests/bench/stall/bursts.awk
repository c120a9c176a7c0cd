# SPDX-License-Identifier: BSD-3-Clause
# The table of bench-bursts and its summary.  Goes behind measures.awk.  Input, a line for each kernel and version, times in
# seconds, - where there is none:
#   KERNEL, VERSION, steps analysed, a step of the bad, the fixed, the cached version (medians),
#   of the analysis: processor time, estimate, low, high;
#   of the plugin: a step of the bad and of the cached version; time and estimate of the bad one
# What a version loses: the time that its steps take beyond as many of the cached version, as a share of the analysed run.
# The cached version loses nothing.  The fixed version's code is another one than the cached version's: its loss is rough.
# A range from below 5 % to above 85 % is "not known", as reports have it, and in no mean.
# Exit code 1 if a limit is missed.

function lost(step, cached, steps, time) {
	return steps * above0(step - cached) / (time > steps * step ? time : steps * step)
}
function keep(version, t, e) {
	m[version]++
	truths[version, m[version]] = t
	estimates[version, m[version]] = e
	all++
	all_true[all] = t
	all_estimate[all] = e
}
function list_of(from, version, to,  i) {
	for (i = 1; i <= m[version]; i++)
		to[i] = from[version, i]
	return m[version]
}

BEGIN {
	print "Shares of processor time lost to memory: true, estimate, low-high"
	printf "%-9s | %-21s | %-21s | %-21s | %s\n", "kernel", "bad", "fixed", "cached", "bad, by the plugin"
}
NF != 14 { print "bench-bursts: a line of " NF " figures: " $0; missed = 1; next }
{
	if ($1 != last) {
		if (last)
			print line plugin
		line = sprintf("%-9s", $1)
		plugin = missing($14) ? " |     -     -" : sprintf(" | %5.2f %5.2f", above0(1 - $12 / $11), $14 / $13)
		last = $1
		if (!missing($14)) {
			p++
			plugin_true[p] = above0(1 - $12 / $11)
			plugin_estimate[p] = $14 / $13
		}
	}
	step["bad"] = $4
	step["fixed"] = $5
	step["cached"] = $6
	t = lost(step[$2], $6, $3, $7)
	if (missing($8)) {
		line = line sprintf(" | %5.2f     -          ", t)
		without++
		next
	}
	if ($9 / $7 < 0.05 && $10 / $7 > 0.85) {
		line = line sprintf(" | %5.2f not known      ", t)
		unknown++
		next
	}
	keep($2, t, $8 / $7)
	inside += $9 / $7 - 0.03 <= t && t <= $10 / $7 + 0.03
	line = line sprintf(" | %5.2f %5.2f %.2f-%.2f", t, $8 / $7, $9 / $7, $10 / $7)
}
END {
	if (last)
		print line plugin
	print ""
	for (i = 1; i <= split("bad fixed cached", versions, " "); i++) {
		n = list_of(truths, versions[i], x)
		list_of(estimates, versions[i], y)
		printf "%-46s %6s of %d\n", versions[i] ": mean error", cell(mean_error(x, y, n)), n
		if (versions[i] == "bad" && n > 1)
			printf "%-46s %6s\n", "bad: rank correlation", cell(spearman(x, y, n))
	}
	if (p)
		printf "%-46s %6s of %d\n", "bad, by the plugin: mean error", cell(mean_error(plugin_true, plugin_estimate, p)), p
	limit("all versions: mean error", mean_error(all_true, all_estimate, all), 0.2)
	if (all > 1)
		limit("all versions: rank correlation", spearman(all_true, all_estimate, all), 0.7, 1)
	printf "%-46s %6s\n", "true share within low - 0.03, high + 0.03", cell(all ? inside / all : "-")
	limit("not known, of all", unknown / (all + unknown + without), 0.1)
	if (without) {
		printf "%-46s %6d  FAIL\n", "analyses without an estimate", without
		missed = 1
	}
	exit missed
}
