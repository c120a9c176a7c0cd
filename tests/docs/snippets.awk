# SPDX-License-Identifier: BSD-3-Clause
# Cuts the fenced blocks of a Markdown file into files: DIR/NNN.KIND holds the text, DIR/list a line
# each: NNN KIND NAME LINE.  A block's first word is its kind, the second the name it is saved by.
/^```/ && !inside {
	inside = 1
	n++
	kind = substr($1, 4)
	name = NF > 1 ? $2 : "-"
	number = sprintf("%03d", n)
	file = dir "/" number "." kind
	printf "" >file
	print number, kind == "" ? "none" : kind, name, NR >(dir "/list")
	next
}
/^```/ {
	inside = 0
	close(file)
	next
}
inside { print >file }
