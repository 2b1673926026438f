#!/bin/sh
# Elastune's dead-man timer: run every half minute, it ends this machine once nobody renews the item
# elastune-expires of its metadata any more. A machine that is shut down is stopped and no longer
# billed but for its disk; where the node's service account may delete the machine, that goes, too.
#
# When the item cannot be read, the time last read counts; when it never could, the time given at the
# first boot. Whatever the item says, the machine ends after its longest life.
metadata=${ELASTUNE_METADATA:-http://metadata.google.internal}/computeMetadata/v1
compute=${ELASTUNE_COMPUTE:-https://compute.googleapis.com}/compute/v1
state=${ELASTUNE_ROOT:-}/var/lib/elastune
now=$(date +%s)

number() { # the file's number, or the second argument
  read -r found 2>/dev/null <"$state/$1" || found=''
  case $found in '' | *[!0-9]*) found=$2 ;; esac
  printf '%s\n' "$found"
}

ask() { curl -sf -m 5 -H 'Metadata-Flavor: Google' "$metadata/$1"; }

[ -s "$state/born" ] || printf '%s\n' "$now" >"$state/born"

item=$(ask instance/attributes/elastune-expires)
case $item in
  '' | *[!0-9]*) ;; # not read: an old time is better than none
  *) printf '%s\n' "$item" >"$state/expires.new" && mv "$state/expires.new" "$state/expires" ;;
esac

expires=$(number expires "$now")
last=$(($(number born "$now") + $(number longest 0)))
[ "$expires" -le "$last" ] || expires=$last
[ "$now" -lt "$expires" ] && exit 0

echo "elastune: $now is past $expires: this machine ends"
token=$(ask instance/service-accounts/default/token | sed -n 's/.*"access_token" *: *"\([^"]*\)".*/\1/p')
if [ -n "$token" ]; then
  zone=$(ask instance/zone)
  project=$(ask project/project-id)
  name=$(ask instance/name)
  curl -sf -m 20 -X DELETE -H "Authorization: Bearer $token" \
    "$compute/projects/$project/zones/${zone##*/}/instances/$name" >/dev/null
fi
shutdown -h now || poweroff -f
