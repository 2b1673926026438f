#!/bin/sh
# Installs this release for all users of a machine, such as the controller: see docs/install.md.
# Runs may be in progress meanwhile: they keep the jars of the release that they were started with.
set -eu

usage() {
  cat <<'USAGE'
Usage: install.sh [--clouds FILE] [--runtime] [--root FOLDER]

Installs Elastune in /opt/elastune, and the command in /usr/local/bin.

  --clouds FILE     settings of the clouds for all users who have none of their own
  --runtime         also builds the node runtime in /opt/elastune/runtimes, for the runs of all
                    users on rented instances
  --root FOLDER     installs below FOLDER instead of /
USAGE
}

say() { printf 'install.sh: %s\n' "$*"; }

die() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

clouds='' runtime='' root=''
while [ $# -gt 0 ]; do
  case $1 in
    --clouds | --root)
      [ $# -ge 2 ] || die "$1 needs a value. Run install.sh --help."
      case $1 in
        --clouds) clouds=$2 ;;
        --root) root=${2%/} ;;
      esac
      shift 2
      ;;
    --runtime)
      runtime=yes
      shift
      ;;
    --help)
      usage
      exit 0
      ;;
    *) die "unknown option: $1. Run install.sh --help." ;;
  esac
done

release=$(CDPATH='' cd -P "$(dirname "$0")" && pwd)
set -- "$release"/lib/elastune-cli-*.jar
[ -f "$1" ] || die "$release/lib has no jars. Run install.sh of an unpacked release."
[ -z "$clouds" ] || [ -r "$clouds" ] || die "$clouds does not exist or cannot be read."
case $clouds in '' | /*) ;; *) clouds=$(pwd)/$clouds ;; esac
version=${1##*/elastune-cli-}
version=${version%.jar}
umask 022

# The name contains a checksum, so that another build of the same version gets a folder of its own: a
# JVM crashes if its jars are replaced.
sum=$(cd "$release" && find lib -name '*.jar' | LC_ALL=C sort | xargs cat elastune | sha256sum | cut -c 1-8)
opt=$root/opt/elastune
name=$version-$sum
mkdir -p "$opt" "$root/usr/local/bin"
if [ ! -d "$opt/$name" ]; then
  rm -rf "$opt/new.$$"
  trap 'rm -rf "$opt/new.$$"' EXIT
  trap 'exit 1' HUP INT TERM
  mkdir "$opt/new.$$"
  (cd "$release" && tar -cf - --exclude='*.jsa' .) | (cd "$opt/new.$$" && tar -xof -)
  mv "$opt/new.$$" "$opt/$name"
fi

# The command. Settings of the user have precedence.
command=$root/usr/local/bin/elastune
{
  printf '#!/bin/sh\n# Starts the installed release of Elastune. Written by its install.sh.\n'
  if [ -n "$clouds" ]; then
    printf 'if [ -z "${ELASTUNE_CLOUDS:-}" ] && [ ! -e "${ELASTUNE_HOME:-$HOME/.elastune}/clouds.yaml" ]; then\n'
    printf '  export ELASTUNE_CLOUDS="%s"\nfi\n' "$clouds"
  fi
  printf 'export ELASTUNE_LAUNCHER="%s"\n' "$command"
  printf 'exec "%s/current/elastune" "$@"\n' "$opt"
} >"$command.new"
chmod 755 "$command.new"

ln -sfn "$name" "$opt/current.new"
mv -T "$opt/current.new" "$opt/current"
mv -f "$command.new" "$command"

if [ -n "$runtime" ]; then
  say 'building the node runtime, which takes one to five minutes'
  ELASTUNE_HOME=$opt "$opt/$name/elastune" runtime build ||
    die 'The node runtime was not built: see the messages above.'
fi

# The first start creates the archives for faster starts, which other users cannot write.
"$command" --version || die 'Elastune does not start: see the messages above.'
say "installed in $opt/$name"
