#!/bin/sh
# Trials that do harm in their first attempt, as their hyperparameter says, and train otherwise. What
# they leave as processes is a sleep of MARK seconds.
. ./lib.sh
does=$(field does)
run=${ELASTUNE_CHECKPOINT_DIR%/*/*}
trial=${ELASTUNE_CHECKPOINT_DIR##*/}
files=${ELASTUNE_TRIAL_JSON%/*}

train() {
  unit=$from
  while [ "$unit" -lt "$to" ]; do
    sleep 0.1
    unit=$((unit + 1))
    save "$unit"
    report "$unit" 0.5
  done
}

stay() { sleep "$MARK"; }

# manifest UNIT TEXT: a checkpoint with this manifest.
manifest() { mkdir -p "$1" && printf '%s' "$2" >"$1/manifest.json"; }

# entry UNIT NAME SIZE: one with this file, with a wrong checksum.
entry() { manifest "$1" '{"unit": '"$1"', "files": [{"name": "'"$2"'", "size": '"$3"', "sha256": "00"}]}'; }

# parent PID: prints its parent.
parent() { sed 's/.*) [A-Z] \([0-9]*\) .*/\1/' "/proc/$1/stat"; }

guard() {
  for process in /proc/[0-9]*; do
    if tr '\0' ' ' 2>/dev/null <"$process/cmdline" | grep -q "guard.sh $ELASTUNE_LEASE "; then echo "${process#/proc/}"; fi
  done
}

case $does in
  well*)
    train
    exit
    ;;
  again) exit 75 ;;
esac
if ! mkdir "$run/seen-$trial" 2>/dev/null; then
  train
  exit
fi

case $does in
  child) stay & ;;
  children) for each in $(seq 200); do stay & done ;;
  grandchild) (stay &) ;;
  session) setsid sleep "$MARK" & ;;
  cleared) env -i setsid sleep "$MARK" >/dev/null 2>&1 & ;;
  orphan) (env -i setsid sh -c "(sleep $MARK &)" &) ;;
  holder) env -i setsid sleep "$MARK" & ;; # keeps the output open
  offspring) env -i setsid sh -c "while :; do sleep $MARK & sleep 0.05; done" >/dev/null 2>&1 & ;;
  heir) trap 'env -i setsid sleep $MARK >/dev/null 2>&1 &' EXIT ;;
  orphaned)
    env -i setsid sleep "$MARK" >/dev/null 2>&1 &
    kill -9 $PPID
    stay
    ;;
  orphaned2)
    setsid sleep "$MARK" >/dev/null 2>&1 &
    kill -9 "$(parent $PPID)" $PPID
    stay
    ;;
  orphaned3)
    env -i setsid sleep "$MARK" >/dev/null 2>&1 &
    kill -9 "$(parent $PPID)"
    stay
    ;;
  suspended_keeper)
    kill -STOP $PPID
    exit 1
    ;;
  suspended) kill -STOP $$ ;;
  suspended_guard) kill -STOP $(guard) ;;
  unguarded)
    kill -9 $(guard)
    stay
    ;;
  group) kill -9 0 ;;
  segment) kill -SEGV $$ ;;
  deaf) trap '' TERM HUP INT QUIT ;;
  stubborn)
    trap '' TERM
    train
    report $((to + 1)) 0.99
    while :; do sleep 0.5; done
    ;;
  silent)
    exec <&- >&- 2>&-
    exit 0
    ;;
  memory) (ulimit -v 200000 && exec python3 -c "x = bytearray(1 << 30)") || exit ;;

  nul) manifest 1 '{"unit": 1, "files": [{"name": "a\u0000b", "size": 1, "sha256": "x"}]}' ;;
  huge) mkdir 1 && truncate -s 3G 1/manifest.json ;;
  deep) manifest 1 "$(printf '%0100000d' 0 | tr 0 '[')" ;;
  pipe) mkdir 1 && mkfifo 1/manifest.json ;;
  folder) mkdir -p 1/manifest.json/x ;;
  device) mkdir 1 && ln -s /dev/zero 1/manifest.json ;;
  listed_pipe) entry 1 state 0 && mkfifo 1/state ;;
  outside) entry 1 sub/hostname "$(wc -c </etc/hostname)" && ln -s /etc 1/sub ;;
  descriptor) entry 1 state 5 && ln -s /proc/self/fd/0 1/state ;;
  loop) entry 1 a/b 1 && ln -s a 1/a ;;
  sparse) entry 1 state 8796093022208 && truncate -s 8T 1/state ;;
  many)
    mkdir 1 && (cd 1 && seq 3000 | xargs touch)
    manifest 1 '{"unit": 1, "files": [{"name": "1", "size": 0, "sha256": "0"}'"$(seq -f ', {"name": "%.0f", "size": 0, "sha256": "0"}' 12000)"']}'
    ;;
  names)
    mkdir 1 && touch "1/$(printf 'a\nb')" "1/$(printf '\377\376')" "1/$(printf '\033[31m')"
    entry 1 "$(printf 'a\342\200\256b')" 0
    ;;
  units) mkdir 99999999999999999999 2.torn 2.tmp 007 && touch 3 4.tmp && mkfifo 5 6.tmp && ln -s / 8 ;;
  nested) python3 -c "
import os
for i in range(60):
    os.mkdir('d' * 50)
    os.chdir('d' * 50)" 2>/dev/null && mkdir 9.tmp && mv ddd* 9.tmp ;;
  socket)
    mkdir 1
    python3 -c "import socket; socket.socket(socket.AF_UNIX).bind('1/manifest.json')"
    ;;
  link)
    cd / && rmdir "$ELASTUNE_CHECKPOINT_DIR" && ln -s 1 "$ELASTUNE_CHECKPOINT_DIR"
    exit 1
    ;;
  file)
    cd / && rmdir "$ELASTUNE_CHECKPOINT_DIR" && mkfifo "$ELASTUNE_CHECKPOINT_DIR"
    exit 1
    ;;
  denied)
    mkdir -p 9.tmp/x && chmod 000 9.tmp/x 9.tmp . "$files"
    exit 1
    ;;
  renamed)
    cd / && mv "$ELASTUNE_CHECKPOINT_DIR" "$ELASTUNE_CHECKPOINT_DIR.moved" && mv "$files" "$files.moved"
    exit 1
    ;;
  hard_links) mkdir 1 && ln "$run/journal.db" 1/journal && entry 1 journal 1 ;;
  overwrite)
    for other in "$run"/trials/[0-9]*/[0-9]*; do echo forged >"$other/forged"; done
    ;;
  attempt_files)
    mkdir -p "$files/x/y" && rm "$ELASTUNE_TRIAL_JSON" && mkfifo "$ELASTUNE_TRIAL_JSON"
    exit 1
    ;;
  forged_exit) rm -f "$files"/exit-0* && mkfifo "$files/exit-0" "$files/exit-0.part" ;;
  log_pipe)
    rm "$run/logs/$trial.log" && mkfifo "$run/logs/$trial.log"
    exit 1
    ;;
  log_device)
    ln -sf /dev/full "$run/logs/$trial.log"
    exit 1
    ;;

  output) yes "$MYSEC" | head -c 100000000 ;;
  line) head -c 20000000 /dev/zero | tr '\0' x ;;
  noise) head -c 5000000 /dev/urandom ;;
  reports) for each in $(seq 5000); do report 1 0.1; done ;;
  channel)
    head -c 3000000 /dev/zero >"$ELASTUNE_REPORTS" &
    for each in $(seq 300); do report 1 0.1; done
    wait
    ;;
  thief) cat "$ELASTUNE_REPORTS" >/dev/null & ;;
  no_channel) rm "$ELASTUNE_REPORTS" ;;
  metrics) python3 -c "print('ELASTUNE', '{\"unit\": 1, \"metrics\": {' + ', '.join('\"m%d%s\": 1' % (i, 'x' * 300) for i in range(160)) + '}}')" ;;
  escapes)
    echo 'ELASTUNE {"unit": 1, "metrics": {"acc": 0.1, "\u001b]0;x\u0007\u009b31m\u202e'"$MYSEC"'": 1, "=1+1": 2}}'
    printf '\033]0;PWNED\007\033[2J\302\233\342\200\256%s\n' "$MYSEC" >&2
    printf 'ValueError: \033[31m%s\302\23331m\342\200\256\n' "$MYSEC"
    exit 3
    ;;
  secret_file)
    entry 1 "model-$MYSEC" 1
    exit 1
    ;;
  numbers)
    echo 'ELASTUNE {"unit": 1, "metrics": {"acc": 1e999, "b": -1e999, "c": NaN, "d": 1e-999, "e": [1], "f": {"g": 1}}}'
    echo 'ELASTUNE {"unit": 99999999999999999999, "metrics": {}}'
    echo 'ELASTUNE {"unit": 1, "unit": 2, "metrics": {}}'
    echo 'ELASTUNE {"unit": -1, "metrics": {"acc": 1}}'
    echo 'ELASTUNE {"waiting": 2147483647}'
    ;;
esac
[ -z "${LATE-}" ] || exec sleep "$MARK"
train
