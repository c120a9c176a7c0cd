" SPDX-License-Identifier: BSD-3-Clause
" The property language of Periscope/C.  Keywords in any case; clause words before ':' and
" aggregates before '(' only, as in asl/lex.l.
if exists('b:current_syntax')
  finish
endif

syn case ignore
syn keyword aslDeclaration property template class enum extends setof const refines include
syn keyword aslKeyword let in with where
syn keyword aslOperator and or not
syn keyword aslBoolean true false
syn match aslClause /\<\%(condition\|confidence\|severity\|advice\|why\|do\|fix\)\>\ze\_s*:/
" not where it is being declared
syn match aslAggregate /\%(\<\%(property\|template\|float\|int\|bool\)\s\+\)\@<!\<\%(sum\|min\|max\|avg\|count\|stdev\|unique\|exists\|forall\)\>\ze\_s*(/

syn case match
syn keyword aslType float int bool string
syn match aslBuiltin /\<\%(samples\|coverage\)\>\ze\_s*(/
syn match aslNumber /\<\d\+\%(\.\d*\)\?\%([eE][-+]\?\d\+\)\?/
syn match aslNumber /\.\d\+\%([eE][-+]\?\d\+\)\?/
" not a keyword behind a dot
syn match aslMember /\.\s*\h\w*/ contains=NONE
syn match aslUnit /\[\s*\%(1\|\h\w*\)\%(\s*[*\/]\s*\%(1\|\h\w*\)\)*\s*\]\ze\s*[;=]/
syn match aslEscape /\\[\\"n{}]/ contained
syn region aslField matchgroup=aslBrace start=/{/ end=/}/ contained oneline
syn region aslString start=/"/ skip=/\\./ end=/"/ oneline contains=aslEscape,aslField
syn keyword aslTodo TODO FIXME XXX contained
syn match aslComment /\/\/.*/ contains=aslTodo,@Spell
syn match aslFormat /^\s*\/\/\s*fmt: o\%(n\|ff\)\s*$/
syn region aslComment start=/\/\*/ end=/\*\// contains=aslTodo,@Spell

hi def link aslDeclaration Statement
hi def link aslKeyword Statement
hi def link aslClause Label
hi def link aslOperator Operator
hi def link aslBoolean Boolean
hi def link aslAggregate Function
hi def link aslBuiltin Function
hi def link aslType Type
hi def link aslNumber Number
hi def link aslUnit Special
hi def link aslEscape SpecialChar
hi def link aslField Identifier
hi def link aslBrace Delimiter
hi def link aslString String
hi def link aslTodo Todo
hi def link aslComment Comment
hi def link aslFormat PreProc

let b:current_syntax = 'asl'
