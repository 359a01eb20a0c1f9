#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# compare-routes.sh ROUTES: every route of tori, fat trees and dragonflies, link by link (names, bandwidths, latency), by
# Debian's SimGrid (apt-get install libsimgrid-dev) and by Gnomon. ROUTES: the program routes of this folder, built by
# `ninja routes`. Prints a line for each platform; exits 1 when a route differs.
here=$(cd "$(dirname "$0")" && pwd)
routes=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
g++ -std=c++17 -O1 "$here/routes-simgrid.cpp" -lsimgrid -o "$work/simgrid" || exit 2

compare() { # topology parameters hosts attributes
  cat > "$work/platform.xml" <<EOF
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Full">
  <cluster id="c" topology="$1" topo_parameters="$2" prefix="n" suffix="" radical="0-$(($3 - 1))" speed="1Gf"
           bw="125MBps" lat="50us" $4/>
</zone></platform>
EOF
  "$work/simgrid" "$work/platform.xml" 2> "$work/error" | sort > "$work/theirs"
  if grep -q 'declared several times' "$work/error"; then # limiters of switches are named as hosts'
    echo "$1 $2 $4: SimGrid refuses it"
    return
  fi
  "$routes" "$work/platform.xml" 2>> "$work/error" | sort > "$work/ours"
  if [ "$(wc -l < "$work/theirs")" -eq $(($3 * $3)) ] && cmp -s "$work/theirs" "$work/ours"; then
    echo "$1 $2 $4: $(($3 * $3)) routes agree"
  else
    echo "$1 $2 $4: $(diff "$work/theirs" "$work/ours" | grep -c '^<') of $(($3 * $3)) routes differ"
    head -3 "$work/error"
    diff "$work/theirs" "$work/ours" | head -${LINES_SHOWN:-4}
    status=1
  fi
}

for attributes in '' 'sharing_policy="SHARED"' 'loopback_bw="1GBps" loopback_lat="1us"' 'limiter_link="150MBps"' \
    'sharing_policy="SHARED" loopback_bw="1GBps" limiter_link="150MBps"'; do
  for torus in '2 2' '5 5' '8 8' '4,4 16' '3,2,2 12' '5,4,3 60' '2,3,1,4 24' '6,6,6 216'; do
    compare TORUS ${torus% *} ${torus#* } "$attributes"
  done
  for tree in '1;4;1;1 4' '1;4;2;3 4' '2;4,4;1,2;1,2 16' '2;4,4;2,2;2,3 16' '3;4,3,2;1,2,3;1,2,1 24' '3;2,3,4;2,2,2;3,2,4 24' \
      '4;2,2,2,3;1,2,2,2;2,1,3,2 24' '3;8,8,4;1,8,4;1,1,2 256'; do
    compare FAT_TREE ${tree% *} ${tree#* } "$attributes"
  done
  for dragonfly in '1,1;1,1;4,1;2 8' '3,4;4,3;5,1;2 120' '2,1;3,2;2,2;3 36' '4,2;2,1;4,3;1 32' '5,1;3,1;6,2;2 180' '1,1;3,2;1,1;4 12'; do
    compare DRAGONFLY ${dragonfly% *} ${dragonfly#* } "$attributes"
  done
done
exit $status
