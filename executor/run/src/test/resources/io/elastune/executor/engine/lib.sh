# Functions of the test trials.
field() { sed -n 's/.*"'"$1"'": *\([^,}]*\).*/\1/p' "$ELASTUNE_TRIAL_JSON"; }
from=$(field from) to=$(field to)

report() { echo 'ELASTUNE {"unit": '"$1"', "metrics": {"acc": '"${2:-0.5}"'}}'; }

save() {
  cd "$ELASTUNE_CHECKPOINT_DIR" || exit 9
  rm -rf "$1.tmp" "$1" && mkdir "$1.tmp" && echo "weights of $1" >"$1.tmp/model"
  size=$(wc -c <"$1.tmp/model") sum=$(sha256sum <"$1.tmp/model" | cut -c 1-64)
  echo '{"unit": '"$1"', "files": [{"name": "model", "size": '"$size"', "sha256": "'"$sum"'"}]}' \
    >"$1.tmp/manifest.json"
  mv "$1.tmp" "$1"
}

train() {
  unit=$from
  while [ "$unit" -lt "$to" ]; do
    unit=$((unit + 1))
    [ "$unit" -lt "$to" ] || save "$unit"
    report "$unit" "0.$unit"
  done
}
