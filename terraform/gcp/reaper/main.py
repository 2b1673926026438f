"""Deletes Elastune instances whose expiry has passed.

Each instance has the metadata item elastune-expires, in seconds since 1970. Its controller renews
the item, and its own dead-man timer shuts it down at that time. This service acts MARGIN_MINUTES
later, for instances whose timer does not work, and deletes the disks of stopped ones. An instance
without a readable expiry expires at its creation.

Cloud Run gets this file as an argument of a public Python image, so it uses the standard library alone.
"""

import datetime
import http.server
import json
import os
import urllib.parse
import urllib.request

RUN = "elastune-run"
EXPIRES = "elastune-expires"
TIMEOUT_S = 20


def token():
    """Returns an access token of the service's account."""
    host = os.environ.get("GCE_METADATA_HOST", "metadata.google.internal")
    request = urllib.request.Request(
        f"http://{host}/computeMetadata/v1/instance/service-accounts/default/token",
        headers={"Metadata-Flavor": "Google"},
    )
    with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
        return json.load(answer)["access_token"]


class Compute:
    """The two calls of Compute Engine that this service makes."""

    def __init__(self, project, access_token, endpoint="https://compute.googleapis.com"):
        self.url = f"{endpoint}/compute/v1/projects/{project}"
        self.headers = {"Authorization": f"Bearer {access_token}"}

    def _call(self, method, path):
        request = urllib.request.Request(self.url + path, headers=self.headers, method=method)
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
            return json.load(answer)

    def pages(self):
        """Yields the pages of the list of all instances of runs."""
        page = ""
        while True:
            query = {"filter": f"labels.{RUN}:*", "returnPartialSuccess": "true"}
            if page:
                query["pageToken"] = page
            answer = self._call("GET", "/aggregated/instances?" + urllib.parse.urlencode(query))
            yield answer
            page = answer.get("nextPageToken", "")
            if not page:
                return

    def delete(self, zone, name):
        self._call("DELETE", f"/zones/{zone}/instances/{name}")


def expiry(instance):
    """Returns the time at which an instance expires, in seconds since 1970."""
    items = {item["key"]: item.get("value", "") for item in instance.get("metadata", {}).get("items", [])}
    value = items.get(EXPIRES, "")
    if value.isascii() and value.isdigit():
        return int(value)
    created = instance["creationTimestamp"].replace("Z", "+00:00")
    return datetime.datetime.fromisoformat(created).timestamp()


def expired(compute, now, margin_s):
    """Returns zone and name of all instances of runs that expired at least margin_s seconds ago."""
    return [
        (instance["zone"].rsplit("/", 1)[-1], instance["name"])
        for page in compute.pages()
        for zone in page.get("items", {}).values()
        for instance in zone.get("instances", [])
        if instance.get("status") not in ("STOPPING", "PENDING_STOP") and now >= expiry(instance) + margin_s
    ]


def reap(compute, now, margin_s):
    """Deletes all expired instances. Returns their names and the error for each that remains."""
    ended, failed = [], {}
    for zone, name in expired(compute, now, margin_s):
        try:
            compute.delete(zone, name)
            ended.append(name)
        except OSError as error:  # includes HTTP errors; the others must still be deleted
            failed[name] = str(error)
    return ended, failed


def run():
    """Deletes all expired instances of the project. Returns the response and its HTTP status."""
    now = datetime.datetime.now(datetime.timezone.utc).timestamp()
    endpoint = os.environ.get("COMPUTE_ENDPOINT", "https://compute.googleapis.com")
    compute = Compute(os.environ["PROJECT"], token(), endpoint)
    ended, failed = reap(compute, now, 60 * int(os.environ["MARGIN_MINUTES"]))
    return json.dumps({"terminated": ended, "failed": failed}), 500 if failed else 200


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers the schedule. A status of 500 is visible in the log of its job."""

    def do_POST(self):
        try:
            answer, status = run()
        except OSError as error:  # the instances cannot be listed
            answer, status = json.dumps({"error": str(error)}), 500
        print(answer, flush=True)
        self.send_response(status)
        self.end_headers()
        self.wfile.write(answer.encode())


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "8080"))  # set by Cloud Run
    server = http.server.HTTPServer(("", port), Handler)
    print(f"port {server.server_port}", flush=True)
    server.serve_forever()
