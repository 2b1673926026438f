# Shared code of the test trials. They follow docs/trial-protocol.md without training. A unit takes
# PAUSE seconds. No sync: the tests kill processes, not machines.
set -u

# Without other programs: tests start thousands of trials.
trial_json=
while IFS= read -r line || [ -n "$line" ]; do trial_json="$trial_json$line"; done <"$ELASTUNE_TRIAL_JSON"

# field NAME: prints the last field of this name in the trial's file, or nothing.
field() {
  case $trial_json in *"\"$1\":"*) ;; *) return ;; esac
  value=${trial_json##*"\"$1\":"}
  value=${value# }
  value=${value#'"'}
  echo "${value%%[,\"\}]*}"
}
from=$(field from) to=$(field to)
cd "$ELASTUNE_CHECKPOINT_DIR" || exit 1

# save UNIT: writes the checkpoint of the unit, unless an earlier attempt has written it. A request to stop goes to all
# processes of a trial: it must not end those that compute the size and the checksum, which would tear the checkpoint.
save() (
  trap '' TERM
  [ ! -d "$1" ] || exit 0
  state="trained to $1"
  rm -rf "$1.tmp" && mkdir "$1.tmp" && echo "$state" >"$1.tmp/state"
  size=$((${#state} + 1)) sum=$(sha256sum <"$1.tmp/state")
  sum=${sum%% *}
  echo '{"unit": '"$1"', "files": [{"name": "state", "size": '"$size"', "sha256": "'"$sum"'"}]}' \
    >"$1.tmp/manifest.json"
  mv "$1.tmp" "$1"
)

# done_report UNIT ACC: reports that the trial needs no more training.
done_report() { echo 'ELASTUNE {"unit": '"$1"', "metrics": {"acc": '"$2"'}, "done": true}'; }

# report UNIT ACC
report() { echo 'ELASTUNE {"unit": '"$1"', "metrics": {"acc": '"$2"'}}'; }
