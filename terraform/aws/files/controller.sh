#!/bin/bash
# Installs Elastune at the first boot of the controller. Its log: /var/log/cloud-init-output.log
set -euo pipefail
install -d -m 755 /etc/elastune
cat > /etc/elastune/clouds.yaml <<'CLOUDS'
${clouds_yaml}
CLOUDS
dnf install -y -q java-17-amazon-corretto-headless python3.11 python3.11-pip unzip
%{ if release != "" ~}
folder=$(mktemp -d)
aws s3 cp --region '${region}' --only-show-errors '${release}' "$folder/release.zip"
unzip -q "$folder/release.zip" -d "$folder"
"$folder"/elastune-*/install.sh --clouds /etc/elastune/clouds.yaml --python python3.11
rm -rf "$folder"
%{ endif ~}
