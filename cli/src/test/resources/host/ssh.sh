#!/bin/sh
# Stands for OpenSSH's client. It accepts only the options that Elastune may use, joins the words of
# the command with spaces and runs it in a shell, as ssh does, in the home $FAKE/home.
# on-ACTION in $FAKE, if present, is run once instead of the command "remote ACTION".
set -u
fail() {
  echo "fake ssh: unexpected $*" >&2
  exit 99
}
mode='' control='' master='' operation=''
while [ $# -gt 0 ]; do
  case $1 in
    -o)
      case $2 in
        ControlPath=/*) control=${2#*=} ;;
        ControlMaster=auto) master=yes ;;
        ControlPersist=60 | ServerAliveInterval=15 | ServerAliveCountMax=4) ;;
        BatchMode=yes | ConnectTimeout=20) ;;
        *) fail "option $2" ;;
      esac
      shift 2
      ;;
    -O) operation=$2 && shift 2 ;;
    -T) mode=$1 && shift ;;
    -*) fail "option $1" ;;
    *) break ;;
  esac
done
[ -n "$control" ] || fail 'command without ControlPath'
[ -d "${control%/*}" ] || fail "folder ${control%/*}"
host=$1
shift
[ "$host" = ana@controller ] || fail "host $host"
if [ -n "$operation" ]; then
  [ "$operation" = exit ] && [ $# = 0 ] || fail "operation $operation"
  echo closed >>"$FAKE/log"
  exit 0
fi
[ -n "$mode" ] && [ -n "$master" ] && [ $# -gt 0 ] || fail 'command'
action=$(printf '%s' "$*" | sed 's/.* remote \([a-z]*\) .*/\1/')
if [ -f "$FAKE/on-$action" ]; then
  mv "$FAKE/on-$action" "$FAKE/once"
  token=$(printf '%s' "$*" | sed 's/.*"session":"\([0-9a-f]*\)".*/\1/')
  TOKEN=$token exec sh "$FAKE/once"
fi
cd "$FAKE/home" && exec env -i HOME="$FAKE/home" PATH="$FAKE/bin:/usr/bin:/bin" sh -c "$*"
