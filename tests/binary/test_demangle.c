/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of C++ and Rust as the source has them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "binary/internal.h"

static void tidied(const char *text, const char *want)
{
	char copy[512];

	strcpy(copy, text);
	demangle_tidy(copy);
	assert_string_equal(copy, want);
}

static void parameters_and_result_are_left_out(void **state)
{
	(void)state;
	tidied("main", "main");
	tidied("mesh::sum(int, double)", "mesh::sum");
	tidied("double mesh::sum<double>(double const*, unsigned long)", "mesh::sum<double>");
	tidied("grid<int>::at(unsigned long) const", "grid<int>::at");
	tidied("std::pair<int, int> make<int, (kind)3>()", "make<int, (kind)3>");
	tidied("void (anonymous namespace)::fill(int)", "(anonymous namespace)::fill");
}

static void operators_keep_their_name(void **state)
{
	(void)state;
	tidied("point::operator()(int) const", "point::operator()");
	tidied("bool operator< <int>(box<int> const&)", "operator< <int>");
	tidied("operator new(unsigned long)", "operator new");
	tidied("box::operator bool() const", "box::operator bool");
	tidied("int my_operator(int)", "my_operator");
}

static void local_names_stand_in_their_function(void **state)
{
	(void)state;
	tidied("main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()");
	tidied("solve(int)::step", "solve::step");
}

static void defaults_of_templates_are_left_out(void **state)
{
	(void)state;
	tidied("std::vector<double, std::allocator<double> >::push_back(double&&)", "std::vector<double>::push_back");
	tidied("std::map<int, std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >, "
		"std::less<int>, std::allocator<std::pair<int const, std::__cxx11::basic_string<char, "
		"std::char_traits<char>, std::allocator<char> > > > >::clear()", "std::map<int, std::string>::clear");
}

static void names_of_rust_lose_their_hash(void **state)
{
	(void)state;
	tidied("prog::solve::h0123456789abcdef", "prog::solve");
	tidied("core::slice::_$LT$impl$u20$$u5b$T$u5d$$GT$::iter::h0123456789abcdef", "core::slice::<impl [T]>::iter");
	tidied("_$LT$alloc..vec..Vec$LT$T$GT$$GT$::push::h0123456789abcdef", "<alloc::vec::Vec<T>>::push");
}

static void broken_text_is_survived(void **state)
{
	(void)state;
	tidied("", "");
	tidied("f(", "f");
	tidied("a<b", "a<b");
	tidied("x::operator", "x::operator");
}

static void symbols_that_are_not_mangled_stay(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	assert_non_null(a);
	assert_string_equal(demangle_name(a, "main"), "main");
	assert_string_equal(demangle_name(a, "_Z"), "_Z");
	assert_string_equal(symbol_base(a, "solve.part.0"), "solve");
	assert_string_equal(symbol_base(a, "solve.constprop.0.cold"), "solve");
	assert_string_equal(symbol_base(a, "work._omp_fn.0"), "work._omp_fn.0");
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_and_result_are_left_out),
		cmocka_unit_test(operators_keep_their_name),
		cmocka_unit_test(local_names_stand_in_their_function),
		cmocka_unit_test(defaults_of_templates_are_left_out),
		cmocka_unit_test(names_of_rust_lose_their_hash),
		cmocka_unit_test(broken_text_is_survived),
		cmocka_unit_test(symbols_that_are_not_mangled_stay)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
