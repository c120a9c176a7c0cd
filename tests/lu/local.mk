# SPDX-License-Identifier: BSD-3-Clause
TESTS += %D%/lu.sh
dist_check_SCRIPTS += %D%/lu.sh
