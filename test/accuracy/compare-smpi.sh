#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# compare-smpi.sh [PLATFORM HOSTFILE]: random traffic (traffic.c) under Debian's SMPI (apt-get install libsimgrid-dev) and
# under Gnomon, on the same platform and hosts; for each run the greatest difference of the ranks' dates. Needs `gnomon` on
# PATH. Without arguments: the files of platforms/. Exits 1 when a difference exceeds LIMIT (default 1e-6, relative to the
# rank's date, and more than the last printed digit). Both take a timing precision of 1 ps, because on fast networks the
# default of 1 ns shows. SETTINGS: more parameters, as "KEY=VALUE KEY=VALUE". LEAST: bytes
# added to each message.
#
# SMPI runs with network/optim:Full: its default, Lazy, forgets constraints when several flows of one host begin to share at
# the same date (docs/models.md, "Differences from SMPI").
here=$(cd "$(dirname "$0")" && pwd)
platforms=$here/../../platforms
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
limit=${LIMIT:-1e-6}
status=0
smpicc -O2 "$here/traffic.c" -o "$work/smpi" || exit 2
gnomon cc -O2 "$here/traffic.c" -o "$work/gnomon" || exit 2
smpi_options="--cfg=network/optim:${OPTIM:-Full}" gnomon_options=""
for setting in smpi/wtime=0 surf/precision=1e-12 $SETTINGS; do
  smpi_options="$smpi_options --cfg=${setting%%=*}:${setting#*=}"
  gnomon_options="$gnomon_options --set $setting"
done

compare() { # platform hostfile
  ranks=$(wc -l < "$2")
  for case in "1 50 100000" "2 200 1000000" "3 1000 20000" "4 100 8000000" "5 400 300" "6 300 65600"; do
    # shellcheck disable=SC2086
    smpirun -np "$ranks" -platform "$1" -hostfile "$2" --cfg=smpi/simulate-computation:no $smpi_options \
      --log=root.thresh:critical "$work/smpi" $case $LEAST > "$work/smpi.out" 2> "$work/smpi.err" ||
      { echo "$1 $case: SMPI fails: $(head -1 "$work/smpi.err")"; status=1; continue; }
    # shellcheck disable=SC2086
    gnomon run -q -n "$ranks" --platform "$1" --hostfile "$2" --compute=none $gnomon_options \
      "$work/gnomon" $case $LEAST > "$work/gnomon.out" || { echo "$1 $case: gnomon fails"; status=1; continue; }
    for simulator in smpi gnomon; do
      sort -k2n "$work/$simulator.out" > "$work/$simulator.sorted"
    done
    paste "$work/smpi.sorted" "$work/gnomon.sorted" |
      awk -v name="$(basename "$1") $case" -v limit="$limit" '
        { d = $6 - $3; if (d < 0) d = -d; if (d > most) most = d; if ($3 > last) last = $3
          if (d > 1.5e-9 && d > limit * $3) bad++ }
        END { printf "%-38s %d ranks, last %.9f s, greatest difference %.0f ns\n", name, NR, last, most * 1e9
              exit (NR == 0 || bad > 0) }' || status=1
  done
}

hosts() { # prefix suffix numbers…
  prefix=$1 suffix=$2
  shift 2
  printf "$prefix%s$suffix\n" "$@"
}

topology() { # name topology parameters hosts attributes: 12 or more ranks on as many hosts, evenly spread
  cat > "$work/$1.xml" <<EOF
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Full">
  <cluster id="c" topology="$2" topo_parameters="$3" prefix="n" suffix="" radical="0-$(($4 - 1))" speed="1Gf"
           bw="125MBps" lat="50us" $5/>
</zone></platform>
EOF
  hosts n "" $(seq 0 $(($4 / 12)) $(($4 - 1))) > "$work/once"
  compare "$work/$1.xml" "$work/once"
}

topologies() {
  loopback='loopback_bw="100MBps" loopback_lat="1us"' limiter='limiter_link="150MBps"' shared='sharing_policy="SHARED"'
  topology torus-12 TORUS 3,2,2 12 "$loopback"
  topology torus-16-shared TORUS 4,4 16 "$shared"
  topology torus-60-limiter TORUS 5,4,3 60 "$limiter"
  topology tree-16 FAT_TREE '2;4,4;1,2;1,2' 16 "$loopback"
  topology tree-24-limiter FAT_TREE '3;4,3,2;1,2,3;1,2,1' 24 "$limiter"
  topology tree-24-shared FAT_TREE '3;4,3,2;1,2,3;1,2,1' 24 "$shared"
  topology dragonfly-36 DRAGONFLY '2,1;3,2;2,2;3' 36 ""
  topology dragonfly-36-shared DRAGONFLY '2,1;3,2;2,2;3' 36 "$shared"
  topology dragonfly-120-limiter DRAGONFLY '3,4;4,3;5,1;2' 120 "$loopback $limiter"
  cat "$work/once" "$work/once" > "$work/twice" # several ranks a host
  compare "$work/dragonfly-120-limiter.xml" "$work/twice"
}

if [ $# -eq 2 ]; then
  compare "$1" "$2"
else
  hosts node- "" $(seq 0 15) > "$work/nodes"
  compare "$platforms/generic/cluster.xml" "$work/nodes"
  compare "$platforms/generic/cluster-backbone.xml" "$work/nodes"
  hosts node- "" $(seq 3 4 63) > "$work/spread"
  for topology in torus fat-tree dragonfly; do
    compare "$platforms/generic/$topology.xml" "$work/spread"
  done
  topologies
  { hosts east- "" $(seq 0 7); hosts west- "" $(seq 0 7); echo desk; } > "$work/both"
  compare "$platforms/generic/two-clusters.xml" "$work/both"
  hosts griffon- .nancy.grid5000.fr $(seq 1 5 80) > "$work/griffon"
  compare "$platforms/machines/griffon.xml" "$work/griffon"
  hosts griffon- .nancy.grid5000.fr 1 1 2 2 40 40 80 80 > "$work/shared"
  compare "$platforms/machines/griffon.xml" "$work/shared"
  hosts gdx- .orsay.grid5000.fr 1 2 3 19 20 21 37 38 312 311 > "$work/gdx"
  compare "$platforms/machines/gdx.xml" "$work/gdx"
  hosts graphene- .nancy.grid5000.fr $(seq 1 11 144) > "$work/graphene"
  compare "$platforms/machines/graphene.xml" "$work/graphene"
  hosts tibidabo- "" $(seq 1 11 128) > "$work/tibidabo"
  compare "$platforms/machines/tibidabo.xml" "$work/tibidabo"
fi
exit $status
