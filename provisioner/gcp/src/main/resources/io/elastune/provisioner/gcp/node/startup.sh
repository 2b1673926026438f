#!/bin/sh
# What an Elastune node does when it boots: it arms its dead-man timer, sets the job up, and tells by
# an attribute of its own how that went, where the controller reads it.
root=${ELASTUNE_ROOT:-}
metadata=${ELASTUNE_METADATA:-http://metadata.google.internal}/computeMetadata/v1
state=$root/var/lib/elastune
units=$root/etc/systemd/system

tell() {
  for again in 1 2 3 4 5; do
    curl -sf -m 5 -X PUT -H 'Metadata-Flavor: Google' --data-binary "$1" \
      "$metadata/instance/guest-attributes/elastune/state" && return
    sleep "$again"
  done
}

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
Description=End this machine when nobody renews its time
[Service]
Type=oneshot
ExecStart=$state/dead-man.sh
ELASTUNE_UNIT
    cat >"$units/elastune-dead-man.timer" <<'ELASTUNE_UNIT' &&
[Unit]
Description=Look every half minute whether this machine's time is over
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

# A machine that has booted before knows when it was born; it may not live longer for booting again.
[ -s "$state/born" ] && exit 0

# A machine without its timer might live, and be paid for, for ever: it is not to live at all.
if ! arm; then
  tell 'failed 1 '
  shutdown -h now || poweroff -f
  exit 1
fi

setup() {
  mkdir -p "$workdir" && cd "$workdir" && echo "$command" | base64 -d >"$state/setup.sh" &&
    sh "$state/setup.sh"
}

command='@SETUP@'
workdir=$(echo '@WORKDIR@' | base64 -d)
code=0
if [ -n "$command" ]; then
  (setup) >"$state/setup.log" 2>&1
  code=$?
fi
if [ "$code" -eq 0 ]; then
  tell ready
else
  tell "failed $code $(tail -c 2000 "$state/setup.log" | base64 | tr -d '\n')"
fi
