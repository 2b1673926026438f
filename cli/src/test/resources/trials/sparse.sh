#!/bin/sh
# A trial that takes START seconds and PAUSE seconds per unit, and reports every EVERY units and at its end. It crashes
# if x is above MOST, and hangs if x is above CALM. It reports VALUE in place of x.
. ./lib.sh
x=$(field x)
above() { awk "BEGIN { exit !($x > $1) }"; }
if above "${MOST:-1}"; then
  printf 'Traceback:\n    in train: out of memory\n' >&2
  exit 1
fi
if above "${CALM:-1}"; then exec sleep 600; fi
sleep "$START"
unit=$from
while [ "$unit" -lt "$to" ]; do
  sleep "$PAUSE"
  unit=$((unit + 1))
  [ "$unit" -lt "$to" ] || save "$unit"
  if [ "$unit" -eq "$to" ] || [ $((unit % EVERY)) -eq 0 ]; then report "$unit" "${VALUE:-$x}"; fi
done
