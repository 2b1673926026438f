#!/bin/sh
# A correct trial whose units take time only by the clock of the test: worker 0 waits until that clock has advanced.
# Its metric is better the closer x is to 0.3, and the longer it trains.
. ./lib.sh
if [ "$from" -gt 0 ] && [ "$(cat "$from/state")" != "trained to $from" ]; then
  echo "checkpoint $from is not what was saved" >&2
  exit 1
fi
stopped=
trap 'stopped=yes' TERM

# metric UNIT: in whole numbers of the first four digits of x, without other programs
case $(field x) in
  *[eE]*) x=0 ;;
  0.*)
    digits=$(field x)0000
    digits=${digits#0.}
    x=$((1${digits%"${digits#????}"} - 10000))
    ;;
  *) x=9999 ;;
esac
metric() { printf '0.%08d' $((((100000000 - (x - 3000) * (x - 3000)) * $1) / ($1 + 1))); }

# Other workers end with worker 0.
while [ "$RANK" -gt 0 ] && [ -z "$stopped" ] && [ ! -d "$to" ]; do sleep 0.1; done

# The clock writes to a pipe. It is open for both directions, so that neither end waits for the other and nothing is lost.
wait="$WAITS/${ELASTUNE_ATTEMPT##*/}"
if [ "$RANK" -eq 0 ]; then mkfifo "$wait.pipe" && exec 3<>"$wait.pipe" || exit 1; fi
unit=$from
while [ "$RANK" -eq 0 ] && [ "$unit" -lt "$to" ]; do
  : >"$wait.$unit"
  word=
  [ -n "$stopped" ] || read -r word <&3
  # The controller is ending this attempt: its request may follow.
  while [ "$word" = end ] && [ -z "$stopped" ]; do sleep 0.05; done
  [ -z "$stopped" ] || break
  unit=$((unit + 1))
  [ "$unit" -lt "$to" ] || save "$unit"
  report "$unit" "$(metric "$unit")"
done
[ -n "$stopped" ] || exit 0
if [ "$RANK" -eq 0 ] && [ "$unit" -gt 0 ]; then save "$unit"; fi
exit 75
