#!/bin/sh
# Trials that report only once, at their end, and differ in what they do before.
. ./lib.sh
does=$(field does)
first=
if mkdir seen 2>/dev/null; then first=yes; fi

case $does in
  sleeps) sleep "$PAUSE" ;;
  prints)
    rest=$PAUSE
    while [ "$rest" -gt 0 ]; do
      echo "$rest s left"
      sleep 1
      rest=$((rest - 1))
    done
    ;;
  computes)
    end=$(($(date +%s) + PAUSE))
    # A tenth of a core or less, which is still far above what counts as activity.
    while [ "$(date +%s)" -lt "$end" ]; do
      i=0
      while [ "$i" -lt 20000 ]; do i=$((i + 1)); done
      sleep 0.2
    done
    ;;
  hangs) [ -z "$first" ] || sleep 600 ;;
esac
save "$to"
report "$to" 0.5
