#!/bin/sh
# Stands for Elastune on the controller machine: stores its requests and gives fixed responses.
[ "$1" = remote ] || exit 98
printf '%s %s\n' "$2" "$3" >>"$HOME/requests"
case $2 in
  hello)
    echo 'Welcome, as login scripts say'
    stored=false
    [ ! -f "$HOME/job.tar" ] || stored=true
    cat "$HOME/hello" 2>/dev/null ||
      echo "elastune-remote: {\"protocol\":2,\"version\":\"development\",\"folder\":\"/e\",\"stored\":$stored}"
    ;;
  receive) cat >"$HOME/job.tar" && echo 'elastune-remote: {}' ;;
  exec)
    echo 'to standard output'
    echo 'to standard error' >&2
    exit 13
    ;;
  follow) echo '{"event":"started"}' && echo '{"event":"finished"}' ;;
  result) cat "$HOME/result" ;;
esac
