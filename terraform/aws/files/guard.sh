#!/bin/sh
# Fails while Elastune instances exist: terraform destroy then deletes nothing. In the region of the
# module all count, in other regions those with the role of its nodes.
# ELASTUNE_FORCE=1 skips this check; the instances then run until their dead-man timers end them.
# Afterwards it deletes the snapshots of the controller's disk, which no Terraform resource owns.
# Usage: guard.sh REGION NAME PROFILE, the ARN of the instance profile of the nodes
set -eu
region=$1
name=$2
profile=$3

fail() {
  printf 'elastune: %s\n' "$@" >&2
  exit 1
}

unlisted() {
  fail 'The instances of the account cannot be listed, so nothing is destroyed.' \
    'Install the AWS CLI and check its credentials, or skip this check with ELASTUNE_FORCE=1.'
}

if [ "${ELASTUNE_FORCE:-}" != 1 ]; then
  regions=$(aws ec2 describe-regions --region "$region" --output text --query 'Regions[].RegionName') || unlisted
  for some in $region $regions; do
    of_module="Name=iam-instance-profile.arn,Values=$profile"
    [ "$some" != "$region" ] || of_module=
    instances=$(aws ec2 describe-instances --region "$some" --output text \
      --filters Name=tag-key,Values=elastune-run Name=instance-state-name,Values=pending,running,stopping,stopped,shutting-down $of_module \
      --query 'Reservations[].Instances[].InstanceId') || unlisted
    [ -z "$instances" ] || [ "$instances" = None ] ||
      fail "A run is in progress in $some: $(printf '%s' "$instances" | tr '\t\n' '  ')" \
        'Stop it (elastune stop; elastune orphans --delete --all), or destroy anyway with ELASTUNE_FORCE=1.'
  done
fi

snapshots=$(aws ec2 describe-snapshots --region "$region" --output text --owner-ids self \
  --filters "Name=tag:elastune-snapshot,Values=$name" --query 'Snapshots[].SnapshotId') || snapshots=''
for snapshot in $snapshots; do
  [ "$snapshot" = None ] || aws ec2 delete-snapshot --region "$region" --snapshot-id "$snapshot" ||
    printf 'elastune: delete the snapshot %s yourself\n' "$snapshot" >&2
done
