"""Terminates Elastune instances whose expiry has passed.

Each instance has the tag elastune-expires, in seconds since 1970. Its controller renews the tag, and
its own dead-man timer shuts it down at that time. This function acts MARGIN_MINUTES later, for
instances whose timer does not work. An instance without a readable expiry expires at its launch.
"""

import datetime
import json
import os

import boto3

RUN = "elastune-run"
EXPIRES = "elastune-expires"
ALIVE = ["pending", "running", "stopping", "stopped"]


def expiry(instance):
    """Returns the time at which an instance expires, in seconds since 1970."""
    tags = {tag["Key"]: tag["Value"] for tag in instance.get("Tags", [])}
    value = tags.get(EXPIRES, "")
    if value.isascii() and value.isdigit():
        return int(value)
    return instance["LaunchTime"].timestamp()


def expired(ec2, now, margin_s):
    """Returns the IDs of all instances of runs that expired at least margin_s seconds ago."""
    filters = [
        {"Name": "tag-key", "Values": [RUN]},
        {"Name": "instance-state-name", "Values": ALIVE},
    ]
    pages = ec2.get_paginator("describe_instances").paginate(Filters=filters)
    return [
        instance["InstanceId"]
        for page in pages
        for reservation in page["Reservations"]
        for instance in reservation["Instances"]
        if now >= expiry(instance) + margin_s
    ]


def reap(ec2, now, margin_s):
    """Terminates all expired instances. Returns their IDs and the error for each that remains."""
    ended, failed = [], {}
    for instance in expired(ec2, now, margin_s):
        # One call for each: EC2 terminates none of a call if it refuses one.
        try:
            ec2.terminate_instances(InstanceIds=[instance])
            ended.append(instance)
        except Exception as error:  # the others must still be terminated
            failed[instance] = str(error)
    return ended, failed


def handler(event, context):
    """Called by the schedule."""
    now = datetime.datetime.now(datetime.timezone.utc).timestamp()
    margin_s = 60 * int(os.environ["MARGIN_MINUTES"])
    ended, failed = reap(boto3.client("ec2"), now, margin_s)
    print(json.dumps({"terminated": ended, "failed": failed}))
    if failed:
        raise RuntimeError(f"not terminated: {failed}")
    return {"terminated": ended}
