#!/bin/sh
# The software of an Elastune node. The cloud runs it without an argument at each boot, as early as
# it can: it installs itself and starts its services, which systemd runs with one of these arguments.
#   watch    the dead-man timer: shuts the node down when its expiry has passed
#   notices  acts on the cloud's notice that it will interrupt the instance
#   setup    runs the setup once, also over reboots, again if it fails, and reports its result
root=${ELASTUNE_ROOT:-}
state=$root/var/lib/elastune
memory=$root/run/elastune # not on the disk, which may be full
units=$root/etc/systemd/system
first_expiry=@EXPIRES@
longest=@LONGEST_S@
grace=1200 # seconds for which a boot may lack its instance id
command='@SETUP@'
workdir=$(echo '@WORKDIR@' | base64 -d)
used=$(echo '@USED@' | base64 -d) # the path that exists once the controller uses this node
local_disk='@LOCAL_DISK@' # whether workdir may be a link to a local disk

# Functions of the cloud: instance_id, node_address, read_expiry, await_interruption, report,
# end_instance.
@CLOUD@

write() { cat >"$1.new" && mv "$1.new" "$1"; } # a shell that runs the old file keeps it

number() { # prints the number in the file, or the second argument
  read -r found 2>/dev/null <"$1" || found=''
  case $found in '' | *[!0-9]*) found=$2 ;; esac
  printf '%s\n' "$found"
}

# Removes the state of another instance, which its image contains. Without the id, keeps all state.
claim_state() {
  id=$(instance_id)
  if [ -n "$id" ] && [ "$id" != "$(cat "$state/instance" 2>/dev/null)" ]; then
    rm -rf "$state" && mkdir -p "$state" && echo "$id" >"$state/instance" || return
  fi
  [ -s "$state/born" ] || date +%s >"$state/born"
}

write_files() {
  mkdir -p "$units" || return
  write "$units/elastune-dead-man.service" <<ELASTUNE_UNIT &&
[Unit]
Description=Shut this node down when its expiry has passed
DefaultDependencies=no
After=local-fs.target
IgnoreOnIsolate=yes
StartLimitIntervalSec=0
[Service]
ExecStart=/bin/sh $state/node.sh watch
Restart=always
RestartSec=5
RestartPreventExitStatus=3
OOMScoreAdjust=-1000
[Install]
WantedBy=sysinit.target
ELASTUNE_UNIT
    write "$units/elastune-notices.service" <<ELASTUNE_UNIT &&
[Unit]
Description=Act on interruption notices of the cloud
[Service]
ExecStart=/bin/sh $state/node.sh notices
Restart=on-failure
RestartSec=5
ELASTUNE_UNIT
    write "$units/elastune-setup.service" <<ELASTUNE_UNIT &&
[Unit]
Description=Run the setup of the job
Wants=network-online.target
After=network-online.target cloud-final.service mnt-elastune\x2dlocal.mount dlami-nvme.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh $state/node.sh setup
ELASTUNE_UNIT
    write "$state/node.sh" <"$0"
}

install() {
  mkdir -p "$state" "$memory/interrupted.d" && claim_state || return
  cmp -s "$0" "$state/node.sh" || write_files || return # a reboot needs no space on the disk
  : >"$memory/installed" &&
    systemctl daemon-reload &&
    systemctl enable elastune-dead-man.service &&
    systemctl restart --no-block elastune-dead-man.service
}

# An image may contain the script of another instance, until the boot script replaces it.
is_own() {
  [ -e "$memory/installed" ] && return
  id=$(instance_id)
  if [ -n "$id" ] && [ "$id" != "$(cat "$state/instance" 2>/dev/null)" ]; then
    echo "elastune: this image contains the state of another instance: nothing is shut down"
    exit 3
  fi
  [ -n "$id" ] || [ "$now" -ge $((started + grace)) ]
}

# Uses the last expiry that was read. It is stored for the time after a restart or a reboot.
check_expiry() {
  now=$(date +%s)
  [ -n "$own" ] || is_own || return
  own=yes
  expires=${expires:-$(number "$memory/expires" "$(number "$state/expires" "$first_expiry")")}
  tag=$(read_expiry)
  case $tag in
    '' | *[!0-9]*) ;; # not read
    *)
      expires=$tag
      for folder in "$memory" "$state"; do
        echo "$tag" >"$folder/expires.new" && mv "$folder/expires.new" "$folder/expires"
      done 2>/dev/null
      ;;
  esac
  end=$(($(number "$state/born" "$started") + longest))
  [ "$expires" -gt "$end" ] || end=$expires
  [ "$now" -lt "$end" ] || end_node
}

# Shuts the node down, and by force if that takes longer than its services may take to stop.
end_node() {
  echo "elastune: expiry $end has passed at $now: shutting down"
  end_instance
  shutdown -h now || poweroff -f
  sleep 180
  while :; do
    systemctl --force --force --no-sync poweroff || echo o >"$root/proc/sysrq-trigger"
    sleep 30
  done
}

watch() {
  started=$(date +%s)
  own=''
  expires=''
  while :; do
    check_expiry
    sleep 30
  done
}

# Announces the interruption to this node: by a file, and by each script in interrupted.d.
notices() {
  await_interruption
  echo "$notice" | write "$memory/interrupted"
  for hook in "$memory"/interrupted.d/*; do
    [ -f "$hook" ] && sh "$hook" &
  done
  report interrupted
  wait
}

# Runs a command as the user elastune, who may use sudo, or as root if there is no such user.
as_user() {
  getent passwd elastune >/dev/null || useradd -m -s "$shell" elastune
  home=$(getent passwd elastune | cut -d: -f6)
  if [ -n "$home" ]; then
    mkdir -p "$root/etc/sudoers.d" && chown elastune "$workdir" &&
      echo 'elastune ALL=(ALL) NOPASSWD:ALL' >"$root/etc/sudoers.d/elastune" || return
    runuser -u elastune -- env HOME="$home" USER=elastune LOGNAME=elastune "$@"
  else
    HOME=/root "$@"
  fi
}

# Prints the folder of the local disks that the image mounts, as AWS's images for deep learning do.
mounted_disk() {
  timeout 300 systemctl start dlami-nvme.service
  mountpoint -q "$root/opt/dlami/nvme" && echo "$root/opt/dlami/nvme"
}

# Prints the first local disk that is empty: without partition, file system or other signature.
empty_disk() {
  for disk in "$root"/dev/disk/by-id/nvme-Amazon_EC2_NVMe_Instance_Storage_* \
    "$root"/dev/disk/by-id/google-local-*; do
    [ -e "$disk" ] && [ "$(lsblk -nro TYPE "$disk")" = disk ] &&
      [ -z "$(lsblk -nro FSTYPE "$disk")" ] || continue
    blkid -p "$disk" >&2
    [ $? -ne 2 ] || { echo "$disk" && return; }
  done
  return 1
}

# Formats and mounts an empty local disk, also after reboots, and prints its folder.
format_disk() {
  place=$root/mnt/elastune-local
  disk=$(empty_disk) && mkfs.ext4 -q -L elastune "$disk" >&2 && mkdir -p "$place" &&
    echo "LABEL=elastune $place ext4 defaults,nofail 0 2" >>"$root/etc/fstab" &&
    mount "$place" >&2 && echo "$place"
}

# Places the folder of the job on a local disk, which is faster than that of the image, unless the
# image has the folder, or another file system for it.
use_local_disk() {
  [ -n "$local_disk" ] && [ ! -e "$workdir" ] || return
  rm -f "$workdir" # a link to the disk of an earlier instance
  parent=$(dirname "$workdir")
  mkdir -p "$parent" && [ "$(stat -c %d "$parent")" = "$(stat -c %d "$root/")" ] || return
  if [ -d "$root/opt/dlami" ]; then place=$(mounted_disk); else place=$(format_disk); fi
  [ -n "$place" ] && mkdir -p "$place/elastune" && ln -s "$place/elastune" "$workdir" &&
    echo "elastune: $workdir is on the local disk $place"
}

run_setup() {
  use_local_disk
  mkdir -p "$workdir" && echo "$command" | base64 -d >"$state/setup.sh" || return
  ELASTUNE_ADDRESS=$(node_address)
  export ELASTUNE_ADDRESS
  login=-lc
  shell=$(command -v bash) || { shell=/bin/sh && login=-c; }
  as_user "$shell" "$login" 'set -e; cd "$1"; . "$2"' setup "$workdir" "$state/setup.sh"
}

# A setup that reboots the node, as installers of drivers do, runs again after the reboot.
try_setup() {
  [ -z "$command" ] || (run_setup) >"$state/setup.log" 2>&1
  failed=$?
  [ "$(systemctl is-system-running)" != stopping ] || exit 1
  return "$failed"
}

# Images update packages during their first minutes: apt-get then fails at once by default.
wait_for_dpkg() {
  [ ! -d "$root/etc/apt/apt.conf.d" ] ||
    echo 'DPkg::Lock::Timeout "600";' >"$root/etc/apt/apt.conf.d/99elastune"
}

setup() {
  wait_for_dpkg
  result=$(cat "$state/setup.done" 2>/dev/null)
  if [ -z "$result" ]; then
    code=0
    began=$(date +%s)
    try_setup || { sleep 5 && try_setup; } || code=$?
    result=ready
    [ -z "$command" ] || result="ready $(($(date +%s) - began))"
    [ "$code" -eq 0 ] ||
      result="failed $code $(tail -c 2000 "$state/setup.log" | base64 | tr -d '\n')"
    echo "$result" | write "$state/setup.done"
  fi
  report "$result"
  # A line of the kernel may have cut it on the console, and a request may have failed.
  while [ "$used" ] && [ ! -e "$used" ]; do
    sleep 30
    report "$result"
  done
}

case ${1:-} in
  watch | notices | setup) "$1" ;;
  *)
    # A node without the timer could run and be billed indefinitely: shut it down.
    if ! install; then
      report 'failed 1 '
      shutdown -h now || poweroff -f
      exit 1
    fi
    systemctl start --no-block elastune-notices.service elastune-setup.service
    ;;
esac
