" SPDX-License-Identifier: BSD-3-Clause
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=//\ %s comments=s1:/*,mb:*,ex:*/,://
setlocal noexpandtab tabstop=8 shiftwidth=8 textwidth=100
compiler aslc

" Lays the buffer out; with a syntax error it stays and the errors are shown.
function! s:Format() abort
  let l:out = systemlist('aslc fmt', getline(1, '$'))
  if v:shell_error
    cgetexpr map(l:out, {_, line -> substitute(line, '^<stdin>', expand('%'), '')})
    cwindow
    if &buftype ==# 'quickfix'
      wincmd p
    endif
    return
  endif
  let l:view = winsaveview()
  if l:out !=# getline(1, '$')
    call setline(1, l:out)
    if line('$') > len(l:out)
      silent execute (len(l:out) + 1) . ',$delete _'
    endif
  endif
  call winrestview(l:view)
endfunction
command! -buffer AslFormat call s:Format()

let b:undo_ftplugin = 'setlocal cms< com< et< ts< sw< tw< | delcommand -buffer AslFormat'
