"""Serves an AWS account that the real Terraform provider of AWS can use: moto with additions.

GET /inventory lists what the account contains, by type. What every account contains is left out.

Usage: aws_account.py IMAGE_PARAMETER, the SSM parameter with the image of the nodes
It prints its address and then serves until its standard input ends.
"""

import os
import sys
import threading

os.environ["MOTO_IAM_LOAD_MANAGED_POLICIES"] = "true"

import boto3
import jmespath
from moto.core import DEFAULT_ACCOUNT_ID
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

from moto_additions import REGION, Additions, add_image_parameter, correct, respond

ACCOUNT = {"AccountId": DEFAULT_ACCOUNT_ID}

# How each type is listed: the service, the operation, and the IDs in its response.
LISTED = {
    "vpc": ("ec2", "describe_vpcs", "Vpcs[].VpcId"),
    "subnet": ("ec2", "describe_subnets", "Subnets[].SubnetId"),
    "security group": ("ec2", "describe_security_groups", "SecurityGroups[].GroupId"),
    "security group rule": (
        "ec2",
        "describe_security_group_rules",
        "SecurityGroupRules[].SecurityGroupRuleId",
    ),
    "route table": ("ec2", "describe_route_tables", "RouteTables[].RouteTableId"),
    "internet gateway": (
        "ec2",
        "describe_internet_gateways",
        "InternetGateways[].InternetGatewayId",
    ),
    "NAT gateway": ("ec2", "describe_nat_gateways", "NatGateways[?State!='deleted'].NatGatewayId"),
    "address": ("ec2", "describe_addresses", "Addresses[].AllocationId"),
    "endpoint": ("ec2", "describe_vpc_endpoints", "VpcEndpoints[?State!='deleted'].VpcEndpointId"),
    "network interface": (
        "ec2",
        "describe_network_interfaces",
        "NetworkInterfaces[].NetworkInterfaceId",
    ),
    "instance": (
        "ec2",
        "describe_instances",
        "Reservations[].Instances[?State.Name!='terminated'].InstanceId[]",
    ),
    "volume": ("ec2", "describe_volumes", "Volumes[].VolumeId"),
    "launch template": ("ec2", "describe_launch_templates", "LaunchTemplates[].LaunchTemplateId"),
    "role": ("iam", "list_roles", "Roles[].RoleName"),
    "instance profile": ("iam", "list_instance_profiles", "InstanceProfiles[].InstanceProfileName"),
    "bucket": ("s3", "list_buckets", "Buckets[].Name"),
    "function": ("lambda", "list_functions", "Functions[].FunctionName"),
    "event rule": ("events", "list_rules", "Rules[].Name"),
    "log group": ("logs", "describe_log_groups", "logGroups[].logGroupName"),
    "alarm": ("cloudwatch", "describe_alarms", "MetricAlarms[].AlarmName"),
    "snapshot policy": ("dlm", "get_lifecycle_policies", "Policies[].PolicyId"),
    "budget": ("budgets", "describe_budgets", "Budgets[].BudgetName"),
}


class Account:
    """The account, whose inventory is read through its own service interfaces."""

    def __init__(self, image_parameter):
        correct()
        moto = Additions(DomainDispatcherApplication(create_backend_app))
        self.server = make_server(
            "127.0.0.1", 0, self.handler(moto), threaded=True, request_handler=Quiet
        )
        self.url = f"http://127.0.0.1:{self.server.port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        images = self.client("ec2").describe_images(Owners=["amazon"])["Images"]
        add_image_parameter(image_parameter, images[0]["ImageId"])
        self.initial = self.everything()

    def handler(self, moto):
        def handle(environ, start_response):
            if environ["PATH_INFO"] == "/inventory":
                return respond(start_response, 200, self.inventory())
            return moto(environ, start_response)

        return handle

    def client(self, service):
        return boto3.client(
            service,
            region_name=REGION,
            endpoint_url=self.url,
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )

    def everything(self):
        found = {}
        for name, (service, operation, path) in LISTED.items():
            arguments = ACCOUNT if service == "budgets" else {}
            response = getattr(self.client(service), operation)(**arguments)
            found[name] = jmespath.search(path, response)
        return found

    def inventory(self):
        return {
            name: [each for each in ids if each not in self.initial[name]]
            for name, ids in self.everything().items()
        }


class Quiet(WSGIRequestHandler):
    """Logs no requests."""

    def log(self, *arguments):
        pass


def main():
    account = Account(sys.argv[1])
    print(account.url, flush=True)
    sys.stdin.read()
    account.server.shutdown()


if __name__ == "__main__":
    main()
