"""A second client of Compute Engine, for the tests: plain REST. Prints JSON.

Every call and every response must conform to the discovery document.

rest_client.py DOCUMENT URL PROJECT instances      all instances that have the label elastune-run
rest_client.py DOCUMENT URL PROJECT disk ZONE NAME
rest_client.py DOCUMENT URL PROJECT insert ZONE NAME TYPE KEY=VALUE...
rest_client.py DOCUMENT URL PROJECT zones TYPE     the zones that have a machine type
rest_client.py DOCUMENT URL PROJECT quotas REGION
"""

import json
import sys
import urllib.parse
import urllib.request

with open(sys.argv[1], encoding="utf-8") as file:
    DOCUMENT = json.load(file)
URL, PROJECT = sys.argv[2:4]
KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}


def check(schema, value, where):
    """Fails unless the value conforms to the schema."""
    if "$ref" in schema:
        return check(DOCUMENT["schemas"][schema["$ref"]], value, where)
    kind = schema["type"]
    if kind != "any" and not isinstance(value, KINDS[kind]):
        raise SystemExit(f"{where} is not of the type {kind}: {value}")
    if "enum" in schema and value not in schema["enum"]:
        raise SystemExit(f"{where} has the invalid value {value}")
    if kind == "array":
        for item in value:
            check(schema["items"], item, where + "[]")
    if kind == "object":
        for name, part in value.items():
            known = schema.get("properties", {}).get(name) or schema.get("additionalProperties")
            if not known:
                raise SystemExit(f"unknown field {where}.{name}")
            check(known, part, where + "." + name)


def call(name, path, query=None, body=None):
    method = DOCUMENT["methods"]["compute." + name]
    path = dict(path, project=PROJECT)
    for parameter, described in method["parameters"].items():
        if described.get("required") and parameter not in path:
            raise SystemExit(f"{name} needs {parameter}")
    for parameter in query or {}:
        if parameter not in method["parameters"]:
            raise SystemExit(f"{name} has no parameter {parameter}")
    if body is not None:
        check({"$ref": method["request"]}, body, "request of " + name)
    url = URL + method["path"].format(**path)
    if query:
        url += "?" + urllib.parse.urlencode(query)
    request = urllib.request.Request(
        url,
        method=method["httpMethod"],
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": "Bearer a-token", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        answer = json.load(response)
    check({"$ref": method["response"]}, answer, "response of " + name)
    return answer


def pages(name, query):
    query = dict(query)
    while True:
        answer = call(name, {}, query)
        yield answer
        if not answer.get("nextPageToken"):
            return
        query["pageToken"] = answer["nextPageToken"]


def scoped(name, what, query):
    return [item for page in pages(name, query) for scope in page["items"].values() for item in scope.get(what, [])]


def instances():
    return scoped("instances.aggregatedList", "instances", {"filter": "labels.elastune-run:*"})


def disk(zone, name):
    return call("disks.get", {"zone": zone, "disk": name})


def insert(zone, name, kind, *pairs):
    items = dict(pair.split("=", 1) for pair in pairs)
    body = {
        "name": name,
        "machineType": f"zones/{zone}/machineTypes/{kind}",
        "labels": {key: value for key, value in items.items() if key != "elastune-expires"},
        "metadata": {"items": [{"key": key, "value": value} for key, value in items.items()]},
        "disks": [{
            "boot": True,
            "autoDelete": True,
            "initializeParams": {
                "sourceImage": "projects/my-project/global/images/gpu",
                "diskType": f"zones/{zone}/diskTypes/pd-balanced",
            },
        }],
        "networkInterfaces": [{"network": "global/networks/default"}],
        "scheduling": {"onHostMaintenance": "TERMINATE"},
    }
    return call("instances.insert", {"zone": zone}, body=body)


def zones(kind):
    types = scoped("machineTypes.aggregatedList", "machineTypes", {})
    return sorted(some["zone"].rpartition("/")[2] for some in types if some["name"] == kind)


def quotas(region):
    return {quota["metric"]: quota["limit"] for quota in call("regions.get", {"region": region})["quotas"]}


if __name__ == "__main__":
    actions = {"instances": instances, "disk": disk, "insert": insert, "zones": zones, "quotas": quotas}
    print(json.dumps(actions[sys.argv[4]](*sys.argv[5:])))
