#!/bin/sh
# Trials that fail as their hyperparameter says; some fail only the first time.
. ./lib.sh
does=$(field does)
first=
if mkdir seen 2>/dev/null; then first=yes; fi

train() {
  unit=$from
  while [ "$unit" -lt "$to" ]; do
    sleep "$PAUSE"
    unit=$((unit + 1))
    save "$unit"
    report "$unit" 0.5
  done
}

case $does in
  well)
    save "$to"
    report "$to" 0.9
    ;;
  crash) # always
    report 1 0.5
    echo 'simulated failure' >&2
    exit 3
    ;;
  quoted) # always, with a hint that quotes another error
    echo "hint: if you see 'No space left on device', clean ~/.cache" >&2
    exit 5
    ;;
  hang)
    save 1
    report 1 0.5
    [ -z "$first" ] || sleep 600
    train
    ;;
  rubbish)
    head -c 3000 /dev/urandom
    echo
    echo 'ELASTUNE {"unit": broken'
    train
    ;;
  disorder)
    report 2 0.5
    report 1 0.6
    save "$to"
    report "$to" 0.5
    ;;
  overrun)
    train
    save $((to + 1))
    report $((to + 1)) 0.99
    sleep 600
    ;;
  stubborn) # trains too many units, and ignores SIGTERM
    trap '' TERM
    train
    report $((to + 1)) 0.99
    while :; do sleep 1; done
    ;;
  torn)
    if [ -n "$first" ]; then
      save "$to"
      echo more >>"$to/state"
      report "$to" 0.5
    else
      train
    fi
    ;;
  bare) # no checkpoint
    report "$to" 0.5
    ;;
  nan)
    save "$to"
    report "$to" NaN
    ;;
  other) # without the metric
    save "$to"
    echo 'ELASTUNE {"unit": '"$to"', "metrics": {"loss": 1}}'
    ;;
  silent)
    [ -n "$first" ] || train
    ;;
  early) # needs no more training after unit 1
    save 1
    done_report 1 0.5
    ;;
  late) # decides so after the report of unit 2
    save 2
    report 2 0.5
    done_report 2 0.5
    ;;
  endless) # continues after it was done
    save 1
    done_report 1 0.5
    report 2 0.99
    sleep 600
    ;;
  again)
    [ -z "$first" ] || exit 75
    train
    ;;
esac
