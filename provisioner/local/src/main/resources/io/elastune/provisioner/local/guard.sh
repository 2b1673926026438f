# The guard process of one local instance. The instance exists as long as its guard runs.
#
#   sh guard.sh LEASE FOLDER MARK
#
# The controller holds a pipe to the guard's standard input. When the guard reads a line or the end of
# file (the controller has ended), it ends all processes of the instance and then itself: first with
# SIGTERM, a second later with SIGKILL. It finds them by ELASTUNE_LEASE in their environment, by the ten
# digits MARK in their limit of file locks, and by their ancestors where /proc is available, and by their
# process groups, registered as files FOLDER/workers/PID.
lease=$1
folder=$2
mark=$3
umask 077
trap '' INT QUIT HUP PIPE
cd / || exit 1

# Prints the registered processes: never the first one, whose descendants and group are all processes.
registered() {
  for file in "$folder"/workers/[0-9]*; do
    case ${file##*/} in
      0* | 1 | *[!0-9]*) ;;
      *) echo "${file##*/}" ;;
    esac
  done
}

# Sets `found` to the processes of the instance, and `keepers` to those of them that keep others: a keeper
# ends by itself after the processes that it keeps, which would be lost without it.
# The process that reads /proc unsets ELASTUNE_LEASE, so that it does not find itself.
find_processes() {
  found=
  keepers=
  if [ -r /proc/self/environ ]; then
    roots=$(
      unset ELASTUNE_LEASE ELASTUNE_RUN
      cd /proc && exec grep -lzxF "ELASTUNE_LEASE=$lease" [0-9]*/environ 2>/dev/null
    )
    marked=$(cd /proc && exec grep -lE "^Max file locks +[^ ]+ +$mark[0-9]{9} " [0-9]*/limits 2>/dev/null)
    roots=$(printf '%s\n' "$roots" "$marked" | sed 's,/.*,,')
    for pid in $(registered); do
      if grep -qsz '^ELASTUNE_KEEPER=' "/proc/$pid/environ"; then
        keepers="$keepers $pid"
        roots="$roots $pid"
      fi
    done
    found=$(cat /proc/[0-9]*/stat 2>/dev/null | awk -v roots="$(echo $roots)" -v without="$$ $keepers" '
      {
        pid = $1
        sub(/.*\) /, "") # the name of a program may have spaces
        parent[pid] = $2
        if ($1 != "Z") alive[pid] = 1
      }
      END {
        count = split(roots, root, " ")
        for (i = 1; i <= count; i++) if (root[i] != '"$$"') family[root[i]] = 1
        do {
          more = 0
          for (pid in parent)
            if (!(pid in family) && (parent[pid] in family)) more = family[pid] = 1
        } while (more)
        count = split(without, excluded, " ")
        for (i = 1; i <= count; i++) delete family[excluded[i]]
        for (pid in family) if (pid in alive) print pid
      }')
  fi
}

any_left() {
  find_processes
  [ -z "$found$keepers" ] || return 0
  for pid in $(registered); do
    kill -s 0 -- "-$pid" 2>/dev/null && return 0
  done
  return 1
}

signal() {
  groups=" "
  for pid in $(registered); do
    case "$keepers " in
      *" $pid "*) kill -s CONT "$pid" 2>/dev/null ;;
      *) kill -s "$1" -- "-$pid" 2>/dev/null && groups="$groups$pid " ;;
    esac
  done
  for pid in $found; do
    case $groups in
      *" $pid "*) ;;
      *) kill -s "$1" "$pid" 2>/dev/null ;;
    esac
  done
}

pause() { sleep 0.1 2>/dev/null || sleep 1; }

read -r _

find_processes
signal TERM
rounds=0
while [ "$rounds" -lt 10 ] && any_left; do
  rounds=$((rounds + 1))
  pause
done

# Two empty checks in a row: the second one sees processes that were starting when the controller
# ended. The bound is for zombies that are not reaped: without /proc they look alive.
empty_checks=0
rounds=0
while [ "$empty_checks" -lt 2 ] && [ "$rounds" -lt 50 ]; do
  rounds=$((rounds + 1))
  find_processes
  signal KILL
  pause
  if any_left; then empty_checks=0; else empty_checks=$((empty_checks + 1)); fi
done

if any_left; then echo "processes that could not be ended:" $found $keepers; fi

# Containers are no children of the workers that started them.
if [ -e "$folder/containers" ]; then
  containers=$(docker ps --all --quiet "--filter=label=elastune-lease=$lease" 2>/dev/null)
  # shellcheck disable=SC2086 # one argument per container
  [ -z "$containers" ] || docker rm --force $containers >/dev/null 2>&1
fi

date +%s >"$folder/ended" 2>/dev/null
exit 0
