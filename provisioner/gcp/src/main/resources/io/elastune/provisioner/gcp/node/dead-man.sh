#!/bin/sh
# Elastune's dead-man timer. It runs every 30 seconds and shuts this machine down after the expiry
# in the metadata item elastune-expires, which the controller renews. Google stops a machine that
# shuts down, and still bills its disk. If the node's service account may delete the instance, this
# script deletes it first, with its disk.
#
# If the item cannot be read, the last value read counts, or else the value set at the first boot.
# In any case the machine shuts down after its maximum lifetime.
metadata=${ELASTUNE_METADATA:-http://metadata.google.internal}/computeMetadata/v1
compute=${ELASTUNE_COMPUTE:-https://compute.googleapis.com}/compute/v1
state=${ELASTUNE_ROOT:-}/var/lib/elastune
memory=${ELASTUNE_ROOT:-}/run/elastune # not on the disk, which may be full
now=$(date +%s)

number() { # the number in a file, or the second argument
  read -r found 2>/dev/null <"$1" || found=''
  case $found in '' | *[!0-9]*) found=$2 ;; esac
  printf '%s\n' "$found"
}

read_metadata() { curl -sf -m 5 -H 'Metadata-Flavor: Google' "$metadata/$1"; }

store() { # stores the expiry in a folder
  mkdir -p "$1" && printf '%s\n' "$item" >"$1/expires.new" && mv "$1/expires.new" "$1/expires"
}

[ -s "$state/born" ] || printf '%s\n' "$now" >"$state/born"

item=$(read_metadata instance/attributes/elastune-expires)
expires=$(number "$memory/expires" "$(number "$state/expires" "$now")")
case $item in
  '' | *[!0-9]*) ;; # not readable: keep the last expiry
  *)
    expires=$item
    store "$memory" 2>/dev/null
    store "$state" 2>/dev/null # for the time after a reboot
    ;;
esac

last=$(($(number "$state/born" "$now") + $(number "$state/longest" 0)))
[ "$expires" -le "$last" ] || expires=$last
[ "$now" -lt "$expires" ] && exit 0

echo "elastune: expiry $expires has passed at $now: shutting down"
token=$(read_metadata instance/service-accounts/default/token |
  sed -n 's/.*"access_token" *: *"\([^"]*\)".*/\1/p')
if [ -n "$token" ]; then
  zone=$(read_metadata instance/zone)
  project=$(read_metadata project/project-id)
  name=$(read_metadata instance/name)
  curl -sf -m 20 -X DELETE -H "Authorization: Bearer $token" \
    "$compute/projects/$project/zones/${zone##*/}/instances/$name" >/dev/null
fi
shutdown -h now || poweroff -f
