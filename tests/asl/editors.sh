#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The editors' files know the language's words, and load.
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
editors=$srcdir/docs/editors
n=0
result() { # 0 or not, title, file to show
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		[ -n "$3" ] && sed 's/^/# /' "$3"
	fi
}
skip() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# every keyword of the lexer is a word of the file
sed -n '/keywords\[\] = {/,/^};/p' "$srcdir/asl/lex.l" | grep -o '{ "[a-z]*"' | tr -d '{ "' >"$dir/words"
[ "$(wc -l <"$dir/words")" -gt 25 ]
result $? 'the keywords are found in the lexer' "$dir/words"
for file in vim/syntax/asl.vim vscode/syntaxes/asl.tmLanguage.json; do
	: >"$dir/missing"
	while read -r word; do
		grep -Ev '^ *"|^"' "$editors/$file" >"$dir/text"
		[ "${file##*.}" = json ] && cp "$editors/$file" "$dir/text"
		grep -qw -e "$word" "$dir/text" || echo "$word" >>"$dir/missing"
	done <"$dir/words"
	[ ! -s "$dir/missing" ]
	result $? "$file has every keyword" "$dir/missing"
done

# JSON
if python3 -c 'import json' 2>/dev/null; then
	valid() { python3 -m json.tool "$1"; }
elif jq --version >/dev/null 2>&1; then
	valid() { jq . "$1"; }
else
	valid() { return 77; }
fi
for file in package.json language-configuration.json syntaxes/asl.tmLanguage.json; do
	valid "$editors/vscode/$file" >"$dir/out" 2>&1
	case $? in
	0) result 0 "vscode/$file is valid JSON" ;;
	77) skip "vscode/$file is valid JSON" 'neither python3 nor jq' ;;
	*) result 1 "vscode/$file is valid JSON" "$dir/out" ;;
	esac
done
: >"$dir/missing"
for path in $(sed -n 's/.*"\(path\|configuration\)": "\([^"]*\)".*/\2/p' "$editors/vscode/package.json"); do
	[ -f "$editors/vscode/$path" ] || echo "$path" >>"$dir/missing"
done
[ ! -s "$dir/missing" ]
result $? 'package.json names files that are there' "$dir/missing"

# the grammar's expressions, on lines of the library
if node --version >/dev/null 2>&1; then
	cat >"$dir/grammar.js" <<'END1'
const g = JSON.parse(require('fs').readFileSync(process.argv[2], 'utf8'));
const all = [];
(function walk(o) {
	if (!o || typeof o !== 'object') return;
	for (const k of ['match', 'begin', 'end'])
		if (typeof o[k] === 'string') all.push([o.name, o[k]]);
	Object.values(o).forEach(walk);
})(g);
const rx = s => s.startsWith('(?i)') ? new RegExp(s.slice(4), 'i') : new RegExp(s);
for (const [, s] of all) rx(s);
const want = [['keyword.control.clause.asl', 'Severity : 1', 'Severity'],
	['support.function.aggregate.asl', 'x = max (a, b)', 'max'],
	['support.function.aggregate.asl', 'float max = 1', null],
	['support.function.aggregate.asl', 'PROPERTY Max(SeqPerf s)', null],
	['keyword.declaration.asl', 'PROPERTY P(A a)', 'PROPERTY'],
	['variable.other.member.asl', 's.count', 'count'],
	['constant.numeric.asl', '1.5e-3 x', '1.5e-3']];
for (const [name, line, text] of want) {
	const m = rx(all.find(e => e[0] === name)[1]).exec(line);
	if ((m ? m[0] : null) !== text) { console.log(`${name} in "${line}": ${m && m[0]}`); process.exit(1); }
}
END1
	node "$dir/grammar.js" "$editors/vscode/syntaxes/asl.tmLanguage.json" >"$dir/out" 2>&1
	result $? 'the grammar finds words as the lexer does' "$dir/out"
else
	skip 'the grammar finds words as the lexer does' 'no node'
fi

# vim
case $(vim --version 2>/dev/null) in
*+eval*+syntax*) vim=yes ;;
*) vim= ;;
esac
if [ -z "$vim" ]; then
	for title in 'vim knows the file' 'vim highlights a line' 'vim finds the error' 'vim formats the buffer'; do
		skip "$title" 'no vim with +eval and +syntax'
	done
	echo "1..$n"
	exit 0
fi
cat >"$dir/a.asl" <<'END1'
PROPERTY Max(SeqPerf s) { // count
	LET
		float max [s] = MAX(s.exec_time, s.count);
	IN
	CONDITION: max > 1.5 AND NOT samples(s.calls) < 3;
	CONFIDENCE: 1;
	SEVERITY: s.exec_tim;
	ADVICE: "say {max %} \n";
}
END1
cat >"$dir/test.vim" <<'END1'
function! Group(line, word, nth)
  let col = -1
  for i in range(a:nth)
    let col = match(getline(a:line), '\C' . a:word, col + 1)
  endfor
  return synIDattr(synID(a:line, col + 1, 1), 'name')
endfunction
let out = ['filetype ' . &filetype]
for [line, word, nth] in [[1, 'PROPERTY', 1], [1, 'Max', 1], [1, 'count', 1], [3, 'float', 1], [3, 'max', 1], [3, '\[', 1],
      \ [3, 'MAX', 1], [3, 'count', 1], [5, 'CONDITION', 1], [5, 'max', 1], [5, '1.5', 1], [5, 'AND', 1], [5, 'samples', 1],
      \ [8, 'say', 1], [8, 'max', 1], [8, '\\n', 1]]
  call add(out, line . ' ' . word . ' ' . Group(line, word, nth))
endfor
call writefile(out, $OUT . '/groups')
silent make!
call writefile(map(getqflist(), {_, e -> e.lnum . ':' . e.col . ' ' . e.type . ' ' . e.text}), $OUT . '/errors')
call setline(6, 'CONFIDENCE   :1 ;')
AslFormat
call writefile([getline(6)], $OUT . '/formatted')
call setline(6, 'CONFIDENCE   : ;')
AslFormat
call writefile([getline(6)], $OUT . '/kept')
qall!
END1
# vim's own files first would take *.asl for another language: ours must win
OUT=$dir HOME=$dir timeout 600 vim -e -s -n -i NONE -u NONE -N \
	--cmd "set runtimepath^=$editors/vim" --cmd 'filetype plugin on' --cmd 'syntax on' \
	-S "$dir/test.vim" "$dir/a.asl" </dev/null >"$dir/vim.out" 2>&1
grep -q '^filetype asl$' "$dir/groups" 2>/dev/null
result $? 'vim knows the file' "$dir/vim.out"
cat >"$dir/want" <<'END1'
1 PROPERTY aslDeclaration
1 Max 
1 count aslComment
3 float aslType
3 max 
3 \[ aslUnit
3 MAX aslAggregate
3 count aslMember
5 CONDITION aslClause
5 max 
5 1.5 aslNumber
5 AND aslOperator
5 samples aslBuiltin
8 say aslString
8 max aslField
8 \\n aslEscape
END1
sed 1d "$dir/groups" 2>/dev/null | diff "$dir/want" - >"$dir/diff"
result $? 'vim highlights a line' "$dir/diff"
grep -q "^7:14 e class 'SeqPerf' has no attribute 'exec_tim'" "$dir/errors" 2>/dev/null
result $? 'vim finds the error' "$dir/errors"
[ "$(cat "$dir/formatted" 2>/dev/null)" = '	CONFIDENCE: 1;' ] && [ "$(cat "$dir/kept")" = 'CONFIDENCE   : ;' ]
result $? 'vim formats the buffer, unless it has an error' "$dir/formatted"
echo "1..$n"
