#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# compare-infiniband.sh: the patterns of nodes.c under Debian's SMPI with network/model:IB and under Gnomon's `ib`, on
# clusters of 100 Gbit/s, with wide and with shared links; for each the greatest difference of the ranks' dates. Needs
# GNOMON_PREFIX, and smpirun on PATH (without it: exit 77). Exits 1 when a difference exceeds 1e-6, relative to the rank's date, in another pattern
# than `staggered`, where SMPI keeps penalties that no longer hold (docs/models.md, "Differences from SMPI").
#
# SMPI 3.32 takes the factors of its Ethernet model for IB, 4.1 none: factors of 1 are given to both.
here=$(cd "$(dirname "$0")" && pwd)
PATH=$GNOMON_PREFIX/bin:$PATH
command -v smpirun > /dev/null || { echo "skipped: there is no smpirun (apt-get install libsimgrid-dev)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
smpicc -O2 "$here/nodes.c" -o "$work/smpi" || exit 2
gnomon cc -O2 "$here/nodes.c" -o "$work/gnomon" || exit 2
ranks=8
# Every route crosses a link of each host; FATPIPE: the links never limit, only the penalties do.
for sharing in SHARED FATPIPE; do
  {
    echo "<?xml version='1.0'?><!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>"
    echo "<platform version='4.1'><zone id='world' routing='Full'>"
    for host in $(seq 0 $((ranks - 1))); do
      echo "<host id='n$host' speed='1Gf'/>"
    done
    for host in $(seq 0 $((ranks - 1))); do
      for way in up down; do
        echo "<link id='$way$host' bandwidth='12.5GBps' latency='500ns' sharing_policy='$sharing'/>"
      done
    done
    for from in $(seq 0 $((ranks - 1))); do
      for to in $(seq 0 $((ranks - 1))); do
        [ "$from" = "$to" ] || echo "<route src='n$from' dst='n$to' symmetrical='NO'><link_ctn id='up$from'/><link_ctn
          id='down$to'/></route>"
      done
    done
    echo "</zone></platform>"
  } > "$work/cluster.xml"
  seq 0 $((ranks - 1)) | sed 's/^/n/' > "$work/hosts"
  for factors in "0.965;0.925;1.35" "0.9;1.1;2"; do
    for pattern in fanout fanin staggered pairs shift alltoall; do
      for bytes in 1000 100000 4000000; do
        smpirun -np $ranks -platform "$work/cluster.xml" -hostfile "$work/hosts" --cfg=smpi/simulate-computation:no \
          --cfg=network/model:IB --cfg=network/optim:Full --cfg=smpi/wtime:0 --cfg=surf/precision:1e-12 \
          --cfg=smpi/bw-factor:0:1.0 --cfg=smpi/lat-factor:0:1.0 --cfg="smpi/IB-penalty-factors:$factors" \
          --log=root.thresh:critical "$work/smpi" $pattern $bytes > "$work/smpi.out" 2> "$work/smpi.err" ||
          { echo "$pattern $bytes: SMPI fails: $(head -1 "$work/smpi.err")"; status=1; continue; }
        gnomon run -q -n $ranks --platform "$work/cluster.xml" --hostfile "$work/hosts" --compute=none --network=ib \
          --set smpi/wtime=0 --set surf/precision=1e-12 --set "smpi/IB-penalty-factors=$factors" \
          "$work/gnomon" $pattern $bytes > "$work/gnomon.out" || { echo "$pattern: gnomon fails"; status=1; continue; }
        for simulator in smpi gnomon; do
          sort -k2n "$work/$simulator.out" > "$work/$simulator.sorted"
        done
        paste "$work/smpi.sorted" "$work/gnomon.sorted" |
          awk -v name="$sharing $factors $pattern $bytes" -v free="$pattern" '
            { d = $6 - $3; if (d < 0) d = -d; if (d > most) most = d; if ($3 > last) last = $3; if ($6 > ours) ours = $6
              if (d > 1.5e-9 && d > 1e-6 * $3) bad++ }
            END { printf "%-45s SMPI %.9f Gnomon %.9f s, greatest difference %.0f ns\n", name, last, ours, most * 1e9
                  exit (NR == 0 || (bad > 0 && free != "staggered")) }' || status=1
      done
    done
  done
done
exit $status
