" SPDX-License-Identifier: BSD-3-Clause
" :make checks the file; :cnext goes from error to error.
if exists('current_compiler')
  finish
endif
let current_compiler = 'aslc'

CompilerSet makeprg=aslc\ check\ %:S
CompilerSet errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m,%f:\ %trror:\ %m,%-G%.%#
