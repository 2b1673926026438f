#!/bin/sh
# A correct trial whose units take time only by the clock of the test: it waits until that clock has advanced.
. ./lib.sh
unit=$from
while [ "$unit" -lt "$to" ]; do
  wait="$WAITS/${ELASTUNE_ATTEMPT##*/}.$unit"
  mkfifo "$wait.new" && mv "$wait.new" "$wait" || exit 1
  read -r _ <"$wait"
  unit=$((unit + 1))
  [ "$unit" -lt "$to" ] || save "$unit"
  report "$unit" "0.$(field trial)"
done
