#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What the TAB key proposes, in bash and zsh: as a user's shell loads it.
. "${srcdir:-.}/tests/package/lib.sh"
psc_gcc -O2 -g -o walk walk.c || { echo "Bail out! the program does not build"; exit 1; }
touch old.psc notes.txt

rules=/usr/share/bash-completion/bash_completion
# bash_proposes "COMMAND LINE": what bash proposes at its end, a line each
bash_proposes() {
	bash -c '
		. "$1"; . "$2"
		COMP_LINE=$3 COMP_POINT=${#3} COMP_TYPE=9 COMP_KEY=9
		words=$3
		# readline splits at COMP_WORDBREAKS; a colon is a word of its own
		COMP_WORDS=($(printf "%s" "$words" | sed "s/:/ : /g"))
		[[ $3 != *" " ]] || COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		compopt() { :; }
		_periscope_c "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
		printf "%s\n" "${COMPREPLY[@]}"
	' bash "$rules" "$prefix/share/bash-completion/completions/psc_frontend" "$1" 2>&1
}

# zsh_proposes "COMMAND LINE": the same in zsh, which was asked for all lines at once (zsh_answers)
zsh_proposes() {
	awk -v line="$1" '/^== / { on = $0 == "== " line; next } on' zsh.answers
}

# proposes SHELL "LINE" WANTED [UNWANTED]
proposes() {
	got=$("$1_proposes" "$2")
	echo "$2 -> $got"
	printf '%s\n' "$got" | grep -qE -- "$3" || return 1
	[ -z "${4:-}" ] || ! printf '%s\n' "$got" | grep -qE -- "$4"
}

# zsh_answers: for each line of all_of, "== LINE" and the proposals, from an interactive zsh on a terminal of its own
zsh_answers() {
	(
		check() { printf '%s\n' "$4"; }
		all_of zsh
	) >zsh.lines
	zsh -f "$srcdir/tests/package/zsh_proposes" "$prefix/share/zsh/site-functions" zsh.lines >zsh.answers 2>&1
}

all_of() {
	check "$1: an option from --help" proposes "$1" "psc_frontend --lock" '^--lockstep'
	check "$1: the options of each command" proposes "$1" "psc_sir --r" '^--regions' lockstep
	check "$1: machine models" proposes "$1" "psc_frontend --machine ita" '^itanium2' xeon
	check "$1: phases of the program on the line" proposes "$1" "psc_frontend --app ./walk --phase wal" '21' notes
	check "$1: its data structures" proposes "$1" "psc_frontend --app ./walk --verify " '^a$'
	check "$1: property files, after a comma too" proposes "$1" "psc_frontend --properties memory,sha" 'sharing' model
	check "$1: .psc files" proposes "$1" "psc_report " '^old.psc' notes
	check "$1: any file to write to" proposes "$1" "psc_report -o not" '^notes.txt'
	check "$1: a compiler for --rebuild-plugin" proposes "$1" "psc_instrument --rebuild-plugin gc" '^gcc'
	check "$1: aslc's commands" proposes "$1" "aslc che" '^check'
	check "$1: a missing program is no error" proposes "$1" "psc_frontend --app ./none --phase x" '^$' rror
}
echo "1..23"
if [ -f "$rules" ]; then
	all_of bash
	check "bash: processes to attach to" proposes bash "psc_frontend --attach ${$%?}" "^$$\$"
else
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do skip "bash $i" "bash-completion is not installed"; done
fi
if command -v zsh >/dev/null; then
	zsh_answers
	all_of zsh
else
	for i in 1 2 3 4 5 6 7 8 9 10 11; do skip "zsh $i" "zsh is not installed"; done
fi
