#!/bin/sh
# Waits until the APIs of a project answer. Google enables an API some time before it accepts calls.
# Each must answer three times in a row, because not all servers of Google are ready at the same time.
# Usage: ready.sh PROJECT REGION BILLING_ACCOUNT; the last one is - without a budget
set -eu
project=$1
region=$2
billing=$3

# Whether a call is refused because its API is not ready. Terraform reports all other errors itself.
not_ready() {
  ! output=$("$@" --quiet 2>&1) || return 1
  case $output in
    *SERVICE_DISABLED* | *'has not been used'* | *'it is disabled'*) return 0 ;;
    *) return 1 ;;
  esac
}

waiting() {
  not_ready gcloud compute networks list --project "$project" --limit 1 ||
    not_ready gcloud iam service-accounts list --project "$project" --limit 1 ||
    not_ready gcloud run services list --project "$project" --region "$region" --limit 1 ||
    not_ready gcloud scheduler jobs list --project "$project" --location "$region" --limit 1 ||
    { [ "$billing" != - ] &&
      not_ready gcloud billing budgets list --billing-account "$billing" --billing-project "$project" --limit 1; }
}

# Without gcloud nothing can be asked.
command -v gcloud >/dev/null || exec sleep 120

answered=0
tries=0
while [ "$answered" -lt 3 ]; do
  if ! waiting; then
    answered=$((answered + 1))
  else
    answered=0
    tries=$((tries + 1))
    [ "$tries" -lt 60 ] || {
      printf 'elastune: an API of %s does not answer after five minutes: %s\n' "$project" "$output" >&2
      exit 1
    }
  fi
  sleep 5
done
