#!/bin/bash
# Installs Elastune at the first boot of the controller. Google runs it at each boot.
set -euo pipefail
install -d -m 755 /etc/elastune
cat > /etc/elastune/clouds.yaml <<'CLOUDS'
${clouds_yaml}
CLOUDS
[ ! -e /opt/elastune/current ] || exit 0

# Repeats a command for ten minutes: in a new project, roles take effect after some minutes.
repeat() {
  for _ in {1..60}; do
    ! "$@" || return 0
    sleep 10
  done
  return 1
}

export DEBIAN_FRONTEND=noninteractive
repeat apt-get update -qq
repeat apt-get install -y -qq openjdk-17-jre-headless unzip
%{ if release != "" ~}
folder=$(mktemp -d)
repeat gcloud storage cp --no-user-output-enabled '${release}' "$folder/release.zip"
# Users of the controller may write to the bucket. The installer runs as root.
echo "${checksum}  $folder/release.zip" | sha256sum --check --quiet
unzip -q "$folder/release.zip" -d "$folder"
repeat "$folder"/elastune-*/install.sh --clouds /etc/elastune/clouds.yaml --runtime
rm -rf "$folder"
install -d -m 755 /etc/elastune/gpu
cat > /etc/elastune/gpu/job.yaml <<'JOB'
${job_yaml}
JOB
cp /opt/elastune/current/configs/gpu/train.py /opt/elastune/current/python/elastune_trial.py /etc/elastune/gpu/
%{ endif ~}
