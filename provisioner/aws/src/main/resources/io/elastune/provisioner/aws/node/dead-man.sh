#!/bin/sh
# Elastune's dead-man timer: run every half minute, it ends this machine once nobody renews the tag
# elastune-expires any more. Terminate-on-shutdown is set, so ending the machine ends the bill.
#
# When the tag cannot be read, the time last read counts; when it never could, the time given at the
# first boot. Whatever the tag says, the machine ends after its longest life.
imds=${ELASTUNE_IMDS:-http://169.254.169.254}
state=${ELASTUNE_ROOT:-}/var/lib/elastune
now=$(date +%s)

number() { # the file's number, or the second argument
  read -r found 2>/dev/null <"$state/$1" || found=''
  case $found in '' | *[!0-9]*) found=$2 ;; esac
  printf '%s\n' "$found"
}

[ -s "$state/born" ] || printf '%s\n' "$now" >"$state/born"

token=$(curl -sf -m 5 -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' "$imds/latest/api/token")
tag=$(curl -sf -m 5 -H "X-aws-ec2-metadata-token: $token" \
  "$imds/latest/meta-data/tags/instance/elastune-expires")
case $tag in
  '' | *[!0-9]*) ;; # not read: an old time is better than none
  *) printf '%s\n' "$tag" >"$state/expires.new" && mv "$state/expires.new" "$state/expires" ;;
esac

expires=$(number expires "$now")
last=$(($(number born "$now") + $(number longest 0)))
[ "$expires" -le "$last" ] || expires=$last
[ "$now" -lt "$expires" ] && exit 0

echo "elastune: $now is past $expires: this machine ends"
shutdown -h now || poweroff -f
