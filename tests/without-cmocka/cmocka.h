/* SPDX-License-Identifier: BSD-3-Clause */
/* Found where cmocka is not installed: says what the unit tests need. */
#error "unit tests need cmocka (on Debian: apt-get install libcmocka-dev)"
