package io.elastune.provisioner.gcp.fake;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * A call that the description knows.
 *
 * @param base where the fake listens
 */
record Request(Discovery.Call call, Map<String, String> query, JsonNode body, String base) {
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

  /** What makes two calls the same one; a call without a request id is like no other. */
  String idempotency() {
    String id = query("requestId");
    return method() + "|" + (id.isEmpty() ? System.identityHashCode(this) : id);
  }
}
