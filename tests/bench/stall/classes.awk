# SPDX-License-Identifier: BSD-3-Clause
# From --export-counts: the share of class `wanted` in the first-level misses of `structure` in the phase (*: of all), and
# the misses by class.  irregular: what is neither stream nor strided.  -: no such columns or no such structure.
BEGIN { FS = "," }
NR == 1 {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	nclasses = split("stream strided branch control chained", class, " ")
	next
}
column["l1_stream_load"] && $column["parent"] == -1 && $column["object"] == structure {
	for (i = 1; i <= nclasses; i++)
		count[class[i]] += $column["l1_" class[i] "_load"] + $column["l1_" class[i] "_store"]
	all += $column["l1_load_miss"] + $column["l1_store_miss"]
}
END {
	count["irregular"] = all - count["stream"] - count["strided"]
	printf "%s %d", (all > 0 ? count[wanted] / all : "-"), all
	for (i = 1; i <= nclasses; i++)
		printf " %d", count[class[i]]
	print ""
}
