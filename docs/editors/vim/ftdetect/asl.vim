" SPDX-License-Identifier: BSD-3-Clause
" vim has an asl of its own (for another language); ours goes before it.
autocmd BufNewFile,BufRead *.asl set filetype=asl
