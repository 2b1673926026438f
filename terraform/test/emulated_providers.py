"""Emulates the Terraform providers of AWS and Google Cloud, without any cloud.

The resources have the schema of the real providers (schemas.json), so the real Terraform checks every
argument and expression of the modules. Created resources have invented values for what a cloud
computes, and are appended to a log file.

Google refuses what it refuses in a new project: a budget with the credentials of a person and without
the settings of the provider that these need, and any resource until its API answers. The substitute of
gcloud creates the file LOG.ready when it has stated that the APIs answer.

Usage: emulated_providers.py LOG
It prints the value of TF_REATTACH_PROVIDERS and then serves until its standard input ends.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import sys

import grpc
import msgpack

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
proto = grpc.protos("tfplugin5.proto")
UNKNOWN = msgpack.ExtType(0, b"\0")
LIST, SET = 2, 3
ACCOUNT = "111122223333"

# Beginnings of the IDs of AWS resources.
PREFIXES = {
    "aws_vpc": "vpc",
    "aws_subnet": "subnet",
    "aws_security_group": "sg",
    "aws_launch_template": "lt",
    "aws_instance": "i",
    "aws_route_table": "rtb",
}
DATA = {
    "aws_caller_identity": {"account_id": ACCOUNT},
    "aws_partition": {"partition": "aws"},
    "aws_ssm_parameter": {"value": "ami-0123456789abcdef0"},
}


def cty(attribute):
    """Returns Terraform's description of an attribute's type."""
    if "nested" in attribute:
        object_type = ["object", {name: cty(each) for name, each in attribute["nested"].items()}]
        return ["set" if attribute.get("set") else "list", object_type]
    kind = attribute["type"]
    if "(" in kind:
        outer, inner = kind[:-1].split("(", 1)
        return ["set" if attribute.get("set") else outer, cty({"type": inner})]
    return kind


def block(attributes):
    """Returns the schema of a block."""
    result = proto.Block()
    for name, each in attributes.items():
        if each.get("block"):
            result.block_types.append(
                proto.NestedBlock(
                    type_name=name,
                    block=block(each["nested"]),
                    nesting=SET if each.get("set") else LIST,
                    min_items=1 if each.get("required") else 0,
                    max_items=0 if each["many"] else 1,
                )
            )
        else:
            flags = {flag: each.get(flag, False) for flag in ("required", "optional", "computed")}
            result.attributes.append(
                proto.Attribute(name=name, type=json.dumps(cty(each)).encode(), **flags)
            )
    return result


def planned(attributes, config, prior):
    """Returns the planned values: what is neither given nor known yet is unknown."""
    result = {}
    for name, each in attributes.items():
        value = config.get(name)
        if each.get("block"):
            value = [planned(each["nested"], some, {}) for some in value or []]
        elif value is None and each.get("computed"):
            value = prior.get(name, UNKNOWN)
        result[name] = value
    return result


def applied(attributes, plan, kind, seed):
    """Returns the values after the creation, with an invented one for each unknown."""
    result = {}
    for name, each in attributes.items():
        value = plan.get(name)
        if each.get("block"):
            value = [applied(each["nested"], some, kind, seed) for some in value or []]
        elif isinstance(value, msgpack.ExtType):
            value = invented(each, name, kind, plan, seed)
        result[name] = value
    return result


def invented(attribute, name, kind, plan, seed):
    shape = cty(attribute)
    if isinstance(shape, list):
        return {} if shape[0] == "map" else []
    if shape == "number":
        return 1
    if shape == "bool":
        return False
    digest = hashlib.sha256(f"{kind} {seed}".encode()).hexdigest()[:17]
    if name == "id" and isinstance(plan.get("bucket"), str) and kind == "aws_s3_bucket":
        return plan["bucket"]
    if name == "id" and kind.startswith("aws_iam_") and isinstance(plan.get("name"), str):
        return plan["name"]
    if name == "id":
        return f"{PREFIXES.get(kind, kind)}-{digest}"
    if name == "arn" and kind == "aws_s3_bucket":
        return f"arn:aws:s3:::{plan['bucket']}"
    if name == "arn" and kind == "aws_iam_role":
        return f"arn:aws:iam::{ACCOUNT}:role/{plan['name']}"
    if name == "arn":
        return f"arn:aws:emulated:us-east-1:{ACCOUNT}:{kind}/{digest}"
    if name == "email":
        return f"{plan['account_id']}@{plan['project']}.iam.gserviceaccount.com"
    if name == "member":
        return f"serviceAccount:{plan['account_id']}@{plan['project']}.iam.gserviceaccount.com"
    return f"{name}-{digest}"


def refusal(kind, configuration, ready):
    """Returns why Google refuses to create a resource in a new project, or an empty text."""
    if kind == "google_billing_budget" and not (
        configuration.get("user_project_override") and configuration.get("billing_project")
    ):
        return "Error 403: the Billing Budgets API requires a quota project, which is not set by default"
    if kind.startswith("google_") and kind != "google_project_service" and not ready:
        return "Error 403: SERVICE_DISABLED: the API has not been used in project my-project before"
    return ""


def unpack(value):
    return msgpack.unpackb(value.msgpack, strict_map_key=False) if value.msgpack else None


def pack(value):
    return proto.DynamicValue(msgpack=msgpack.packb(value))


class Provider:
    def __init__(self, schema, log):
        self.schema = schema
        self.log = log
        self.configuration = {}

    def GetSchema(self, request):
        answer = proto.Schemas(provider=proto.Schema(block=block(self.schema["provider_config"])))
        for name, each in self.schema["resources"].items():
            answer.resource_schemas[name].block.CopyFrom(block(each))
        for name, each in self.schema["data"].items():
            answer.data_source_schemas[name].block.CopyFrom(block(each))
        return answer

    def PrepareProviderConfig(self, request):
        return proto.PrepareResponse(prepared_config=request.config)

    def ValidateResourceTypeConfig(self, request):
        return proto.Empty()

    ValidateDataSourceConfig = Stop = ValidateResourceTypeConfig

    def Configure(self, request):
        self.configuration = unpack(request.config) or {}
        return proto.Empty()

    def UpgradeResourceState(self, request):
        return proto.StateResponse(state=pack(json.loads(request.raw_state.json)))

    def ReadResource(self, request):
        return proto.StateResponse(state=request.current_state)

    def PlanResourceChange(self, request):
        proposed = unpack(request.proposed_new_state)
        if proposed is not None:
            prior = unpack(request.prior_state) or {}
            proposed = planned(self.schema["resources"][request.type_name], proposed, prior)
        return proto.PlanResponse(planned_state=pack(proposed), legacy_type_system=True)

    def ApplyResourceChange(self, request):
        plan, kind = unpack(request.planned_state), request.type_name
        if plan is not None:
            refused = refusal(kind, self.configuration, os.path.exists(self.log + ".ready"))
            if refused:
                return proto.ApplyResponse(
                    new_state=request.prior_state,
                    diagnostics=[proto.Diagnostic(severity=1, summary=refused)],
                )
            seed = json.dumps(plan, default=str, sort_keys=True)
            plan = applied(self.schema["resources"][kind], plan, kind, seed)
        action = "delete" if plan is None else "create"
        values = unpack(request.prior_state) if plan is None else plan
        with open(self.log, "a", encoding="utf-8") as log:
            log.write(json.dumps({"action": action, "type": kind, "values": values}, default=str) + "\n")
        return proto.ApplyResponse(new_state=pack(plan), legacy_type_system=True)

    def ReadDataSource(self, request):
        kind, config = request.type_name, unpack(request.config)
        schema = self.schema["data"][kind]
        state = applied(schema, planned(schema, config, {}), kind, json.dumps(config, default=str))
        state.update(DATA.get(kind, {}))
        return proto.StateResponse(state=pack(state))


REQUESTS = {
    "GetSchema": proto.Empty,
    "PrepareProviderConfig": proto.PrepareRequest,
    "ValidateResourceTypeConfig": proto.Empty,
    "ValidateDataSourceConfig": proto.Empty,
    "Configure": proto.ConfigureRequest,
    "Stop": proto.Empty,
    "UpgradeResourceState": proto.UpgradeRequest,
    "ReadResource": proto.ReadRequest,
    "PlanResourceChange": proto.PlanRequest,
    "ApplyResourceChange": proto.ApplyRequest,
    "ReadDataSource": proto.DataRequest,
}


def serve(provider):
    """Starts a server on a free port of the loopback address, which it returns with the server."""
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(4))
    methods = {
        name: grpc.unary_unary_rpc_method_handler(
            lambda request, context, call=getattr(provider, name): call(request),
            request_deserializer=message.FromString,
            response_serializer=lambda answer: answer.SerializeToString(),
        )
        for name, message in REQUESTS.items()
    }
    service = grpc.method_handlers_generic_handler("tfplugin5.Provider", methods)
    server.add_generic_rpc_handlers((service,))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return server, port


def main():
    reattach, servers = {}, []
    for schema in json.loads((HERE / "schemas.json").read_text()).values():
        server, port = serve(Provider(schema, sys.argv[1]))
        servers.append(server)
        reattach["registry.terraform.io/" + schema["provider"]] = {
            "Protocol": "grpc",
            "ProtocolVersion": 5,
            "Pid": os.getpid(),
            "Test": True,
            "Addr": {"Network": "tcp", "String": f"127.0.0.1:{port}"},
        }
    print(json.dumps(reattach), flush=True)
    sys.stdin.read()
    for server in servers:
        server.stop(None)


if __name__ == "__main__":
    main()
