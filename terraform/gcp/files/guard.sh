#!/bin/sh
# Fails while Elastune instances exist in the project: terraform destroy then deletes nothing.
# ELASTUNE_FORCE=1 skips this check; the instances then run until their dead-man timers end them.
# Afterwards it deletes the snapshots of the controller's disk, which no Terraform resource owns.
# Usage: guard.sh PROJECT NAME
set -eu
project=$1
name=$2

fail() {
  printf 'elastune: %s\n' "$@" >&2
  exit 1
}

if [ "${ELASTUNE_FORCE:-}" != 1 ]; then
  instances=$(gcloud compute instances list --project "$project" --quiet \
    --filter 'labels.elastune-run:*' --format 'value(name)') ||
    fail 'The instances of the project cannot be listed, so nothing is destroyed.' \
      'Install gcloud and check its credentials, or skip this check with ELASTUNE_FORCE=1.'
  [ -z "$instances" ] ||
    fail "A run is in progress in $project: $(printf '%s' "$instances" | tr '\n' ' ')" \
      'Stop it (elastune stop; elastune orphans --delete --all), or destroy anyway with ELASTUNE_FORCE=1.'
fi

snapshots=$(gcloud compute snapshots list --project "$project" --quiet \
  --filter "labels.elastune-snapshot=$name" --format 'value(name)') || snapshots=''
for snapshot in $snapshots; do
  gcloud compute snapshots delete "$snapshot" --project "$project" --quiet ||
    printf 'elastune: delete the snapshot %s yourself\n' "$snapshot" >&2
done
