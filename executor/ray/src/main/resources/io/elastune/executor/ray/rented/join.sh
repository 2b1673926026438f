# Joins this instance to the Ray cluster of the run. The node script runs it once, in the folder of
# Elastune's files, and sets ELASTUNE_ADDRESS. A service starts Ray now and after each failure.
umask 077
lease='@LEASE@'
folder=$PWD/node-$lease
python='@PYTHON@'
units=${ELASTUNE_ROOT:-}/etc/systemd/system

fail() {
  echo "$*" >&2
  exit 1
}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

# Ray pickles functions, so Python and Ray must have the same versions on all nodes.
check_versions() {
  found=$("$python" -c 'import ray, sys
print("Python %d.%d and Ray %s" % (*sys.version_info[:2], ray.__version__))') ||
    fail "$python has no Ray: install ray==@RAY@ for Python @VERSION@ in the image"
  [ "$found" = 'Python @VERSION@ and Ray @RAY@' ] ||
    fail "$python has $found, but the controller has Python @VERSION@ and Ray @RAY@:" \
      'install the same versions'
}

# Without Ray in the image, a virtual environment takes up to a minute.
install_ray() {
  base=$(command -v python@VERSION@ || command -v python3) || fail 'the image has no python3'
  "$base" -c 'import sys; sys.exit("%d.%d" % sys.version_info[:2] != "@VERSION@")' ||
    fail "the image has $("$base" -V), but the controller has Python @VERSION@: install python@VERSION@" \
      'in the image, or set rented_nodes.python in clouds.yaml'
  "$base" -m venv "$folder/venv" ||
    fail 'python3 -m venv failed: install python3-venv in the image, or set rented_nodes.python'
  python=$folder/venv/bin/python
  "$python" -m pip install -q --disable-pip-version-check 'ray==@RAY@'
}

mkdir -p "$folder"
printf %s '@TOKEN@' >"$folder/token"
[ -n "$python" ] || install_ray
check_versions

# The agents and the trials are no children of this service's main process: they outlive it.
cat >"$folder/node.sh" <<ELASTUNE_FILE
cd '$folder' || exit 1
umask 077
old=\$(cat temporary 2>/dev/null)
if [ "\$old" ]; then
  for file in \$(grep -lF "\$old/" /proc/[0-9]*/cmdline 2>/dev/null); do
    process=\${file#/proc/}
    kill -KILL "\${process%/cmdline}" 2>/dev/null
  done
  rm -rf "\$old"
fi
temporary=\$(mktemp -d /tmp/er-XXXXXXXX) || exit 1
echo "\$temporary" >temporary
unset RAY_ADDRESS
export @ENVIRONMENT@ RAY_AUTH_TOKEN_PATH='$folder/token'
exec '$python' -m ray.scripts.scripts start --block --address=@HEAD@ \\
  ${ELASTUNE_ADDRESS:+--node-ip-address=$ELASTUNE_ADDRESS} --labels=elastune-lease=$lease \\
  --num-gpus=@GPUS@ --temp-dir="\$temporary" --object-store-memory=200000000 \\
  --include-log-monitor=false --disable-usage-stats
ELASTUNE_FILE

# Trials get the PATH of a login shell, and the limits of this service.
login=$(command -v bash) && login="$login -l" || login=/bin/sh
as_root tee "$units/elastune-ray.service" >/dev/null <<ELASTUNE_UNIT
[Unit]
Description=Ray node of Elastune
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0
[Service]
User=$(id -un)
Environment=HOME=$HOME
ExecStart=$login $folder/node.sh
Restart=always
RestartSec=1
KillMode=process
TasksMax=infinity
LimitNOFILE=65536
LimitMEMLOCK=infinity
[Install]
WantedBy=multi-user.target
ELASTUNE_UNIT
as_root systemctl daemon-reload
as_root systemctl enable elastune-ray.service
as_root systemctl start --no-block elastune-ray.service
