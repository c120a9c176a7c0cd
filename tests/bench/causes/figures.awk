# SPDX-License-Identifier: BSD-3-Clause
# What an analysis says of a program of causes.def.  Input: the JSON form of a report; -v causes=, place=, data=: the
# columns of causes.def.  Output, separated by tabs, - where there is none:
#   the first cause, 1 if it is a right one, 1 if its place and data are, its place, its data, what the right cause costs,
#   the least and the most that its change saves (1 where that is open above); costs and savings as shares of the phase's processor time

# The value of a member, without quotes; - for null and where there is none.
function value(text, key,  at, rest) {
	at = index(text, "\"" key "\": ")
	if (!at)
		return "-"
	rest = substr(text, at + length(key) + 4)
	if (rest ~ /^"/) {
		rest = substr(rest, 2)
		sub(/".*/, "", rest)
	} else {
		sub(/[],}\n].*/, "", rest)
	}
	return rest == "null" || rest == "" ? "-" : rest
}
function part(key,  v) {
	v = value(phase, key)
	return v == "-" ? 0 : v + 0
}
# True: one of the words, between slashes, is an element of the list, between separators.
function has(list, separator, words,  i, k, n, m, word, item) {
	n = split(words, word, "/")
	m = split(list, item, separator)
	for (i = 1; i <= n; i++)
		for (k = 1; k <= m; k++)
			if (item[k] == word[i])
				return 1
	return 0
}
function allowed(words, item) {
	return words == "-" || has(item, ", ", words) || (words ~ /\/-$/ && item == "-")
}
# The names of a problem's structures, "a, b".
function names(text,  list) {
	text = substr(text, index(text, "\"structures\": ["))
	while (match(text, /"name": "[^"]*"/)) {
		list = list (list ? ", " : "") substr(text, RSTART + 9, RLENGTH - 10)
		text = substr(text, RSTART + RLENGTH)
	}
	return list == "" ? "-" : list
}
function place_right(i) {
	return (place == "-" || has(path[i], "( > )|( [^ ]*:[0-9]*)", place)) && allowed(data, structures[i])
}
# A part of the processor time that comes first: no other and no problem is greater.
function leads(time,  i, n, key) {
	n = split("est_stall computing_time library_time branch_time unexplained_time", key, " ")
	for (i = 1; i <= n; i++)
		if (part(key[i]) > time)
			return 0
	return time > 0 && part("kernel_time") - part("fault_time") <= time && time > share[1] * base
}
function say(cause, right, at, where, what, cost, low, high) {
	print cause, right, at, where, what, cost, low, high
}
function say_part(time, cause, where) {
	say(cause, 1, 1, where, "-", time / base, "-", "-")
	done = 1
}

{ all = all $0 "\n" }
END {
	OFS = "\t"
	phase = substr(all, index(all, "\n  \"phase\": {"))
	sub(/\n  "notes".*/, "", phase)
	base = part("cpu_time")
	text = substr(all, index(all, "\n  \"problems\": ["))
	text = substr(text, 1, index(text, "\n  \"findings\": [") - 1)
	count = split(text, problem, /\n    \{"number": /) - 1
	for (i = 1; i <= count; i++) {
		kind[i] = value(problem[i + 1], "kind")
		share[i] = value(problem[i + 1], "share")
		path[i] = value(problem[i + 1], "path")
		structures[i] = names(problem[i + 1])
		gsub(/ /, "-", kind[i])
	}
	n = split(causes, cause, "/")
	for (i = 1; i <= n && !done; i++) {
		if (cause[i] ~ /^library:/ && has(value(phase, "library_calls"), ", ", substr(cause[i], 9)) &&
		    leads(part("library_time")))
			say_part(part("library_time"), "library", value(phase, "library_calls"))
		else if (cause[i] ~ /^math:/ && has(value(phase, "math_calls"), ", ", substr(cause[i], 6)) &&
		    leads(part("computing_time")))
			say_part(part("computing_time"), "math", value(phase, "math_calls"))
		else if (cause[i] == "kernel" && !has(kind[1], " ", causes) &&
		    leads(part("kernel_time") - part("fault_time")))
			say_part(part("kernel_time") - part("fault_time"), "kernel", "-")
	}
	if (done)
		exit
	for (right = 1; right <= count && !has(kind[right], " ", causes); right++)
		;
	if (!count)
		say("-", 0, 0, "-", "-", 0, "-", "-")
	else
		say(kind[1], right == 1, place_right(1), path[1], structures[1], right <= count ? share[right] : 0,
			value(problem[2], "saves_low"),
			value(problem[2], "saves_more") == "true" ? 1 : value(problem[2], "saves_high"))
}
