"""A script that knows nothing of Elastune; argparse refuses --use-extra-trees=true."""
import argparse

import lightgbm as lgb
import numpy as np
from sklearn.metrics import roc_auc_score

parser = argparse.ArgumentParser()
parser.add_argument("--num-leaves", type=int, default=31)
parser.add_argument("--use-extra-trees", action="store_true")
args = parser.parse_args()
rng = np.random.default_rng(0)
x = rng.normal(size=(800, 6))
y = (x[:, 0] * x[:, 1] + x[:, 2] > 0).astype(int)
params = {"objective": "binary", "metric": "auc", "num_leaves": args.num_leaves}
params |= {"extra_trees": args.use_extra_trees, "num_threads": 1, "verbosity": -1}
data, valid = lgb.Dataset(x[:600], y[:600]), lgb.Dataset(x[600:], y[600:])
model = lgb.train(params, data, 40, valid_sets=[valid], callbacks=[lgb.log_evaluation(10)])
print("extra trees:", args.use_extra_trees)
print("final auc: %.4f" % roc_auc_score(y[600:], model.predict(x[600:])))
