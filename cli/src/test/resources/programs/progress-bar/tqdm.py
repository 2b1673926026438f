"""Draws its bar on standard error without a line end, as tqdm does."""

import sys


def tqdm(units, total):
    for done, unit in enumerate(units):
        bar = "\r%3d%%|####      | %d/%d [00:00<00:00]" % (100 * done / total, done, total)
        sys.stderr.write(bar)
        sys.stderr.flush()
        yield unit
