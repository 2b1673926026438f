#!/bin/bash
# Installs Elastune at the first boot of the controller. Google runs it at each boot.
set -euo pipefail
install -d -m 755 /etc/elastune
cat > /etc/elastune/clouds.yaml <<'CLOUDS'
${clouds_yaml}
CLOUDS
[ ! -e /opt/elastune/current ] || exit 0
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq openjdk-17-jre-headless python3-venv unzip
%{ if release != "" ~}
folder=$(mktemp -d)
gcloud storage cp --no-user-output-enabled '${release}' "$folder/release.zip"
unzip -q "$folder/release.zip" -d "$folder"
"$folder"/elastune-*/install.sh --clouds /etc/elastune/clouds.yaml --python python3
rm -rf "$folder"
%{ endif ~}
