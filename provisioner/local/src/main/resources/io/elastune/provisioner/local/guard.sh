# The guard of one local instance: as long as it lives, the instance does.
#
#   sh guard.sh LEASE FOLDER
#
# Its standard input is a pipe that the controller holds. A line on it, or its end (the controller
# has died, however that was), ends all processes of the instance and then the guard: first by
# SIGTERM, a second later by SIGKILL. They are found by ELASTUNE_LEASE in their environment where
# /proc shows it, and by their groups, enrolled as files FOLDER/workers/PID.
lease=$1
folder=$2
trap '' INT QUIT HUP PIPE
cd / || exit 1

# One process reads /proc, and it carries no mark: it must not find itself.
look() {
  found=
  if [ -r /proc/self/environ ]; then
    found=$(
      unset ELASTUNE_LEASE ELASTUNE_RUN
      cd /proc && exec grep -lzxF "ELASTUNE_LEASE=$lease" [0-9]*/environ 2>/dev/null
    )
  fi
}

any_left() {
  look
  for entry in $found; do
    [ "${entry%%/*}" = "$$" ] || return 0
  done
  for file in "$folder"/workers/[0-9]*; do
    kill -s 0 -- "-${file##*/}" 2>/dev/null && return 0
  done
  return 1
}

signal() {
  groups=" "
  for file in "$folder"/workers/[0-9]*; do
    kill -s "$1" -- "-${file##*/}" 2>/dev/null && groups="$groups${file##*/} "
  done
  for entry in $found; do
    pid=${entry%%/*}
    case $groups in
      *" $pid "*) ;;
      *) [ "$pid" = "$$" ] || kill -s "$1" "$pid" 2>/dev/null ;;
    esac
  done
}

pause() { sleep 0.1 2>/dev/null || sleep 1; }

read -r _

look
signal TERM
rounds=0
while [ "$rounds" -lt 10 ] && any_left; do
  rounds=$((rounds + 1))
  pause
done

# Twice nobody: what was just being started when the controller died is seen the second time.
# The bound is for zombies that nobody reaps, which look alive where there is no /proc.
nobody=0
rounds=0
while [ "$nobody" -lt 2 ] && [ "$rounds" -lt 50 ]; do
  rounds=$((rounds + 1))
  look
  signal KILL
  pause
  if any_left; then nobody=0; else nobody=$((nobody + 1)); fi
done

date +%s >"$folder/ended" 2>/dev/null
exit 0
