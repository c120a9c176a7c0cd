# SPDX-License-Identifier: BSD-3-Clause
# Prints a property file of two processes with hostile names, and threads of eight.
# awk -v findings=N -v regions=N -v dir=DIRECTORY -f page_report.awk; DIRECTORY: of its source file, loop.c
function node(type, name, line) {
	return "<pc:node type=\"" type "\" name=\"" name "\" file=\"loop.c\" line=\"" line "\" holds=\"1\" measure=\"0.1\" time=\"0.01\"/>"
}
function figures(i, name,   share) {
	share = 0.3 / i
	printf "<property cluster=\"false\" ID=\"1\"><name>%s</name><context FileID=\"1\" FileName=\"loop.c\" RFL=\"4\" Region=\"DATA_STRUCTURE\">", i % 3 ? "MemoryStall" : "LC3DMissRate"
	printf "<execObj process=\"%d\" thread=\"0\"/></context><severity>%f</severity><confidence>1.00</confidence><addInfo>", i % 2, 100 * share
	printf "<pc:figures severity_share=\"%g\" measure=\"%g\" time_share=\"0.5\" est_stall_share=\"%g\" est_stall_low_share=\"0\" ", share, share, share
	printf "est_stall_high_share=\"%g\" kind=\"%s\" about=\"memory\" source=\"%s/loop.c\" first_line=\"4\" last_line=\"6\" ", 1.5 * share, i % 2 ? "sharing" : "strided", dir
	printf "why=\"rows are long\" advice=\"exchange the loops\" declared=\"loop.c:1\"/>"
	print "<pc:path>" node("LOOP_REGION", "", 3) node("SUB_REGION", "f" int(i / 4), 3 + int(i / 4)) node("DATA_STRUCTURE", name, 4) "</pc:path>" (i % 2 ? "" : lines()) uses() "</addInfo></property>"
}
function use(thread, writes, first, last) {
	return "<pc:use line=\"1\" threads=\"2\" thread=\"" thread "\" writes=\"" writes "\" first=\"" first "\" last=\"" last "\"/>"
}
function uses() {
	return use(0, 1, 0, 7) use(0, 1, 16, 23) use(1, 0, 8, 15)
}
function lines() {
	return "<pc:line line=\"5\" first_misses=\"9000\" last_misses=\"620\"/><pc:line line=\"1\" first_misses=\"90\" last_misses=\"300\"/>" \
		"<pc:line line=\"0\" first_misses=\"0\" last_misses=\"80\"/>"
}
function cost(region, structure, line, type, time, stall) {
	printf "<pc:cost region=\"%s\"%s file=\"loop.c\" line=\"%d\" type=\"%s\"", region, structure ? " structure=\"" structure "\" declared=\"loop.c:1\"" : "", line, type
	if (time)
		printf " time=\"%g\"", time
	printf " accesses=\"1000\" l1_misses=\"%d\" l2_misses=\"10\" est_stall=\"%g\" est_stall_low=\"0\" est_stall_high=\"%g\"/>\n", 1e6 * stall, stall, 2 * stall
}
function thread(region, order, process, number, time, wait) {
	printf "<pc:thread region=\"%s\" file=\"loop.c\" line=\"3\" type=\"LOOP_REGION\" order=\"%d\" process=\"%d\" thread=\"%d\" ", region, order, process, number
	printf "time=\"%g\" barrier_wait=\"%g\" mpi_wait=\"0\" other_wait=\"0\" est_stall=\"%g\" first_misses=\"1000\" last_misses=\"10\"/>\n", time, wait, time / 2
}
# The same value at n numbers from `first` on, each `step` behind the other.
function flat(first, n, step, value,   i, s) {
	for (i = 0; i < n; i++)
		s = s (i ? " " step : first) " " value
	return s
}
function time_cell(region, structure, t, what, from, n, count, misses) {
	printf "<pc:time_cell region=\"%d\" structure=\"%d\" thread=\"%d\" %s=\"%s\" bytes=\"%s\" ", region, structure, t, what,
		flat(from, n, 1, count), flat(from, n, 1, 8 * count)
	printf "l1_misses=\"%s\" l2_misses=\"%s\" kinds=\"%s\" served=\"%s\"/>\n", flat(from, n, 1, misses), flat(from, n, 1, misses / 2),
		flat(from * 6, n, 6, misses / 2), flat(from * 2, n, 2, misses / 2)
}
# Two threads, of process 1 slowly, fill `table`, a half each, then both read all of it and write `out`; 32 columns, 16 rows.
function timeline(process, rows,   t) {
	printf "<pc:timeline process=\"%d\" columns=\"32\" rows=\"%d\" threads=\"2\" nodes=\"2\" executions=\"1\" width=\"1000\" ", process, rows
	printf "cpus=\"4\" node_cpus=\"2\" cache_cpus=\"2\" line=\"64\" cache_bytes=\"65536\" spread=\"1\" "
	print "references=\"32000\" time=\"0.06\" left_out=\"0\" thread_nodes=\"0 1 1 2\">"
	print "<pc:time_region type=\"LOOP_REGION\" name=\"loop.c:main/loop 1\" file=\"loop.c\" line=\"3\" parent=\"0\" time=\"0.001\"/>"
	print "<pc:time_region type=\"LOOP_REGION\" name=\"loop.c:main/loop 1/call fill 1 &gt; loop.c:fill/loop 1\" file=\"loop.c\" line=\"4\" parent=\"1\" time=\"" (process ? 0.15 : 0.01) "\"/>"
	print "<pc:time_region type=\"LOOP_REGION\" name=\"loop.c:main/loop 1/call use 1 &gt; loop.c:use/loop 1\" file=\"loop.c\" line=\"5\" parent=\"1\" time=\"0.05\"/>"
	print "<pc:time_structure name=\"table\" declared=\"loop.c:1\" bytes=\"1048576\" blocks=\"0\" used_from=\"0\" used_to=\"1048575\" " \
		(rows ? "toucher=\"" flat(0, 8, 1, 1) " " flat(1, 8, 1, 2) "\" " : "") "touched=\"counted\" allocated_by=\"0\" allocated_at=\"loop.c:2\"/>"
	print "<pc:time_structure name=\"" names[2] "\" declared=\"loop.c:1\" bytes=\"65536\" blocks=\"1\" used_from=\"0\" used_to=\"32767\" allocated_by=\"-1\"/>"
	for (t = 0; t < 2; t++) {
		time_cell(2, 1, t, "writes", 0, 8, 1000, 120)
		time_cell(3, 1, t, "reads", 8, 24, 600, 480)
		time_cell(3, 2, t, "writes", 8, 24, 400, 50)
	}
	print "<pc:time_line file=\"loop.c\" line=\"5\" region=\"3\" structure=\"1\" thread=\"0\" first_misses=\"" flat(8, 24, 1, 480) "\"/>"
	for (t = 0; t < 2 && rows; t++) {
		printf "<pc:time_map structure=\"1\" thread=\"%d\" writes=\"%s\" reads=\"%s\" first_misses=\"%s\"/>\n", t,
			flat(8 * t, 8, 17, 1000), flat(8 * 16, 24 * 16, 1, 37), flat(8 * 16, 24 * 16, 1, 30)
		printf "<pc:time_map structure=\"2\" thread=\"%d\" writes=\"%s\"/>\n", t, flat(8 * 16 + 4 * t, 24, 16, 400)
	}
	print "<pc:time_mark thread=\"0\" number=\"0\" at=\"8000\"/><pc:time_mark thread=\"1\" number=\"0\" at=\"7960\"/>"
	print "</pc:timeline>"
}
BEGIN {
	split("&lt;/script&gt;&lt;script&gt;window.hacked=1&lt;/script&gt;|&lt;img src=x onerror=window.hacked=1&gt;|q&quot;&apos;onclick=hacked|" \
		"a_name_of_more_than_forty_characters_without_a_space_in_it|table|&#x645;&#x635;&#x641;&#x648;&#x641;&#x629;|a", names, "|")
	print "<Experiment xmlns=\"http://www.lrr.in.tum.de/Periscope\" xmlns:pc=\"urn:periscope-c:report:1\">"
	print "<date>2020-01-01</date><time>10:00:00</time><numProcs>2</numProcs><numThreads>2</numThreads><sir>./&lt;b&gt;loop</sir>"
	for (i = 1; i <= findings; i++)
		figures(i, i <= 7 ? names[i] : "a" i)
	print "<pc:report command=\"./&lt;b&gt;loop\" nprocs=\"2\" nthreads=\"2\" when=\"1577872800\" phase_time=\"0.06\" counts_source=\"sim\"><pc:phase cpu_time=\"0.1\" " \
		"barrier_wait=\"0.02\" est_stall=\"0.05\" est_stall_low=\"0.01\" est_stall_high=\"0.07\" type=\"LOOP_REGION\" name=\"\" file=\"loop.c\" line=\"3\"/>"
	cost("loop.c:main/loop 1", "", 3, "LOOP_REGION", 0.1, 0.05)
	for (i = 1; i <= 7; i++)
		cost("loop.c:main/loop 1", names[i], 3, "LOOP_REGION", 0, 0.005)
	for (i = 1; i < regions; i++) {
		key = "loop.c:main/loop 1/call f" int((i + 2) / 3) " 1"
		if (i % 3 != 1)
			key = key " &gt; loop.c:f" int((i + 2) / 3)
		if (i % 3 == 0)
			key = key "/loop 1"
		cost(key, "", i, i % 3 == 1 ? "CALL_REGION" : i % 3 == 2 ? "SUB_REGION" : "LOOP_REGION", 0.27 / regions, 0.12 / regions)
		cost(key, names[i % 7 + 1], i, "LOOP_REGION", 0, 0.1 / regions)
	}
	for (p = 0; p < 8; p++)
		for (t = 0; t < 2; t++) {
			thread("loop.c:main/loop 1", 0, p, t, p == 5 ? 0.03 : 0.05, t ? 0.01 : 0)
			thread("loop.c:main/loop 1/call f1 1", 1, p, t, 0.01, t ? 0.01 : 0)
		}
	timeline(0, 16)
	timeline(1, 0)
	print "<pc:ledger cause=\"named data structures\" accesses=\"1000\" misses=\"100\"/>"
	print "</pc:report></Experiment>"
}