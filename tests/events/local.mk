# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += tests/events/test_recipes
tests_events_test_recipes_SOURCES = %D%/test_recipes.c
tests_events_test_recipes_LDADD = $(EVENTS_LIBS) base/libbase.la $(CMOCKA_LIBS) -lm
TESTS += tests/events/test_recipes
