# SPDX-License-Identifier: BSD-3-Clause
# From the exported counts of one process to the ranked findings of the paper's properties under the
# paper's strategy, computed independently of the tool: its own tree walk, its own conditions.
#   awk -f recompute.awk counts.csv
# Prints, to be sorted by the first column downwards:
# estimated seconds lost to memory,property,structure or region name,line of the region,severity share,rate
BEGIN { loop["LOOP_REGION"] = loop["WORKSHARE_DO"] = 1; FS = "," }
function unquote(s) { gsub(/^"|"$/, "", s); return s }
NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
{
	c = $col["context"]; o = unquote($col["object"])
	key = c SUBSEP o
	lost[key] = $col["est_stall"]
	refs[key] = $col["loads"] + $col["stores"]
	for (l = 2; l <= 3; l++) {
		rd[l, key] = $col["l" l "_load_miss"]
		wr[l, key] = $col["l" l "_store_miss"]
	}
	if (o == "*") {
		parent[c] = $col["parent"]; type[c] = unquote($col["type"])
		name[c] = unquote($col["name"]); file[c] = unquote($col["file"])
		line[c] = $col["line"]; time[c] = $col["exec_time"]
		if (c + 0 > last) last = c + 0
	} else if (o !~ /^\(/ && !((c, o) in listed)) {
		listed[c, o] = 1
		objects[c] = objects[c] o "\n"
	}
}
# Misses that the property counts: LC2/LC3, all or reads only.
function misses(p, key) { return rd[level[p], key] + (reads[p] ? 0 : wr[level[p], key]) }
function all_misses(p, key) { return rd[level[p], key] + wr[level[p], key] }
function same_nest(c,  a, b) {
	if (parent[c] <= 0 || !loop[type[c]] || !loop[type[parent[c]]]) return 0
	a = c SUBSEP "*"; b = parent[c] SUBSEP "*"
	return refs[a] >= .99 * refs[b] && rd[3, a] + wr[3, a] >= .99 * (rd[3, b] + wr[3, b])
}
function add(p, c, obj, sev, rate, seconds) {
	n++
	f_prop[n] = p; f_obj[n] = obj; f_ctx[n] = c; f_sev[n] = sev / time[0]; f_rate[n] = rate; f_lost[n] = seconds
}
function test_region(p, c,  key) {
	key = c SUBSEP "*"
	return refs[key] > 0 && misses(p, key) / refs[key] > limit[p]
}
function evaluate(p, base,  c, up, key, b, i, k, list, cover, m, r, any, nb, below, sec) {
	for (c = 0; c <= last; c++) {
		held[p, c] = 0
		if (base != "")
			held[p, c] = held[base, c] && test_region(p, c)
		else if (c == 0 || (held[p, parent[c]] && !skipped[c] && time[c] >= .01 * time[0]))
			held[p, c] = test_region(p, c)
	}
	for (c = 0; c <= last; c++) {
		if (!held[p, c]) continue
		nb = 0; cover = 0
		for (b = c + 1; b <= last; b++) {
			if (!held[p, b]) continue
			up = parent[b]
			while (up >= 0 && up != c && !held[p, up]) up = parent[up]
			if (up == c) { below[++nb] = b; cover += all_misses(p, b SUBSEP "*") }
		}
		key = c SUBSEP "*"
		if (nb && cover >= .8 * all_misses(p, key)) continue
		any = 0
		k = split(objects[c], list, "\n")
		for (i = 1; i < k; i++) {
			m = misses(p, c SUBSEP list[i]); r = refs[c, list[i]]; sec = lost[c, list[i]]
			for (b = 1; b <= nb; b++) {
				m -= misses(p, below[b] SUBSEP list[i]); r -= refs[below[b], list[i]]
				sec -= lost[below[b], list[i]]
			}
			if (r > 0 && m / r > limit[p]) {
				add(p, c, list[i], time[c] * m / refs[key], m / r, sec)
				any = 1
			}
		}
		if (!any)
			add(p, c, "", time[c] * misses(p, key) / refs[key], misses(p, key) / refs[key], lost[key])
	}
}
END {
	for (c = 1; c <= last; c++) skipped[c] = same_nest(c)
	level["LC2DMissRate"] = level["LC2DReadMissRate"] = 2
	level["LC3DMissRate"] = level["LC3DReadMissRate"] = 3
	limit["LC2DMissRate"] = limit["LC2DReadMissRate"] = .05
	limit["LC3DMissRate"] = limit["LC3DReadMissRate"] = .02
	reads["LC2DReadMissRate"] = reads["LC3DReadMissRate"] = 1
	evaluate("LC2DMissRate", ""); evaluate("LC2DReadMissRate", "LC2DMissRate")
	evaluate("LC3DMissRate", ""); evaluate("LC3DReadMissRate", "LC3DMissRate")
	for (i = 1; i <= n; i++) {
		printf "%.9g,%s,%s,%d,%.6e,%.6e\n", f_lost[i], f_prop[i], \
			f_obj[i] != "" ? f_obj[i] : name[f_ctx[i]], line[f_ctx[i]], f_sev[i], f_rate[i]
	}
}
