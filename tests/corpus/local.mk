# SPDX-License-Identifier: BSD-3-Clause
CORPUS = %D%/c.sh %D%/cxx.sh %D%/fortran.sh %D%/openmp.sh %D%/search.sh %D%/compare.sh
TESTS += $(CORPUS)
dist_check_SCRIPTS += $(CORPUS)
EXTRA_DIST += %D%/README.md %D%/run.sh %D%/compare.awk %D%/machines %D%/programs
