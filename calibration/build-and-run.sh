#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# build-and-run.sh LAUNCHER... -- [OPTIONS]: builds `measure` with $MPICC (mpicc) and starts it by the launcher.
#   ./build-and-run.sh mpirun -n 8 --map-by node -- --budget 300
#   ./build-and-run.sh srun -N 8 -n 16 -- -o samples.csv
# The samples are written to where this is called from. A run that was ended is gone on with by the same line and --resume.
set -eu
usage() {
  sed -n '3,6s/^# //p' "$0" >&2
  exit "$1"
}
case "${1:-}" in
'') usage 2 ;;
-h | --help) usage 0 ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
make -C "$here" measure >&2
# The program stands where `--` does, or at the end.
count=$# found=
while [ "$count" -gt 0 ]; do
  word=$1
  shift
  count=$((count - 1))
  if [ "$word" = -- ] && [ -z "$found" ]; then
    word=$here/measure
    found=yes
  fi
  set -- "$@" "$word"
done
[ -n "$found" ] || set -- "$@" "$here/measure"
exec "$@"
