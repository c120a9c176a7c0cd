# SPDX-License-Identifier: BSD-3-Clause
dist_man_MANS += %D%/man/psc_frontend.1
EXTRA_DIST += %D%/glossary.md %D%/language.md %D%/paper-lu.md %D%/performance.md
