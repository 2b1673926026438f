#!/bin/sh
# Elastune's dead-man timer. It runs every 30 seconds and shuts this node down when the expiry in the
# tag elastune-expires has passed, that is, when no controller renews it. The instance terminates on
# shutdown, which ends billing.
#
# If the tag cannot be read, the last value read applies, or initially the value set at first boot.
# Regardless of the tag, the node shuts down after its maximum lifetime.
imds=${ELASTUNE_IMDS:-http://169.254.169.254}
state=${ELASTUNE_ROOT:-}/var/lib/elastune
memory=${ELASTUNE_ROOT:-}/run/elastune # not on the disk, which may be full
now=$(date +%s)

number() { # prints the number in the file, or the second argument
  read -r found 2>/dev/null <"$1" || found=''
  case $found in '' | *[!0-9]*) found=$2 ;; esac
  printf '%s\n' "$found"
}

store() { # stores the expiry in a folder
  mkdir -p "$1" && printf '%s\n' "$tag" >"$1/expires.new" && mv "$1/expires.new" "$1/expires"
}

[ -s "$state/born" ] || printf '%s\n' "$now" >"$state/born"

token=$(curl -sf -m 5 -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' "$imds/latest/api/token")
tag=$(curl -sf -m 5 -H "X-aws-ec2-metadata-token: $token" \
  "$imds/latest/meta-data/tags/instance/elastune-expires")
expires=$(number "$memory/expires" "$(number "$state/expires" "$now")")
case $tag in
  '' | *[!0-9]*) ;; # not read: the last value applies
  *)
    expires=$tag
    store "$memory" 2>/dev/null
    store "$state" 2>/dev/null # for the time after a reboot
    ;;
esac

last=$(($(number "$state/born" "$now") + $(number "$state/longest" 0)))
[ "$expires" -le "$last" ] || expires=$last
[ "$now" -lt "$expires" ] && exit 0

echo "elastune: expiry $expires has passed at $now: shutting down"
shutdown -h now || poweroff -f
