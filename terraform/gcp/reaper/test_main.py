"""Tests the reaper against a fake of its two calls. ReaperIT.java tests the service over HTTP."""

import datetime
import json
import os
import unittest
from unittest import mock

import main

NOW = 1_790_000_000
MARGIN_S = 600


class FakeCompute:
    def __init__(self, *pages):
        self.of_pages = pages
        self.deleted = []
        self.refused = set()

    def pages(self):
        return iter(self.of_pages)

    def delete(self, zone, name):
        if name in self.refused:
            raise OSError("HTTP Error 403: Forbidden")
        self.deleted.append((zone, name))


def instance(name, expires=None, status="RUNNING", created=NOW - 3600, zone="us-central1-a"):
    time = datetime.datetime.fromtimestamp(created, datetime.timezone.utc)
    items = [] if expires is None else [{"key": main.EXPIRES, "value": str(expires)}]
    return {
        "name": name,
        "zone": f"https://www.googleapis.com/compute/v1/projects/p/zones/{zone}",
        "status": status,
        "creationTimestamp": time.isoformat(timespec="milliseconds"),
        "metadata": {"items": [{"key": "startup-script"}, *items]},
    }


def page(*instances):
    items = {"zones/none": {"warning": {"code": "NO_RESULTS_ON_PAGE"}}}
    for some in instances:
        items.setdefault("zones/" + some["zone"].rsplit("/", 1)[-1], {"instances": []})["instances"].append(some)
    return {"items": items}


class ReaperIT(unittest.TestCase):
    def reap(self, *instances, now=NOW):
        compute = FakeCompute(page(*instances))
        ended, failed = main.reap(compute, now, MARGIN_S)
        self.assertEqual({}, failed)
        self.assertEqual(ended, [name for _, name in compute.deleted])
        return ended

    def test_deletes_only_what_expired_before_the_margin(self):
        late = instance("late", NOW - MARGIN_S)
        just = instance("just", NOW - MARGIN_S + 1)
        renewed = instance("renewed", NOW + 900)
        self.assertEqual(["late"], self.reap(late, just, renewed))

    def test_names_the_zone_of_each_instance(self):
        compute = FakeCompute(page(instance("a", 1, zone="us-central1-b"), instance("b", 1)))
        main.reap(compute, NOW, MARGIN_S)
        self.assertEqual({("us-central1-b", "a"), ("us-central1-a", "b")}, set(compute.deleted))

    def test_deletes_stopped_instances_but_not_those_that_stop(self):
        stopped = instance("stopped", 1, "TERMINATED")
        self.assertEqual(["stopped"], self.reap(stopped, instance("stops", 1, "STOPPING")))

    def test_unreadable_expiry_counts_from_the_creation(self):
        for value in (None, "", "soon", "-1", "²"):
            new = instance("new", value, created=NOW)
            self.assertEqual([], self.reap(new, now=NOW + MARGIN_S - 1))
            self.assertEqual(["new"], self.reap(new, now=NOW + MARGIN_S))

    def test_reads_all_pages(self):
        compute = FakeCompute(page(instance("a", 1)), page(), page(instance("b", 1)))
        self.assertEqual((["a", "b"], {}), main.reap(compute, NOW, MARGIN_S))

    def test_one_refusal_does_not_protect_the_others(self):
        compute = FakeCompute(page(instance("a", 1), instance("b", 1)))
        compute.refused.add("a")
        ended, failed = main.reap(compute, NOW, MARGIN_S)
        self.assertEqual(["b"], ended)
        self.assertEqual({"a": "HTTP Error 403: Forbidden"}, failed)

    def test_status_reports_failures(self):
        names = {"PROJECT": "p", "MARGIN_MINUTES": "10"}
        for failed, status in (({}, 200), ({"a": "denied"}, 500)):
            with mock.patch.dict(os.environ, names), mock.patch.object(
                main, "token", return_value="t"
            ), mock.patch.object(main, "reap", return_value=([], failed)) as reap:
                text, code = main.run()
            self.assertEqual(status, code)
            self.assertEqual(failed, json.loads(text)["failed"])
            self.assertEqual(600, reap.call_args.args[2])


if __name__ == "__main__":
    unittest.main()
