# SPDX-License-Identifier: BSD-3-Clause
"""Spack's recipe: copy it to packages/periscope-c/package.py of a repository of yours, and name the source."""
from spack.package import *


class PeriscopeC(AutotoolsPackage):
    """Automatic online analyser of memory behaviour: finds which data structure of a running
    program costs time, by experiments, without hardware counters."""

    license("BSD-3-Clause")

    version("0.1.0")

    variant("mpi", default=True, description="Agents over MPI; without, those of one host talk over local sockets")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build")
    depends_on("autoconf", type="build")
    depends_on("automake", type="build")
    depends_on("libtool", type="build")
    depends_on("bison", type="build")
    depends_on("flex", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cmocka", type="test")
    depends_on("hwloc")
    depends_on("libxml2")
    depends_on("elfutils")
    depends_on("zlib-api")
    depends_on("openmpi", when="+mpi")

    # The plugin is built for the compiler that builds it, and works with that one.
    requires("%gcc@11:14", msg="the compiler plugin needs GCC 11 to 14 with its plugin headers")

    def configure_args(self):
        return ["--with-gcc=no"] + self.with_or_without("mpi")
