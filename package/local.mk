# SPDX-License-Identifier: BSD-3-Clause
# What is installed beside the programs: completion, pkg-config, CMake.
package_made = %D%/periscope-c.pc %D%/toolchain.cmake %D%/psc_frontend %D%/_periscope-c
package_fill = $(AM_V_GEN)$(MKDIR_P) $(@D) && sed -e 's|@prefix[@]|$(prefix)|' -e 's|@exec_prefix[@]|$(exec_prefix)|' \
	-e 's|@bindir[@]|$(bindir)|' -e 's|@includedir[@]|$(includedir)|' -e 's|@pkgdatadir[@]|$(pkgdatadir)|' -e 's|@VERSION[@]|$(VERSION)|'
%D%/periscope-c.pc: $(srcdir)/%D%/periscope-c.pc.in Makefile
	$(package_fill) $(srcdir)/%D%/periscope-c.pc.in >$@
%D%/toolchain.cmake: $(srcdir)/%D%/toolchain.cmake.in Makefile
	$(package_fill) $(srcdir)/%D%/toolchain.cmake.in >$@
%D%/psc_frontend: $(srcdir)/%D%/completion/periscope-c.bash Makefile
	$(package_fill) $(srcdir)/%D%/completion/periscope-c.bash >$@
%D%/_periscope-c: $(srcdir)/%D%/completion/_periscope-c Makefile
	$(package_fill) $(srcdir)/%D%/completion/_periscope-c >$@
CLEANFILES += $(package_made)

pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = %D%/periscope-c.pc
nodist_pkgdata_DATA += %D%/toolchain.cmake
bashcompletiondir = $(datadir)/bash-completion/completions
nodist_bashcompletion_DATA = %D%/psc_frontend
zshcompletiondir = $(datadir)/zsh/site-functions
nodist_zshcompletion_DATA = %D%/_periscope-c
# bash looks for a file of the command's name.
completed_too = psc_report psc_sir psc_machine psc_instrument aslc
install-data-hook:
	cd $(DESTDIR)$(bashcompletiondir) && for n in $(completed_too); do \
		rm -f $$n && $(LN_S) psc_frontend $$n || exit 1; done
	cd $(DESTDIR)$(man1dir) && for n in $(psc_names); do \
		echo .so man1/psc_instrument.1 >$$n.1 || exit 1; done
uninstall-local:
	-cd $(DESTDIR)$(bashcompletiondir) && rm -f $(completed_too)
	-cd $(DESTDIR)$(man1dir) && rm -f $(psc_names:=.1)

EXTRA_DIST += %D%/README.md %D%/periscope-c.pc.in %D%/toolchain.cmake.in \
	%D%/completion/periscope-c.bash %D%/completion/_periscope-c

# make installcheck: what was installed, wherever DESTDIR has put it.
installcheck-local:
	PSC_INSTALLED='$(DESTDIR)$(bindir)' srcdir='$(abs_srcdir)' builddir='$(abs_builddir)' \
		bash $(srcdir)/tests/package/installed.sh | tee installcheck.log
	@! grep -q '^not ok\|^Bail out' installcheck.log
CLEANFILES += installcheck.log

# The installation that the tests use, made by the first of them.
tests/package/root.done: $(PROGRAMS) $(LIBRARIES) $(LTLIBRARIES) $(MANS) $(DATA) $(HEADERS)
	rm -rf tests/package/root && $(MKDIR_P) tests/package
	$(MAKE) $(AM_MAKEFLAGS) install DESTDIR='$(abs_builddir)/tests/package/root'
	: >$@
CLEANFILES += tests/package/root.done tests/package/root.lock

package_tests = tests/package/completion.sh tests/package/examples.sh tests/package/installed.sh \
	tests/package/plugin.sh
TESTS += $(package_tests)
EXTRA_DIST += $(package_tests) tests/package/lib.sh tests/package/zsh_proposes

# Debian packages, in deb/: needs dpkg-dev, debhelper and lintian.
deb: dist
	sh $(srcdir)/%D%/make_deb $(distdir).tar.xz deb '$(abs_srcdir)'
.PHONY: deb
debian_files = %D%/debian/changelog %D%/debian/control %D%/debian/copyright \
	%D%/debian/libpscmon1.install %D%/debian/libpscmon1.lintian-overrides \
	%D%/debian/periscope-c.install %D%/debian/periscope-c.lintian-overrides %D%/debian/rules \
	%D%/debian/source/format
EXTRA_DIST += %D%/make_deb %D%/spack/package.py $(debian_files)
