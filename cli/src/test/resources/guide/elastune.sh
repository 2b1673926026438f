#!/bin/sh
# Stands for the launcher in the release of a guide: passes the command, with its folder, variables and streams, to the
# process at the folder SERVER, which executes it.
set -u
call=$(mktemp -d 'SERVER/call.XXXXXX') || exit 99
mkfifo "$call/in" "$call/out" "$call/err" "$call/exit" || exit 99
env -0 >"$call/variables"
pwd >"$call/folder"
for argument; do printf '%s\0' "$argument"; done >"$call/arguments"
exec 3<&0
cat <&3 >"$call/in" &
in=$!
cat "$call/out" &
out=$!
cat "$call/err" >&2 &
err=$!
exec 3<&-
echo "$call" >'SERVER/calls'
read -r code <"$call/exit"
wait "$out" "$err"
kill "$in" 2>/dev/null
rm -rf "$call"
exit "$code"
