package io.elastune.provisioner.gcp.fake;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The placement policies of the fake. A new policy cannot be used until its creation ends after a
 * short time.
 */
public final class FakePolicies {
  private static final Duration MAKING = Duration.ofMillis(150);
  private static final String METHODS = "compute.resourcePolicies.";

  private final InstantSource time;
  private final Predicate<String> inUse;
  private final Map<String, Policy> policies = new HashMap<>();
  private final Map<String, Instant> operations = new HashMap<>();

  private record Policy(JsonNode body, String path, Instant ready) {}

  /** {@code inUse}: whether an instance that is up uses the policy with this path. */
  FakePolicies(InstantSource time, Predicate<String> inUse) {
    this.time = time;
    this.inUse = inUse;
  }

  /** Returns the names of all policies. */
  public synchronized List<String> names() {
    return policies.values().stream().map(some -> some.body().path("name").asString()).toList();
  }

  /** Rejects an instance that cannot have its policies. */
  synchronized void require(JsonNode instance) {
    for (JsonNode some : instance.path("resourcePolicies")) {
      Policy policy = policies.get(some.asString());
      if (policy == null) {
        throw ApiError.notFound(some.asString());
      }
      if (time.instant().isBefore(policy.ready())) {
        throw new ApiError(
            400, "resourceNotReady", "The resource '" + some.asString() + "' is not ready");
      }
      if (!policy.body().at("/groupPlacementPolicy/collocation").asString("").equals("COLLOCATED")
          || !instance.at("/scheduling/onHostMaintenance").asString("").equals("TERMINATE")
          || instance.path("machineType").asString("").contains("/n1-")) {
        throw new ApiError(400, "invalid", "The instance cannot have that placement policy");
      }
    }
  }

  /** Responds to calls about policies; empty for any other call. */
  Optional<JsonNode> answer(Request request) {
    return switch (request.method()) {
      case METHODS + "insert" -> Optional.of(insert(request));
      case METHODS + "delete" -> Optional.of(delete(request));
      case METHODS + "list" -> Optional.of(list(request));
      case "compute.regionOperations.wait" -> Optional.of(await(request));
      default -> Optional.empty();
    };
  }

  private synchronized JsonNode insert(Request request) {
    String path = path(request) + request.body().path("name").asString("");
    if (policies.containsKey(path)) {
      throw new ApiError(409, "alreadyExists", "The resource '" + path + "' already exists");
    }
    Instant ready = time.instant().plus(MAKING);
    policies.put(path, new Policy(request.body().deepCopy(), path, ready));
    return begun(request, "insert", path, ready);
  }

  private synchronized JsonNode delete(Request request) {
    String path = path(request) + request.path("resourcePolicy");
    if (!policies.containsKey(path)) {
      throw ApiError.notFound(path);
    }
    if (inUse.test(path)) {
      throw new ApiError(
          400, "resourceInUseByAnotherResource", "The resource '" + path + "' is already in use");
    }
    policies.remove(path);
    return begun(request, "delete", path, time.instant());
  }

  private static String path(Request request) {
    return "projects/%s/regions/%s/resourcePolicies/"
        .formatted(request.path("project"), request.path("region"));
  }

  private synchronized JsonNode list(Request request) {
    ObjectNode answer = FakeVm.object().put("kind", "compute#resourcePolicyList").put("id", "list");
    ArrayNode items = answer.putArray("items");
    policies.values().stream()
        .filter(some -> some.path().startsWith(path(request)))
        .map(Policy::body)
        .filter(body -> Filter.passes(body, request.query("filter")))
        .forEach(items::add);
    return answer;
  }

  private JsonNode begun(Request request, String type, String path, Instant ends) {
    String name = "operation-policy-" + operations.size() + "-" + type;
    operations.put(name, ends);
    return operation(request, name, path);
  }

  /** Responds only when the operation has ended, as Google does. */
  private JsonNode await(Request request) {
    String name = request.path("operation");
    Instant ends;
    synchronized (this) {
      if (!operations.containsKey(name)) {
        throw ApiError.notFound("operations/" + name);
      }
      ends = operations.getOrDefault(name, Instant.EPOCH);
    }
    while (time.instant().isBefore(ends)) {
      Thread.onSpinWait();
    }
    return operation(request, name, "");
  }

  private synchronized ObjectNode operation(Request request, String name, String path) {
    String of =
        request.base()
            + "/compute/v1/projects/%s/regions/%s"
                .formatted(request.path("project"), request.path("region"));
    boolean done = !time.instant().isBefore(operations.getOrDefault(name, Instant.EPOCH));
    return FakeVm.object()
        .put("kind", "compute#operation")
        .put("name", name)
        .put("operationType", name.substring(name.lastIndexOf('-') + 1))
        .put("region", of)
        .put("targetLink", request.base() + "/compute/v1/" + path)
        .put("selfLink", of + "/operations/" + name)
        .put("status", done ? "DONE" : "RUNNING");
  }
}
