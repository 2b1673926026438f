#!/bin/sh
# One trial: fits a wave to noisy points by gradient descent, in awk. Replace the part in the middle
# with your own training. The rest implements the trial protocol.
set -eu
LC_ALL=C && export LC_ALL

# Train the units after $from, up to and including $to.
field() { sed -n 's/.*"'"$1"'": *\([^,}]*\).*/\1/p' "$ELASTUNE_TRIAL_JSON"; }
from=$(field from) to=$(field to) seed=$(field seed)
lr=$(field lr) decay=$(field decay)
checksum() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -c 1-64; }
cd "$ELASTUNE_CHECKPOINT_DIR"

weights=
[ "$from" -eq 0 ] || weights=$(cat "$from/weights")

unit=$from
while [ "$unit" -lt "$to" ]; do
  unit=$((unit + 1))

  # ---- training: one epoch, from the current weights to the next -------------------
  answer=$(awk -v weights="$weights" -v lr="$lr" -v decay="$decay" -v seed="$seed" -v unit="$unit" '
    function target(x) { return sin(3 * x) + 0.3 * sin(11 * x) }
    function guess(x,  k, y) { y = 0; for (k = 1; k <= 16; k++) y += w[k] * sin(k * x); return y }
    BEGIN {
      split(weights, w, " ")
      srand(seed % 1000003 + unit)   # seeded per unit: the checkpoint needs no random state
      for (i = 0; i < 40000; i++) {
        x = 3.14159 * rand()
        slip = guess(x) - target(x) - 0.2 * (rand() - 0.5)
        for (k = 1; k <= 16; k++) {
          w[k] -= lr * (slip * sin(k * x) + decay * w[k])
          if (w[k] > 1000) w[k] = 1000
          if (w[k] < -1000) w[k] = -1000
        }
      }
      for (i = 0; i < 200; i++) { x = 3.14159 * (i + 0.5) / 200; slip = guess(x) - target(x); loss += slip * slip / 200 }
      printf "%.6f", loss
      for (k = 1; k <= 16; k++) printf " %.9f", w[k]
    }')
  loss=${answer%% *} weights=${answer#* }
  # ----------------------------------------------------------------------------------

  # The checkpoint of unit $to must be complete before its report is printed.
  if [ "$unit" -eq "$to" ]; then
    rm -rf "$unit.tmp" "$unit"
    mkdir "$unit.tmp"
    echo "$weights" >"$unit.tmp/weights"
    size=$(($(wc -c <"$unit.tmp/weights"))) sum=$(checksum <"$unit.tmp/weights")
    echo '{"unit": '"$unit"', "files": [{"name": "weights", "size": '"$size"', "sha256": "'"$sum"'"}]}' \
      >"$unit.tmp/manifest.json"
    sync
    mv "$unit.tmp" "$unit"
  fi
  echo 'ELASTUNE {"unit": '"$unit"', "metrics": {"val_loss": '"$loss"'}}'
done
