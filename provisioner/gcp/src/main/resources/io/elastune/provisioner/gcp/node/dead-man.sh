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
now=$(date +%s)

number() { # the number in a file, or the second argument
  read -r found 2>/dev/null <"$state/$1" || found=''
  case $found in '' | *[!0-9]*) found=$2 ;; esac
  printf '%s\n' "$found"
}

read_metadata() { curl -sf -m 5 -H 'Metadata-Flavor: Google' "$metadata/$1"; }

[ -s "$state/born" ] || printf '%s\n' "$now" >"$state/born"

item=$(read_metadata instance/attributes/elastune-expires)
case $item in
  '' | *[!0-9]*) ;; # not readable: keep the last expiry
  *) printf '%s\n' "$item" >"$state/expires.new" && mv "$state/expires.new" "$state/expires" ;;
esac

expires=$(number expires "$now")
last=$(($(number born "$now") + $(number longest 0)))
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
