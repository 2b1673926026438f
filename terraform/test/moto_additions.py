"""Adds to moto 5.2.1 what the Terraform provider of AWS needs, and what moto returns differently.

Each addition states what AWS does. Remove one when moto does the same.
"""

import datetime
import io
import itertools
import json
import re
import urllib.parse

from moto.budgets.models import budgets_backends
from moto.core import DEFAULT_ACCOUNT_ID
from moto.ec2.models import EC2Backend
from moto.ec2.models.elastic_network_interfaces import NetworkInterface
from moto.ec2.models.instances import Instance
from moto.ec2.models.launch_templates import LaunchTemplate
from moto.ec2.models.security_groups import SecurityGroupRule
from moto.iam.access_control import IAMPolicyStatement, PermissionResult
from moto.ssm.models import Parameter, ssm_backends

REGION = "us-east-1"


def correct_instances():
    """Lets instances and network interfaces return what was requested."""
    create, association = Instance.__init__, NetworkInterface.association.fget

    def create_instance(self, *arguments, **options):
        create(self, *arguments, **options)
        # The groups of an instance are those of its primary network interface.
        self.security_groups = self.security_groups or self.nics[0].group_set
        self.maintenance_options = {"AutoRecovery": "default"}
        # Interfaces that are created with an instance are deleted with it.
        for interface in self.nics.values():
            interface.delete_on_termination = True

    Instance.__init__ = create_instance
    # An interface without public address has no association.
    NetworkInterface.association = property(lambda self: association(self) or None)


def correct_network():
    """Lets a description be returned, and a NAT gateway be deleted with its network interface."""
    SecurityGroupRule.description = property(
        lambda self: (self.ip_range or self.source_group).get("Description")
    )
    delete = EC2Backend.delete_nat_gateway

    def delete_nat_gateway(self, nat_gateway_id):
        gateway = delete(self, nat_gateway_id)
        self.delete_network_interface(gateway._eni.id)
        return gateway

    EC2Backend.delete_nat_gateway = delete_nat_gateway


def correct_launch_templates():
    """Lets the tags of a template not be part of what its instances receive."""
    create = LaunchTemplate.create_version

    def create_version(self, data, description):
        tags = data.pop("TagSpecifications", [])
        tags = [each for each in tags if each["ResourceType"] != "launch-template"]
        return create(self, data | ({"TagSpecifications": tags} if tags else {}), description)

    LaunchTemplate.create_version = create_version


def permit_clear_text():
    """Lets a bucket accept requests without TLS, which its policy denies and moto does not offer."""
    evaluate = IAMPolicyStatement.is_action_permitted

    def is_action_permitted(self, *arguments, **options):
        if self._statement.get("Condition") == {"Bool": {"aws:SecureTransport": "false"}}:
            return PermissionResult.NEUTRAL
        return evaluate(self, *arguments, **options)

    IAMPolicyStatement.is_action_permitted = is_action_permitted


def correct():
    """Lets moto return what AWS returns, without which a plan after apply is not empty."""
    correct_instances()
    correct_network()
    correct_launch_templates()
    permit_clear_text()


def add_image_parameter(name, image):
    """Stores a public parameter of AWS, which no account can write."""
    ssm_backends[DEFAULT_ACCOUNT_ID][REGION]._parameters[name].append(
        Parameter(
            account_id=DEFAULT_ACCOUNT_ID,
            name=name,
            value=image,
            parameter_type="String",
            description="",
            allowed_pattern=None,
            keyid=None,
            last_modified_date=datetime.datetime.now(),
            version=1,
            data_type="text",
        )
    )


class SnapshotPolicies:
    """Data Lifecycle Manager. It creates no snapshots."""

    def __init__(self):
        self.policies = {}
        self.ids = itertools.count(1)

    def handle(self, method, path, body):
        """Returns the status and the response to a request."""
        collection, _, name = urllib.parse.unquote(path).strip("/").partition("/")
        if collection == "tags":
            tags = self.policies[name.rpartition("/")[2]]["Tags"]
            tags.update(body.get("Tags", {}))
            return 200, {"Tags": tags}
        if method == "POST":
            name = f"policy-{next(self.ids):017x}"
            arn = f"arn:aws:dlm:{REGION}:{DEFAULT_ACCOUNT_ID}:policy/{name}"
            self.policies[name] = {"PolicyId": name, "PolicyArn": arn, "Tags": {}} | body
            return 200, {"PolicyId": name}
        if not name:
            return 200, {"Policies": list(self.policies.values())}
        if name not in self.policies:
            return 404, {"Code": "ResourceNotFoundException", "Message": name}
        if method == "PATCH":
            self.policies[name].update(body)
        elif method == "DELETE":
            del self.policies[name]
        return 200, {"Policy": self.policies.get(name)}


class BudgetDetails:
    """The operations of Budgets that moto lacks: tags of a budget and subscribers of an alarm."""

    def __init__(self):
        self.tags = {}

    def handle(self, operation, body):
        """Returns the response to a request, or None if moto has the operation."""
        if operation == "CreateBudget":
            self.tags[body["Budget"]["BudgetName"]] = body.get("ResourceTags", [])
            return None
        if operation == "ListTagsForResource":
            return {"ResourceTags": self.tags[body["ResourceARN"].rpartition("/")[2]]}
        if operation != "DescribeSubscribersForNotification":
            return None
        (backend,) = budgets_backends[DEFAULT_ACCOUNT_ID].values()
        budget = backend.budgets[body["AccountId"]][body["BudgetName"]]
        found = (each for each in budget.notifications if each.details == body["Notification"])
        return {"Subscribers": next(found).subscribers}


class Additions:
    """Answers requests for what moto lacks, and passes all others to moto."""

    def __init__(self, moto):
        self.moto = moto
        self.snapshots = SnapshotPolicies()
        self.budgets = BudgetDetails()

    def __call__(self, environ, start_response):
        scope = re.search(r"/(\w+)/aws4_request", environ.get("HTTP_AUTHORIZATION", ""))
        service = scope.group(1) if scope else ""
        if service not in ("dlm", "budgets"):
            return self.moto(environ, start_response)
        text = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        body = json.loads(text) if text else {}
        if service == "dlm":
            status, answer = self.snapshots.handle(
                environ["REQUEST_METHOD"], environ["PATH_INFO"], body
            )
        else:
            operation = environ["HTTP_X_AMZ_TARGET"].rpartition(".")[2]
            status, answer = 200, self.budgets.handle(operation, body)
        if answer is None:
            environ["wsgi.input"] = io.BytesIO(text)
            return self.moto(environ, start_response)
        return respond(start_response, status, answer)


def respond(start_response, status, answer):
    """Writes a response in JSON."""
    headers = [("Content-Type", "application/x-amz-json-1.1")]
    if status == 404:
        headers.append(("X-Amzn-Errortype", answer["Code"]))
    start_response(f"{status} Status", headers)
    return [json.dumps(answer).encode()]
