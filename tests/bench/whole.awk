# SPDX-License-Identifier: BSD-3-Clause
# Compares rates of misses.  Input: lines of PROGRAM RUN WHOLE BURSTS, the names of files of --export-counts.  Rates are of a
# structure in one place: those of places that differ in their share of the run would not be alike.  Then compares how
# the accesses are divided among structures.  Exit code 1 if fewer than nine in ten rates hold.

function last_level(  l, n) {
	for (l = 1; l <= 9; l++)
		if (column["l" l "_load_miss"])
			n = l
	return n
}
# Splits a line of CSV whose texts may be quoted.
function split_csv(line,  n, quoted, c, i, text) {
	n = 1
	text = ""
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (c == "\"")
			quoted = !quoted
		else if (c == "," && !quoted) {
			cells[n++] = text
			text = ""
		} else
			text = text c
	}
	cells[n] = text
	return n
}
function number(name) { return column[name] ? cells[column[name]] + 0 : 0 }
# A place is told by its function or loop, whose context has another number in another run.
function place() {
	return cells[column["type"]] " " cells[column["name"]] ":" cells[column["line"]]
}
# Adds by times the counts of the row that was split to those of a context and structure.
function add(context, object, by,  i, l) {
	of[context, object] = 1
	own[context, object, "refs"] += by * (number("loads") + number("stores"))
	for (i = 1; i <= 2; i++) {
		l = "l" (i == 1 ? 1 : last)
		own[context, object, i] += by * (number(l "_load_miss") + number(l "_store_miss"))
		if (by > 0)
			own[context, object, i, "error"] += number(l "_load_miss_error") + number(l "_store_miss_error")
	}
}
# Reads a file: rows of a context have the counts of those inside, which are subtracted.
function read_rows(file,  line, n, i, first, context, parent, object) {
	first = 1
	while ((getline line < file) > 0) {
		n = split_csv(line)
		if (first) {
			delete column
			for (i = 1; i <= n; i++)
				column[cells[i]] = i
			last = last_level()
			first = 0
			continue
		}
		context = cells[column["context"]]
		parent = cells[column["parent"]]
		object = cells[column["object"]]
		name[context] = place()
		if (object ~ /^\(|^\*$/)
			continue
		add(context, object, 1)
		add(parent, object, -1)
	}
	close(file)
}
# Counts of a file by place and structure: counts[which, key, ...].
function take(which, file,  pair, at, key, i) {
	delete own
	delete of
	delete name
	read_rows(file)
	for (pair in of) {
		split(pair, at, SUBSEP)
		if (!(at[1] in name))
			continue
		key = name[at[1]] " " at[2]
		counts[which, key, "refs"] += own[pair, "refs"]
		structure[at[2]] = 1
		accesses[which, at[2]] += own[pair, "refs"]
		all[which] += own[pair, "refs"]
		for (i = 1; i <= 2; i++) {
			counts[which, key, i] += own[pair, i]
			counts[which, key, i, "error"] += own[pair, i, "error"]
		}
		if (which == "whole")
			keys[key] = 1
	}
}
function rate(which, key, level) {
	return 100 * counts[which, key, level] / counts[which, key, "refs"]
}
# The share of a structure in the accesses, %.
function share(which, object) { return 100 * accesses[which, object] / all[which] }
# Keeps a line of the accesses that bursts count to the wrong structure, and the structure whose share is most wrong.
function misplace(  object, d, sum, most, wrong) {
	for (object in structure) {
		d = share("bursts", object) - share("whole", object)
		sum += d > 0 ? d : 0
		if ((d < 0 ? -d : d) >= most) {
			most = d < 0 ? -d : d
			wrong = object
		}
	}
	misplaced[++runs] = sprintf("%-8s %2s  %5.1f %%   %s: %.1f, %.1f %%", $1, $2, sum, wrong, share("whole", wrong),
		share("bursts", wrong))
}
# Prints one line; counts what holds.
function compare(key,  level, w, b, e, text, held) {
	text = sprintf("%-8s %2s %-44s %5.1f", $1, $2, substr(key, 1, 44), 100 * counts["whole", key, "refs"] / all["whole"])
	for (level = 1; level <= 2; level++) {
		w = rate("whole", key, level)
		b = rate("bursts", key, level)
		e = 100 * counts["bursts", key, level, "error"] / counts["bursts", key, "refs"]
		near += w - b <= 3 && b - w <= 3
		held = (w - b <= 3 && b - w <= 3) || (w >= b - e && w <= b + e)
		text = text sprintf(" | %6.2f %6.2f +-%5.2f %s", w, b, e, held ? "ok" : "NO")
		total++
		good += held
	}
	print text
}

BEGIN {
	printf "%-8s %2s %-44s %5s | %-25s | %s\n", "program", "", "place and structure", "acc.", "L1: whole, bursts",
		"last level: whole, bursts"
}
{
	delete counts
	delete keys
	delete all
	delete structure
	delete accesses
	take("whole", $3)
	take("bursts", $4)
	misplace()
	n = 0
	for (key in keys)
		if (counts["whole", key, "refs"] > 0.02 * all["whole"] && counts["bursts", key, "refs"] > 0)
			order[++n] = key
	for (i = 2; i <= n; i++)
		for (k = i; k > 1 && counts["whole", order[k], "refs"] > counts["whole", order[k - 1], "refs"]; k--) {
			swap = order[k]
			order[k] = order[k - 1]
			order[k - 1] = swap
		}
	for (i = 1; i <= n; i++)
		compare(order[i])
}
END {
	printf "\nAccesses misplaced; the structure that is most wrong: share in the whole run, by bursts\n"
	for (i = 1; i <= runs; i++)
		print misplaced[i]
	printf "\nRates within 3 points: %d of %d; within 3 points, or the error: %d\n", near, total, good
	exit total == 0 || good < 0.9 * total
}
