#!/bin/bash
# Installs Elastune at the first boot of the controller. Its log: /var/log/cloud-init-output.log
set -euo pipefail
install -d -m 755 /etc/elastune
cat > /etc/elastune/clouds.yaml <<'CLOUDS'
${clouds_yaml}
CLOUDS

# Repeats a command for ten minutes: a new role takes effect after some seconds, and mirrors may fail.
repeat() {
  for _ in {1..60}; do
    ! "$@" || return 0
    sleep 10
  done
  return 1
}

repeat dnf install -y -q java-17-amazon-corretto-headless unzip
%{ if release != "" ~}
folder=$(mktemp -d)
repeat aws s3 cp --region '${region}' --only-show-errors '${release}' "$folder/release.zip"
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
