# SPDX-License-Identifier: BSD-3-Clause
BREAKERS = %D%/code.sh %D%/openmp.sh %D%/process.sh %D%/stack.sh %D%/threads.sh
TESTS += $(BREAKERS)
dist_check_SCRIPTS += $(BREAKERS)
EXTRA_DIST += %D%/README.md %D%/run.sh %D%/code %D%/openmp %D%/parts %D%/process %D%/stack %D%/threads
