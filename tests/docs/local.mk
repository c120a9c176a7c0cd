# SPDX-License-Identifier: BSD-3-Clause
# Documents whose snippets are run.
TESTS += %D%/help.sh %D%/language.sh %D%/patterns.sh %D%/quickstart.sh %D%/readme.sh
dist_check_SCRIPTS += %D%/help.sh %D%/language.sh %D%/patterns.sh %D%/quickstart.sh %D%/readme.sh
EXTRA_DIST += %D%/snippets.awk %D%/same.awk
