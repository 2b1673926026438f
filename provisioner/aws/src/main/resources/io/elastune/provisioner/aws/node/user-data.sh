#!/bin/sh
# First boot of an Elastune node: starts the dead-man timer, runs the job's setup, and reports the
# result on the console, where the controller reads it.
root=${ELASTUNE_ROOT:-}
console=${ELASTUNE_CONSOLE:-/dev/console}
state=$root/var/lib/elastune
units=$root/etc/systemd/system

report() { printf '\nELASTUNE-NODE %s\n' "$*" >"$console"; }

arm() {
  mkdir -p "$state" "$units" &&
    date +%s >"$state/born" &&
    echo '@EXPIRES@' >"$state/expires" &&
    echo '@LONGEST_S@' >"$state/longest" &&
    cat >"$state/dead-man.sh" <<'ELASTUNE_SCRIPT' &&
@DEAD_MAN@
ELASTUNE_SCRIPT
    chmod 755 "$state/dead-man.sh" &&
    cat >"$units/elastune-dead-man.service" <<ELASTUNE_UNIT &&
[Unit]
Description=Shut this node down when its expiry has passed
[Service]
Type=oneshot
ExecStart=$state/dead-man.sh
ELASTUNE_UNIT
    cat >"$units/elastune-dead-man.timer" <<'ELASTUNE_UNIT' &&
[Unit]
Description=Check the expiry of this node every 30 seconds
[Timer]
OnActiveSec=0
OnUnitActiveSec=30
AccuracySec=1
[Install]
WantedBy=timers.target
ELASTUNE_UNIT
    systemctl daemon-reload &&
    systemctl enable --now elastune-dead-man.timer
}

# A node without the timer could run and be billed indefinitely: shut it down.
if ! arm; then
  report 'failed 1 '
  shutdown -h now || poweroff -f
  exit 1
fi

setup() {
  mkdir -p "$workdir" && cd "$workdir" && echo "$command" | base64 -d >"$state/setup.sh" || return
  if command -v bash >/dev/null 2>&1; then
    bash -e "$state/setup.sh"
  else
    sh -e "$state/setup.sh"
  fi
}

command='@SETUP@'
workdir=$(echo '@WORKDIR@' | base64 -d)
code=0
if [ -n "$command" ]; then
  (setup) >"$state/setup.log" 2>&1
  code=$?
fi
if [ "$code" -eq 0 ]; then
  report ready
else
  report "failed $code $(tail -c 2000 "$state/setup.log" | base64 | tr -d '\n')"
fi
