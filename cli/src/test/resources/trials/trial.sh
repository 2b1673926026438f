#!/bin/sh
# A correct trial. Its metric is better the closer x is to 0.3, and the longer it trains.
. ./lib.sh
x=$(field x)
echo "worker $RANK of $WORLD_SIZE, from $from to $to"
if [ "$from" -gt 0 ] && [ "$(cat "$from/state")" != "trained to $from" ]; then
  echo "checkpoint $from is not what was saved" >&2
  exit 1
fi
stopped=
trap 'stopped=yes' TERM
unit=$from
while [ "$unit" -lt "$to" ]; do
  sleep "$PAUSE"
  if [ -n "$stopped" ]; then
    if [ "$RANK" -eq 0 ] && [ "$unit" -gt 0 ]; then save "$unit"; fi
    exit 75
  fi
  unit=$((unit + 1))
  if [ "$RANK" -eq 0 ]; then
    [ "$unit" -lt "$to" ] || save "$unit"
    report "$unit" "$(awk "BEGIN { print (1 - ($x - 0.3) * ($x - 0.3)) * $unit / ($unit + 1) }")"
  fi
done
