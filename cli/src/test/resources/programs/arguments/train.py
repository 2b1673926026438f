import argparse
import json
import pathlib

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, required=True)
parser.add_argument("--note", required=True)
options = parser.parse_args()
assert options.note in ("plain", "it's $HOME"), options.note
for epoch in range(3):
    print("epoch %d val loss = %g" % (epoch, options.lr + (epoch - 1) ** 2), flush=True)
pathlib.Path("out").mkdir(exist_ok=True)
pathlib.Path("out/metrics.json").write_text(json.dumps({"val": {"loss": options.lr + 3}}, indent=1))
print(json.dumps({"loss": options.lr + 2, "note": options.note}))
