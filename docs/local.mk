# SPDX-License-Identifier: BSD-3-Clause
dist_man_MANS += %D%/man/psc_frontend.1
# Installed in the tree's own order, so that their links hold.
nobase_dist_doc_DATA += README.md NEWS.md LICENSE \
	%D%/any-program.md %D%/architecture.md %D%/asked.md %D%/building.md %D%/bursts.md \
	%D%/coherence.md %D%/compare.md %D%/glossary.md %D%/guide.md %D%/instrumenter.md \
	%D%/language.md %D%/loaded-by-others.md %D%/memory-nodes.md %D%/monitor.md %D%/numbers.md \
	%D%/objects.md %D%/other-tools.md %D%/pages.md %D%/performance.md %D%/pictures/page.png \
	%D%/pictures/timeline.png %D%/phase-log.md %D%/placement.md %D%/protocol.md \
	%D%/sampling.md %D%/simulator.md %D%/trials.md %D%/truth.md %D%/using.md %D%/views.md \
	%D%/what-if.md \
	%D%/editors/README.md \
	%D%/editors/vim/compiler/aslc.vim \
	%D%/editors/vim/ftdetect/asl.vim \
	%D%/editors/vim/ftplugin/asl.vim \
	%D%/editors/vim/syntax/asl.vim \
	%D%/editors/vscode/language-configuration.json \
	%D%/editors/vscode/package.json \
	%D%/editors/vscode/syntaxes/asl.tmLanguage.json
nobase_dist_doc_DATA += \
	%D%/patterns/README.md %D%/patterns/conflict.md %D%/patterns/false_sharing.md \
	%D%/patterns/first_touch.md \
	%D%/patterns/gather.md %D%/patterns/imbalance.md %D%/patterns/list.md \
	%D%/patterns/record.md \
	%D%/patterns/reuse.md %D%/patterns/stride.md
