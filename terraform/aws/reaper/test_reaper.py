"""Tests the reaper against moto, an EC2 simulation."""

import datetime
import os
import unittest
from unittest import mock

MARGIN_S = 600
IMAGE = "ami-03cf127a"

# moto reads it on import. Loading its 500 images takes seconds.
os.environ["MOTO_EC2_LOAD_DEFAULT_AMIS"] = "false"

import boto3  # noqa: E402
import moto  # noqa: E402
import reaper  # noqa: E402


def time_s():
    return datetime.datetime.now(datetime.timezone.utc).timestamp()


class ReaperIT(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        names = {
            "AWS_ACCESS_KEY_ID": "none",
            "AWS_SECRET_ACCESS_KEY": "none",
            "AWS_DEFAULT_REGION": "us-east-1",
            "MARGIN_MINUTES": str(MARGIN_S // 60),
        }
        for some in (mock.patch.dict(os.environ, names), moto.mock_aws()):
            some.__enter__()
            cls.addClassCleanup(some.__exit__, None, None, None)
        cls.ec2 = boto3.client("ec2")

    def setUp(self):
        self.now = time_s()

    def tearDown(self):
        found = self.ec2.describe_instances()["Reservations"]
        ids = [each["InstanceId"] for some in found for each in some["Instances"]]
        self.ec2.terminate_instances(InstanceIds=ids)

    def launch(self, **tags):
        answer = self.ec2.run_instances(
            ImageId=IMAGE,
            MinCount=1,
            MaxCount=1,
            TagSpecifications=[
                {
                    "ResourceType": "instance",
                    "Tags": [{"Key": k.replace("_", "-"), "Value": v} for k, v in tags.items()],
                }
            ],
        )
        return answer["Instances"][0]["InstanceId"]

    def state(self, instance):
        found = self.ec2.describe_instances(InstanceIds=[instance])
        return found["Reservations"][0]["Instances"][0]["State"]["Name"]

    def at(self, seconds):
        return str(int(self.now + seconds))

    def test_terminates_only_expired_instances_of_runs(self):
        late = self.launch(elastune_run="a", elastune_expires=self.at(-MARGIN_S - 60))
        just = self.launch(elastune_run="a", elastune_expires=self.at(-MARGIN_S + 60))
        renewed = self.launch(elastune_run="b", elastune_expires=self.at(900))
        foreign = self.launch(team="vision", elastune_expires=self.at(-90000))
        self.assertEqual(([late], {}), reaper.reap(self.ec2, self.now, MARGIN_S))
        self.assertIn(self.state(late), ("shutting-down", "terminated"))
        for kept in (just, renewed, foreign):
            self.assertEqual("running", self.state(kept))

    def test_terminated_instances_are_not_terminated_again(self):
        self.launch(elastune_run="a", elastune_expires=self.at(-90000))
        reaper.reap(self.ec2, self.now, MARGIN_S)
        self.assertEqual(([], {}), reaper.reap(self.ec2, self.now, MARGIN_S))

    def test_terminates_stopped_instances(self):
        stopped = self.launch(elastune_run="a", elastune_expires=self.at(-90000))
        self.ec2.stop_instances(InstanceIds=[stopped])
        self.assertEqual(([stopped], {}), reaper.reap(self.ec2, self.now, MARGIN_S))

    def test_unreadable_expiry_counts_from_the_launch(self):
        for value in ("", "soon", "-1", "²"):
            unreadable = self.launch(elastune_run="a", elastune_expires=value)
            self.assertEqual(([], {}), reaper.reap(self.ec2, self.now, MARGIN_S))
            later = self.now + MARGIN_S + 60
            self.assertEqual(([unreadable], {}), reaper.reap(self.ec2, later, MARGIN_S))

    def test_more_instances_than_a_page(self):
        ids = {self.launch(elastune_run="a", elastune_expires="1") for _ in range(12)}
        real = self.ec2.get_paginator

        def small(name):
            pages = real(name)
            paginate = pages.paginate
            pages.paginate = lambda **of: paginate(PaginationConfig={"PageSize": 5}, **of)
            return pages

        with mock.patch.object(self.ec2, "get_paginator", small):
            ended, _ = reaper.reap(self.ec2, self.now, MARGIN_S)
        self.assertEqual(ids, set(ended))

    def test_one_refusal_does_not_protect_the_others(self):
        first = self.launch(elastune_run="a", elastune_expires="1")
        second = self.launch(elastune_run="a", elastune_expires="1")
        real = self.ec2.terminate_instances

        def refuse(InstanceIds):
            if InstanceIds == [first]:
                raise RuntimeError("OperationNotPermitted")
            return real(InstanceIds=InstanceIds)

        with mock.patch.object(self.ec2, "terminate_instances", refuse):
            ended, failed = reaper.reap(self.ec2, self.now, MARGIN_S)
        self.assertEqual([second], ended)
        self.assertEqual({first: "OperationNotPermitted"}, failed)

    def test_handler_reads_the_margin_and_reports_failures(self):
        late = self.launch(elastune_run="a", elastune_expires=self.at(-MARGIN_S - 60))
        self.launch(elastune_run="a", elastune_expires=self.at(-MARGIN_S + 60))
        self.assertEqual({"terminated": [late]}, reaper.handler({}, None))
        other = self.launch(elastune_run="a", elastune_expires="1")
        with mock.patch.object(reaper, "reap", return_value=([], {other: "denied"})):
            self.assertRaisesRegex(RuntimeError, "denied", reaper.handler, {}, None)


if __name__ == "__main__":
    unittest.main()
