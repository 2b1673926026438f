package io.elastune.provisioner.gcp.fake;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * A call with its parameters and body.
 *
 * @param base the URL of the fake
 */
record FakeRequest(
    DiscoveryDocument.Call call, Map<String, String> query, JsonNode body, String base) {
  String method() {
    return call.method();
  }

  String path(String name) {
    return call.path().getOrDefault(name, "");
  }

  String query(String name) {
    return query.getOrDefault(name, "");
  }

  int number(String name, int otherwise) {
    return query.containsKey(name) ? Integer.parseInt(query(name)) : otherwise;
  }

  /** Returns the idempotency key. A call without a request ID has a unique one. */
  String idempotency() {
    String id = query("requestId");
    return method() + "|" + (id.isEmpty() ? System.identityHashCode(this) : id);
  }
}
