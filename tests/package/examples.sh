#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every line under EXAMPLES in the man pages does what it says, with what was installed, in a directory that has the
# files of their names.
. "${srcdir:-.}/tests/package/lib.sh"
command -v gfortran >/dev/null || skip_all "gfortran is not installed"
OMP_NUM_THREADS=1
PSC_AGENTS=local
XDG_CACHE_HOME=$work/cache
PKG_CONFIG_PATH=$work/pkgconfig
export OMP_NUM_THREADS PSC_AGENTS XDG_CACHE_HOME PKG_CONFIG_PATH

# pkg-config, as if the installation's directory were the one that configure was given.
mkdir pkgconfig
pc=$(echo "$prefix"/lib*/pkgconfig/periscope-c.pc)
sed "s|$(sed -n 's/^prefix=//p' "$pc")|$prefix|g" "$pc" >pkgconfig/periscope-c.pc

# examples/lu, with less to do: the man pages' programs run at once.
cp "$srcdir"/examples/lu/* .
sed -i 's/^      n     = 33$/      n     = 20/' lu.f
grep -q '^      n     = 20$' lu.f || { echo "Bail out! lu.f has another default size"; exit 1; }
psc_gfortran -O2 -g -fopenmp -o lu *.f >build.log 2>&1 || { sed 's/^/# /' build.log; echo "Bail out! lu does not build"; exit 1; }
# On this machine memory may cost it nothing, and a report would have no finding to explain: by a model it has some.
psc_frontend -q --app ./lu --phase ssor.f:109 --machine itanium2 -o first.txt >build.log 2>&1 </dev/null || {
	sed 's/^/# /' build.log
	echo "Bail out! lu cannot be analysed"
	exit 1
}
cp lu.psc before.psc
mkdir history c
cp lu.psc history/1.psc
printf '#include <mpi.h>\nint solve(void) { int n; return MPI_Comm_size(MPI_COMM_WORLD, &n); }\n' >solver.c
# A C project for make and CMake.
printf 'walk: walk.o\n\t$(CC) -o $@ walk.o\nwalk.o: walk.c\n\t$(CC) -O2 -g -c walk.c\n' >c/Makefile
printf 'cmake_minimum_required(VERSION 3.13)\nproject(walk C)\nadd_executable(walk walk.c)\n' >c/CMakeLists.txt
cp walk.c c/
cat >my.asl <<'END'
// my.asl: regions that store more than they load.
const float share = 0.5;

PROPERTY MostlyStores(SeqPerf s) {
	CONDITION: s.write_access / s.memory_access > share;
	CONFIDENCE: 1;
	SEVERITY: s.write_access / s.memory_access * s.exec_time;
}
END
cat >my.test <<'END'
Regions that store.

=== three of four accesses are stores
--- with my.asl
--- given
s: SeqPerf
write_access = 3
memory_access = 4
exec_time = 1
--- want
MostlyStores(s) holds severity=0.75
END

# examples PAGE: the lines, without roff's escapes
examples() {
	sed -n '/^\.SH EXAMPLES/,/^\.SH [^E]/p' "$1" | sed -n '/^\.nf/,/^\.fi/{/^\./d;s/\\-/-/g;s/\\(aq/'"'"'/g;s/\\e/\\/g;p;}'
}
# One that cannot run here, with the reason.
missing() {
	case $1 in
	*mpicc*) command -v mpicc >/dev/null || echo "mpicc is not installed" ;;
	*cmake*) command -v cmake >/dev/null && command -v pkg-config >/dev/null || echo "cmake or pkg-config is not installed" ;;
	esac
}
run_example() {
	dir=.
	case $1 in make* | cmake*) dir=c ;; esac
	(cd $dir && bash -c "$1") >out 2>&1 </dev/null
	rc=$?
	# A host with little memory is not calibrated, which is what the exit status says.
	case $1 in *--calibrate*) [ $rc != 3 ] || rc=0 ;; esac
	# On a busy machine the program may end before all has been tried, which the report says.
	case $1 in *psc_frontend*) [ $rc != 4 ] || ! grep -q '^Partial analysis: ' out lu.txt || rc=0 ;; esac
	[ $rc = 0 ] || { cat out; echo "exit status $rc"; return 1; }
	case $1 in
	*--no-source*) ! grep -l "class='wide source'" ./*.html && psc_report --html before.psc | grep -q "class='wide source'" || return 1 ;;
	esac
	case $1 in
	make*) grep -q psc_sir <(objdump -h c/walk) ;;
	cmake*) cmake --build c && grep -q psc_sir <(objdump -h c/walk) ;;
	# What is written has a text, and a name that was expanded.
	*' > '[a-z]* | *'-o '* | *--html*) for f in $(echo "$1" | grep -oE '(> |-o |--html (--no-source lu.psc )?)[a-z][^ ]*' |
		sed 's/.* //; s/%[ht]/*/g'); do [ -s "$f" ] || { echo "no $f"; return 1; }; done ;;
	*) [ -s out ] || echo "$1" | grep -qE 'fmt -i|check my.asl|-c solver.c' ;;
	esac
}
for page in psc_instrument psc_frontend psc_report psc_sir psc_machine aslc; do
	examples "$prefix/share/man/man1/$page.1" >lines
	cp before.psc lu.psc
	check "$page.1 has examples" test -s lines
	while IFS= read -r line <&3; do
		why=$(missing "$line")
		if [ -n "$why" ]; then
			skip "$page: $line" "$why"
		else
			check "$page: $line" run_example "$line"
		fi
	done 3<lines
done
echo "1..$n"
