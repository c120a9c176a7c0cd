# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += %D%/README.md %D%/binary.h
