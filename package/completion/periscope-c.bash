# SPDX-License-Identifier: BSD-3-Clause
# Completion of Periscope/C's commands for bash.  Options come from --help, values from our tools.

# The program on the command line: the word after --app or --exe, else the first one after --.
_periscope_c_program()
{
	local i found=
	for ((i = 1; i < ${#words[@]}; i++)); do
		case ${words[i]} in
		--exe) printf '%s' "${words[i + 1]}"; return ;;
		--app) found=${words[i + 1]} ;;
		--attach) found=/proc/${words[i + 1]%%,*}/exe ;;
		--app=*) found=${words[i]#--app=} ;;
		--) [[ $found ]] || found=${words[i + 1]}; break ;;
		esac
	done
	# --app './lu -n 3': only the program
	printf '%s' "${found%% *}"
}

# FILE:LINE of every region of the program that can be a phase; the file without directories.
_periscope_c_phases()
{
	local program
	program=$(_periscope_c_program)
	[[ -r $program ]] && psc_sir --regions "$program" 2>/dev/null |
		awk '/ phase( |$)/ && match($0, /[^ \/]+:[0-9]+(-[0-9]+)? +phase/) {
			place = substr($0, RSTART, RLENGTH); sub(/(-[0-9]+)? +phase$/, "", place); print place }'
}

_periscope_c_structures()
{
	local program
	program=$(_periscope_c_program)
	[[ -r $program ]] && psc_sir "$program" 2>/dev/null |
		sed -n 's/.*<array name="\([^"]*\)".*/\1/p' | sort -u
}

_periscope_c_properties()
{
	local f dir
	dir=$(command -v psc_frontend)
	dir=${dir%/*}/../share/periscope-c   # a copied installation
	[[ -d $dir ]] || dir='@pkgdatadir@'
	for f in "$dir"/properties/*.asl; do
		f=${f##*/}
		[[ $f == model.asl ]] || printf '%s\n' "${f%.asl}"
	done
}

# The value of option $prev; false if it is not known to be one of few words.
_periscope_c_value()
{
	local values
	case $prev in
	--machine) values=$(psc_machine --list 2>/dev/null); _filedir xml ;;
	--phase)
		values=$(_periscope_c_phases)
		COMPREPLY=($(compgen -W "$values" -- "$cur"))
		__ltrim_colon_completions "$cur"
		return ;;
	--properties)
		# a list: what follows the last comma is completed
		local head=
		[[ $cur != *,* ]] || head=${cur%,*},
		COMPREPLY=($(compgen -P "$head" -W "$(_periscope_c_properties)" -- "${cur##*,}"))
		compopt -o nospace
		return ;;
	--what-if | --verify) values=$(_periscope_c_structures) ;;
	--try)
		COMPREPLY=($(compgen -W 'malloc threads:spread threads:compact threads:pin' -- "$cur"))
		__ltrim_colon_completions "$cur"
		return ;;
	--strategy) values='share paper' ;;
	--agents) values='auto mpirun local' ;;
	--color) [[ $1 == *psc_frontend ]] || return 1; values='auto always never' ;;
	--attach) values=$(pgrep -u "$(id -u)" 2>/dev/null) ;;
	--app | --exe) compopt -o filenames; COMPREPLY+=($(compgen -f -- "$cur")); return ;;
	--rebuild-plugin) COMPREPLY=($(compgen -c -- "$cur")); return ;;
	-o | --output | --baseline | --sarif | --junit)
		[[ $1 == *psc_frontend || $1 == *psc_report ]] || return 1
		_filedir; return ;;
	--psc | --sir | --html | --json | --csv | --csv-ledger | --export-counts | --compare)
		[[ $1 == *psc_frontend ]] || return 1
		_filedir; return ;;
	*) return 1 ;;
	esac
	COMPREPLY+=($(compgen -W "$values" -- "$cur"))
}

_periscope_c()
{
	local cur prev words cword
	_get_comp_words_by_ref -n : cur prev words cword
	_periscope_c_value "$1" && return
	if [[ $cur == -* ]]; then
		COMPREPLY=($(compgen -W "$("$1" --help 2>/dev/null |
			grep -Eo '^ +(-[A-Za-z], )?--[a-z][a-z-]*' | grep -Eo -- '--[a-z-]+')" -- "$cur"))
		return
	fi
	case $1 in
	*psc_report) _filedir psc ;;
	*psc_machine) COMPREPLY=($(compgen -W "$(psc_machine --list 2>/dev/null)" -- "$cur")); _filedir xml ;;
	*aslc) ((cword > 1)) || { COMPREPLY=($(compgen -W 'check test fmt dump' -- "$cur")); return; }
		_filedir '@(asl|test)' ;;
	*psc_instrument) ((cword > 1)) || { COMPREPLY=($(compgen -c -- "$cur")); return; }
		_filedir ;;
	*) _filedir ;;
	esac
}

complete -F _periscope_c psc_frontend psc_report psc_sir psc_machine psc_instrument aslc
