# Joins this instance to the Ray cluster of the run. The node script runs it once, in the folder of
# Elastune's files, and sets ELASTUNE_ADDRESS. A service starts Ray now and after each failure.
umask 077
lease='@LEASE@'
folder=$PWD/node-$lease
python='@PYTHON@'
head=@HEAD@
controller=${head%:*}
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
    fail "$python has no Ray: install ray==@RAY@ for Python @VERSION@ in the image, or omit" \
      'rented_nodes.python, so that instances get the node runtime'
  [ "$found" = 'Python @VERSION@ and Ray @RAY@' ] ||
    fail "$python has $found, but the controller has Python @VERSION@ and Ray @RAY@:" \
      'install the same versions'
}

# URLs are not in arguments, which other users of the instance could read.
download() {
  printf 'url = "%s"\n' "$1" |
    curl -sSfL --connect-timeout 10 --speed-limit 1 --speed-time 60 --noproxy "$controller" -o "$2" -K -
}

# Fetches the archive: from the bucket to which the controller redirects, or else from the controller.
receive() {
  for url in '@URL@' '@URL@/direct'; do
    sum=''
    download "$url" "$1" || continue
    sum=$(sha256sum <"$1")
    sum=${sum%% *}
    [ "$sum" != @SHA256@ ] || return 0
  done
  return 1
}

# Fetches the node runtime, unless the image or an earlier boot has this version.
fetch_runtime() {
  [ "$(uname -m)" = x86_64 ] ||
    fail "the node runtime is for x86_64, and this instance has $(uname -m): use another instance type"
  runtime=$PWD/runtime-@RUNTIME@
  python=$runtime/bin/python3
  [ ! -x "$python" ] || return 0
  part=$folder/runtime
  rm -rf "$part"
  mkdir "$part"
  tries=1
  until receive "$part.tar.gz"; do
    [ -z "$sum" ] || fail "the node runtime has the SHA-256 $sum, not @SHA256@"
    [ $tries -lt 20 ] || fail "the node runtime was not received from the controller at $controller: allow all" \
      'TCP ports from instances to it (docs/rented-nodes.md)'
    tries=$((tries + 1))
    sleep 3
  done
  tar -xzmf "$part.tar.gz" -C "$part" || fail "the node runtime was not unpacked: $(df -h "$PWD" | tail -n 1)"
  mv -T "$part" "$runtime" 2>/dev/null || [ -x "$python" ] || fail "$runtime is incomplete: remove it from the image"
  rm -rf "$part" "$part.tar.gz"
}

mkdir -p "$folder"
printf %s '@TOKEN@' >"$folder/token"
[ -n "$python" ] || fetch_runtime
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
exec '$python' -m ray.scripts.scripts start --block --address=$head \\
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
After=network-online.target nvidia-persistenced.service nvidia-fabricmanager.service
After=mnt-elastune\x2dlocal.mount dlami-nvme.service
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
