# SPDX-License-Identifier: BSD-3-Clause
# What a program expects (its lines `expect …`) against what simrun printed: see README.md.
#     awk -v level=O2 -v machine=small -v cpus=4 -v nodes=1 [-v lossy=1] [-v repairs=1] -f compare.awk SIMRUN-OUTPUT PROGRAM-OUTPUT
# One line for each expectation that counts here; status 1 when one does not hold.
{ file = FILENAME == ARGV[1] ? 1 : 2 }  # which may be empty

file == 1 && /^request/ {
	for (i = 2; i <= NF; i++) {
		split($i, kv, "=")
		request[kv[1]] = kv[2]
	}
}

function add(object, key, value) { sum[object, key] += value; sum["total", key] += value }

file == 1 && /^count/ {
	object = $3
	sub(/^object=/, "", object)
	sub(/.*:/, "", object)
	known[object] = known["total"] = 1
	context = $2
	if (gsub("/", "/", context) + 1 > depth[object])
		depth[object] = gsub("/", "/", context) + 1
	for (i = 4; i <= NF; i++) {
		eq = index($i, "=")
		key = substr($i, 1, eq - 1)
		value = substr($i, eq + 1)
		if ((key == "false" || key == "true") && split(value, two, "/") == 2) {
			add(object, key "_sharing", two[1] + two[2])
		} else if (key == "served" && nodes > 1) {
			for (k = split(value, served, ","); k > 0; k--)
				add(object, k - 1 == node ? "local" : "remote", served[k])
		} else if (key == "thread") {
			node = int(value % cpus / (cpus / nodes))
		} else if (key ~ /^m[0-9]+$/ && split(value, two, "/") == 2) {
			level_of = substr(key, 2)
			add(object, "load_miss" level_of, two[1])
			add(object, "store_miss" level_of, two[2])
			add(object, "miss" level_of, two[1] + two[2])
		} else if (key ~ /^f[0-9]+$/) {
			add(object, "fetched" substr(key, 2), value)
		} else {
			add(object, key, value)
			if (key == "loads" || key == "stores")
				add(object, "refs", value)
		}
	}
}

# A structure may be counted under another of its names.
file == 1 && /^alias/ {
	name = $2
	sub(/^name=/, "", name)
	object = $NF
	sub(/^object=/, "", object)
	sub(/.*:/, "", object)
	other[name] = object
}

file == 1 { next }

FNR == 1 {
	n = request["executions"]
	if (request["state"] != "done" || n + 0 == 0 || (request["lost"] + 0 && !lossy) ||
	    (request["unhandled"] + 0 && !repairs)) {
		bad("state " request["state"] ", executions " n ", lost " request["lost"] \
			", unhandled " request["unhandled"])
		exit
	}
}

# expect OBJECT METRIC [LEVEL] (= N | in LO HI) [on MACHINE...] [at LEVEL...] [todo]
$1 == "expect" && $2 != "worst" {
	object = $2
	if (!(object in known) && object in other)
		object = other[object]
	metric = $3
	i = 4
	number = ""
	if ($i ~ /^[0-9]+$/)
		number = $(i++)
	if ($i == "=") {
		lo = hi = $(i + 1)
		i += 2
	} else if ($i == "in") {
		lo = $(i + 1)
		hi = $(i + 2)
		i += 3
	} else {
		bad($0 ": not understood")
		next
	}
	wanted = 1
	todo = $NF == "todo"
	if (todo)
		NF--
	while ($i == "on" || $i == "at") {
		word = $(i++)
		found = 0
		for (; i <= NF && $i != "on" && $i != "at"; i++)
			if ($i == (word == "on" ? machine : level))
				found = 1
		if (!found)
			wanted = 0
	}
	if (i <= NF) {
		bad($0 ": not understood")
		next
	}
	expectations++
	if (!wanted)
		next
	if (metric == "depth") {
		value = depth[object] + 0
		if (value < lo - 0 || value > hi + 0)
			verdict($0 ": " value)
		else
			print "good " $0
		next
	}
	if (metric ~ /^(local|remote)$/ && sum[object, "unplaced"] > 0) {
		print "skip " object " " metric
		next
	}
	told = (object, metric number) in sum
	value = sum[object, metric number] / n
	if (!(object in known) && (hi != 0 || metric !~ /^(loads|stores|refs|bytes)$/))
		verdict($0 ": nothing was counted for it")
	else if (object in known && !told)
		verdict($0 ": not reported")
	else if (value < lo - 0 || value > hi + 0)
		verdict($0 ": " value)
	else
		print "good " $0
}
function bad(text) { print "bad " text; failed = 1 }
function verdict(text) { if (todo) print "todo " text; else bad(text) }

END {
	if (!failed && !expectations)
		bad("the program expects nothing")
	exit failed
}
