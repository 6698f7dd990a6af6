#!/bin/sh
# lammps_native.sh FOLDER: the source of Debian's LAMMPS, built for this machine's processor: FOLDER/lmp. Debian's own
# package runs on any x86-64, so it has no vectors wider than 16 bytes. The system is not changed: apt keeps its lists
# in FOLDER.
set -e
[ -x "$1/lmp" ] && exit 0
mkdir -p "$1/lists/partial"
cd "$1"
. /etc/os-release
version=$(dpkg-query -W -f '${source:Version}' lammps)
echo "deb-src http://deb.debian.org/debian $VERSION_CODENAME main" >sources.list
set -- -q -o Dir::Etc::SourceList="$PWD/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State::Lists="$PWD/lists"
apt-get "$@" update
apt-get "$@" source --download-only "lammps=$version"
rm -rf source && mkdir source
tar -xf lammps_*.orig.tar.* -C source --strip-components=1
cmake -S source/cmake -B build -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="-O3 -march=native -w" -DPKG_GRANULAR=ON -DBUILD_MPI=OFF -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON \
	-DBUILD_OMP=OFF -DWITH_JPEG=OFF -DWITH_PNG=OFF -DWITH_FFMPEG=OFF -DWITH_GZIP=OFF
ninja -C build lmp
cp build/lmp .
