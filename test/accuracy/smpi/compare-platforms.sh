#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# compare-platforms.sh ROUTES BURSTS: what platform files can say beyond plain zones, by Debian's SimGrid (apt-get install
# libsimgrid-dev) and by Gnomon: routes and latencies of bypasses and coordinates, messages while profiles change links,
# bursts while profiles change hosts. ROUTES, BURSTS: the programs of this folder, built by `ninja routes bursts`. Needs
# GNOMON_PREFIX. Prints a line for each comparison; exits 1 when one differs by more than 1e-6, 77 without SimGrid.
here=$(cd "$(dirname "$0")" && pwd)
routes=$1 bursts=$2
platforms=$here/../../../platforms
command -v smpirun > /dev/null || { echo "skipped: there is no smpirun (apt-get install libsimgrid-dev)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
for program in routes bursts; do
  clang++-22 -std=c++17 -O1 "$here/$program-simgrid.cpp" -lsimgrid -o "$work/$program" || exit 2
done

head='<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1">'
link() { echo "<link id=\"$1\" bandwidth=\"$2\" latency=\"$3\" $4/>"; }
host() { for name; do echo "<host id=\"$name\" speed=\"1Gf\"/>"; done; }
over() { for name; do echo "<link_ctn id=\"$name\"/>"; done; }

# The links of each route in the order of their names: SimGrid 3.32 turns those of some zones round, which changes no time.
# Without the link named __loopback__, over which SimGrid leads a host's way to itself.
normalised() {
  sed 's/ __loopback__@[^ ]*//g' | awk '
    { for (i = 5; i <= NF; ++i) for (j = i; j > 4 && $j < $(j - 1); --j) { swap = $j; $j = $(j - 1); $(j - 1) = swap }
      print }' | sort
}

compare_routes() { # name platform
  "$work/routes" "$2" 2> "$work/error" | normalised > "$work/theirs"
  "$routes" "$2" 2>> "$work/error" | normalised > "$work/ours"
  if [ -s "$work/theirs" ] && cmp -s "$work/theirs" "$work/ours"; then
    echo "$1: $(wc -l < "$work/ours") routes agree"
  else
    echo "$1: $(diff "$work/theirs" "$work/ours" | grep -c '^[<>]') lines differ"
    diff "$work/theirs" "$work/ours" | head -4
    head -2 "$work/error"
    status=1
  fi
}

# Bypasses at every depth: between hosts, between zones below the one they stand in, with ends of unequal depth.
{
  echo "$head<zone id=\"W\" routing=\"Full\">"
  echo '<zone id="A" routing="Full"><zone id="A1" routing="Full">'
  host a1 a1b; echo '<router id="ra1"/>'; link la1 1GBps 1us; link la1b 1GBps 2us; link lax 1GBps 3us
  echo "<route src=\"a1\" dst=\"ra1\">$(over la1)</route><route src=\"a1b\" dst=\"ra1\">$(over la1b)</route>"
  echo "<route src=\"a1\" dst=\"a1b\">$(over lax)</route><bypassRoute src=\"a1\" dst=\"a1b\">$(over la1 la1b)</bypassRoute>"
  echo '</zone><zone id="A2" routing="Full">'; host a2; echo '</zone>'; link laa 1GBps 5us
  echo "<zoneRoute src=\"A1\" dst=\"A2\" gw_src=\"ra1\" gw_dst=\"a2\">$(over laa)</zoneRoute></zone>"
  echo '<zone id="B" routing="Floyd"><zone id="B1" routing="Full">'
  host b1; echo '<router id="rb1"/>'; link lb1 1GBps 7us; echo "<route src=\"b1\" dst=\"rb1\">$(over lb1)</route>"
  echo '</zone><zone id="B2" routing="Full">'; host b2; echo '</zone>'; link lbb 1GBps 11us
  echo "<zoneRoute src=\"B1\" dst=\"B2\" gw_src=\"rb1\" gw_dst=\"b2\">$(over lbb)</zoneRoute></zone>"
  link wan 1GBps 13us; link by1 1GBps 17us; link by2 1GBps 19us; link by3 1GBps 23us
  echo "<zoneRoute src=\"A\" dst=\"B\" gw_src=\"ra1\" gw_dst=\"rb1\">$(over wan)</zoneRoute>"
  echo "<bypassZoneRoute src=\"A1\" dst=\"B1\" gw_src=\"ra1\" gw_dst=\"rb1\">$(over by1)</bypassZoneRoute>"
  echo "<bypassZoneRoute src=\"A2\" dst=\"B\" gw_src=\"a2\" gw_dst=\"b2\">$(over by2)</bypassZoneRoute>"
  echo "<bypassASroute src=\"B\" dst=\"A1\" gw_src=\"b2\" gw_dst=\"a1\">$(over by3)</bypassASroute>"
  echo "<bypassZoneRoute src=\"B\" dst=\"A\" gw_src=\"rb1\" gw_dst=\"ra1\">$(over by3 by1)</bypassZoneRoute></zone></platform>"
} > "$work/bypass.xml"
compare_routes "bypasses" "$work/bypass.xml"
compare_routes "bypass between clusters" "$platforms/generic/bypass.xml"

# Coordinates of peers, and of hosts in a part of a larger platform (the DTD lets no zone hold both).
compare_routes "peers" "$platforms/generic/vivaldi.xml"
{
  echo "$head<zone id=\"W\" routing=\"Full\"><zone id=\"V\" routing=\"Vivaldi\">"
  awk 'BEGIN { srand(7); for (i = 0; i < 12; ++i) {
    at = sprintf("%.1f %.1f %.1f", rand() * 200 - 100, rand() * 200 - 100, rand() * 50)
    printf "<host id=\"v%d\" speed=\"1Gf\" coordinates=\"%s\"/>\n", i, at } }'
  echo '<router id="r" coordinates="6 -8.5 0.25"/></zone><zone id="F" routing="DijkstraCache">'
  host f0 f1; echo '<router id="q"/>'; link g0 1GBps 1us; link g1 1GBps 2us
  echo "<route src=\"f0\" dst=\"q\">$(over g0)</route><route src=\"f1\" dst=\"q\">$(over g1)</route>"
  echo "<route src=\"f0\" dst=\"f1\">$(over g0 g1)</route></zone>"
  link wan 1GBps 13ms
  echo "<zoneRoute src=\"V\" dst=\"F\" gw_src=\"r\" gw_dst=\"q\">$(over wan)</zoneRoute></zone></platform>"
} > "$work/vivaldi.xml"
compare_routes "coordinates in a larger platform" "$work/vivaldi.xml"

# Shortest paths with and without cache, where each is the only shortest one: a tree.
for routing in Floyd Dijkstra DijkstraCache; do
  {
    echo "$head<zone id=\"W\" routing=\"$routing\">"; host t0 t1 t2 t3 t4 t5 t6
    for i in 1 2 3 4 5 6; do link l$i 1GBps ${i}us; done
    for i in 1 2 3 4 5 6; do
      echo "<route src=\"t$i\" dst=\"t$(((i - 1) / 2))\">$(over l$i)</route>"
    done
    echo '</zone></platform>'
  } > "$work/tree.xml"
  compare_routes "tree, $routing" "$work/tree.xml"
done

# Messages under profiles. SimGrid 3.32 loses a flow whose link changes while it pays its latency (docs/models.md), so the
# changes come when the latencies are paid; and it connects no trace to a link, so the profiles are in files.
printf 'PERIODICITY 0.3\n0 100e6\n0.05 80e6\n0.2 140e6\n' > "$work/up.bw"
printf '0.1 450e6\n0.4 100e6\nPERIODICITY 1\n' > "$work/bb.bw"
printf '0.1 0.0001\n0.43 0.00003\nPERIODICITY 1.0\n' > "$work/k1.lat"
printf '0 55e6\n0.11 50e6\n0.2 20e6\n0.35 90e6\nLOOPAFTER 0.1\n' > "$work/wan.bw"
printf '0.15 0.002\n0.3 0.0005\nPERIODICITY 0.5\n' > "$work/wan.lat"
printf '0.07 60e6\n0.2 300e6\n' > "$work/k0.bw"
{
  echo "$head<zone id=\"W\" routing=\"Full\"><zone id=\"C\" routing=\"Floyd\">"
  for i in 0 1 2 3 4 5 6 7; do
    host n$i
    case $i in 2) more='bandwidth_file="up.bw"' ;; 5) more='bandwidth_file="bb.bw"' ;; *) more= ;; esac
    link l$i 125MBps 50us "$more"
  done
  echo '<router id="r"/>'
  for i in 0 1 2 3 4 5 6 7; do echo "<route src=\"n$i\" dst=\"r\">$(over l$i)</route>"; done
  echo '</zone><zone id="D" routing="Full">'; host m0 m1; echo '<router id="q"/>'
  link k0 250MBps 20us 'sharing_policy="SPLITDUPLEX" bandwidth_file="k0.bw"'; link k1 250MBps 20us 'latency_file="k1.lat"'
  echo "<route src=\"m0\" dst=\"q\"><link_ctn id=\"k0\" direction=\"UP\"/></route><route src=\"m1\" dst=\"q\">$(over k1)</route>"
  echo "<route src=\"m0\" dst=\"m1\"><link_ctn id=\"k0\" direction=\"UP\"/>$(over k1)</route></zone>"
  link wan 60MBps 1ms 'bandwidth_file="wan.bw" latency_file="wan.lat"'
  echo "<zoneRoute src=\"C\" dst=\"D\" gw_src=\"r\" gw_dst=\"q\">$(over wan)</zoneRoute></zone></platform>"
} > "$work/profiles.xml"
traffic() { # platform hosts…
  platform=$1
  shift
  printf '%s\n' "$@" > "$work/hosts"
  python3 "$here/compare.py" file "$work/traffic" "$platform" "$work/hosts" || status=1
}
traffic "$work/profiles.xml" n0 n1 n2 n3 n4 n5 n6 n7 m0 m1
# Messages over peers' links, over a mere distance, and over a bypass.
traffic "$platforms/generic/vivaldi.xml" desk server phone
traffic "$work/vivaldi.xml" v0 v1 v2 v5 f0 f1
traffic "$platforms/generic/bypass.xml" east-0 east-1 east-2 east-3 west-0 west-1 west-2 west-3

# Bursts under profiles, also on hosts that are shared.
printf '0.5 0.5\n1.5 2\n' > "$work/once"
printf '0 1\n0.25 0.125\nPERIODICITY 0.5\n' > "$work/again"
printf '0.1 0.7\n0.3 0.1\nLOOPAFTER 0.2\n' > "$work/after"
{
  echo "$head<zone id=\"W\" routing=\"Full\">"
  for profile in after again once; do # in the order of the names: SimGrid's order of hosts
    for name in $profile-1-a $profile-1-b $profile-2-a $profile-2-b; do # SimGrid takes a file once
      cp "$work/$profile" "$work/$name"
      cores=${name#*-}
      echo "<host id=\"$name\" speed=\"1Gf\" core=\"${cores%-*}\" speed_file=\"$name\"/>"
    done
  done
  echo '</zone></platform>'
} > "$work/bursts.xml"
for flops in 1e8 1e9 3.3e9; do
  "$work/bursts" "$work/bursts.xml" $flops 2> "$work/error" | sort > "$work/theirs"
  "$bursts" "$work/bursts.xml" $flops 2>> "$work/error" | sort > "$work/ours"
  paste "$work/theirs" "$work/ours" | awk -v flops=$flops '
    { d = $6 - $3; if (d < 0) d = -d; if (d > most) most = d; if ($1 != $4 || d > 1e-6 * $3) bad++ }
    END { printf "bursts of %s operations: %d, greatest difference %.0f ns\n", flops, NR, most * 1e9; exit (NR < 18 || bad > 0) }' ||
    { status=1; head -2 "$work/error"; }
done
exit $status
