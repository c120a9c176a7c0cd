# SPDX-License-Identifier: BSD-3-Clause
# prv.awk NAME.pcf NAME.row NAME.prv: is this a trace as Paraver's description of its format has it?  Says each line that is
# not, and ends with 1 then.
#   header  #Paraver (dd/mm/yyyy at hh:mm):END[_ns]:NODES(CPUS[,CPUS..]):APPLICATIONS:TASKS(THREADS:NODE[,THREADS:NODE..])..
#   states  1:CPU:APPLICATION:TASK:THREAD:BEGIN:END:STATE
#   events  2:CPU:APPLICATION:TASK:THREAD:TIME:TYPE:VALUE[:TYPE:VALUE..]
# in the order of their (first) times; all states and event types are in the .pcf, all objects in the .row.
function wrong(what) {
	print FILENAME ":" FNR ": " what ": " substr($0, 1, 100)
	bad = 1
}
function whole(text) {
	return text ~ /^[0-9]+$/
}
function header(  rest, n, i, part, list) {
	if ($0 !~ /^#Paraver \([0-9][0-9]\/[0-9][0-9]\/[0-9][0-9]([0-9][0-9])? at [0-9][0-9]:[0-9][0-9]\):[0-9]+(_ns)?:[0-9]+\([0-9]+(,[0-9]+)*\):[0-9]+(:[0-9]+\([0-9]+:[0-9]+(,[0-9]+:[0-9]+)*\))+$/) {
		wrong("no header of Paraver")
		return
	}
	rest = substr($0, index($0, "):") + 2)
	end = rest + 0
	n = rest
	sub(/^[^:]*:/, "", n)
	nodes = n + 0
	list = substr(n, index(n, "(") + 1)
	for (i = split(substr(list, 1, index(list, ")") - 1), part, ","); i > 0; i--) {
		cpus += part[i]
		listed++
	}
	if (listed != nodes)
		wrong(nodes " nodes, but CPUs of " listed)
	sub(/^[^)]*\):/, "", n)
	applications = n + 0
	sub(/^[0-9]+:/, "", n)
	if (applications != 1)
		wrong("not one application")
	tasks = n + 0
	list = substr(n, index(n, "(") + 1)
	i = split(substr(list, 1, index(list, ")") - 1), part, ",")
	if (i != tasks)
		wrong(tasks " tasks, but threads of " i)
	for (; i > 0; i--) {
		threads[i] = part[i] + 0
		all += part[i]
		sub(/^[^:]*:/, "", part[i])
		if (part[i] < 1 || part[i] > nodes)
			wrong("a task on no node")
	}
}
function object() {
	if ($2 < 1 || $2 > cpus || $3 != 1 || $4 < 1 || $4 > tasks || $5 < 1 || $5 > threads[$4])
		wrong("no such CPU, application, task or thread")
}
function state() {
	if (NF != 8 || !whole($6) || !whole($7) || !whole($8))
		return wrong("no state record")
	if (+$7 <= +$6 || +$7 > end)
		wrong("a state that ends before it begins, or behind the trace")
	if (+$6 < covered[$4, $5])
		wrong("states of a thread overlap")
	if (!($8 in states))
		wrong("a state that the .pcf does not have")
	covered[$4, $5] = +$7
	nstates++
}
function events(  i) {
	if (NF < 8 || NF % 2 || !whole($6) || +$6 > end)
		return wrong("no event record")
	for (i = 7; i < NF; i += 2) {
		if (!whole($i) || $(i + 1) !~ /^-?[0-9]+$/)
			wrong("no event")
		else if (!($i in types))
			wrong("event type " $i " is not in the .pcf")
		else if (types[$i] && !(($i, $(i + 1)) in values))
			wrong("value " $(i + 1) " of type " $i " is not in the .pcf")
		nevents++
	}
}
BEGIN { FS = ":" }
FILENAME ~ /\.pcf$/ {
	n = split($0, word, " ")
	if (n == 1 || word[1] == "EVENT_TYPE" || word[1] == "VALUES" || word[1] == "STATES" || $0 ~ /^[A-Z_]+$/)
		section = n ? word[1] : section
	else if (section == "STATES" && whole(word[1]))
		states[word[1]] = 1
	else if (section == "EVENT_TYPE" && n >= 3 && whole(word[1]) && whole(word[2]))
		types[last = word[2]] = 0
	else if (section == "VALUES" && whole(word[1])) {
		values[last, word[1]] = 1
		types[last] = 1
	} else if (n && section ~ /^(STATES|EVENT_TYPE|VALUES)$/)
		wrong("no line of the section " section)
	next
}
FILENAME ~ /\.row$/ {
	if ($0 ~ /^LEVEL [A-Z]+ SIZE [0-9]+$/) {
		split($0, word, " ")
		level = word[2]
		size[level] = word[4]
	} else if ($0 != "") {
		got[level]++
	}
	next
}
FNR == 1 { header(); next }
{
	object()
	if ($1 == 1)
		state()
	else if ($1 == 2)
		events()
	else
		wrong("no record of a state or of events")
	if (+$6 < time)
		wrong("behind a record of a later time")
	time = +$6
}
END {
	for (level in size)
		if (size[level] != got[level]) {
			print level ": " size[level] " names are announced in the .row, and " got[level] + 0 " stand there"
			bad = 1
		}
	if (size["CPU"] != cpus || size["NODE"] != nodes || size["THREAD"] != all) {
		print "the .row names " size["CPU"] + 0 " CPUs, " size["NODE"] + 0 " nodes, " size["THREAD"] + 0 " threads, the header " cpus + 0 ", " nodes + 0 ", " all + 0
		bad = 1
	}
	if (!nstates || !nevents) {
		print "no states or no events"
		bad = 1
	}
	print nstates + 0 " states, " nevents + 0 " events of " all + 0 " threads"
	exit bad
}
