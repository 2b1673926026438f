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
  Optional<JsonNode> answer(FakeRequest fakeRequest) {
    return switch (fakeRequest.method()) {
      case METHODS + "insert" -> Optional.of(insert(fakeRequest));
      case METHODS + "delete" -> Optional.of(delete(fakeRequest));
      case METHODS + "list" -> Optional.of(list(fakeRequest));
      case "compute.regionOperations.wait" -> Optional.of(await(fakeRequest));
      default -> Optional.empty();
    };
  }

  private synchronized JsonNode insert(FakeRequest fakeRequest) {
    String path = path(fakeRequest) + fakeRequest.body().path("name").asString("");
    if (policies.containsKey(path)) {
      throw new ApiError(409, "alreadyExists", "The resource '" + path + "' already exists");
    }
    Instant ready = time.instant().plus(MAKING);
    policies.put(path, new Policy(fakeRequest.body().deepCopy(), path, ready));
    return begun(fakeRequest, "insert", path, ready);
  }

  private synchronized JsonNode delete(FakeRequest fakeRequest) {
    String path = path(fakeRequest) + fakeRequest.path("resourcePolicy");
    if (!policies.containsKey(path)) {
      throw ApiError.notFound(path);
    }
    if (inUse.test(path)) {
      throw new ApiError(
          400, "resourceInUseByAnotherResource", "The resource '" + path + "' is already in use");
    }
    policies.remove(path);
    return begun(fakeRequest, "delete", path, time.instant());
  }

  private static String path(FakeRequest fakeRequest) {
    return "projects/%s/regions/%s/resourcePolicies/"
        .formatted(fakeRequest.path("project"), fakeRequest.path("region"));
  }

  private synchronized JsonNode list(FakeRequest fakeRequest) {
    ObjectNode answer =
        FakeInstance.object().put("kind", "compute#resourcePolicyList").put("id", "list");
    ArrayNode items = answer.putArray("items");
    policies.values().stream()
        .filter(some -> some.path().startsWith(path(fakeRequest)))
        .map(Policy::body)
        .filter(body -> ListFilter.passes(body, fakeRequest.query("filter")))
        .forEach(items::add);
    return answer;
  }

  private JsonNode begun(FakeRequest fakeRequest, String type, String path, Instant ends) {
    String name = "operation-policy-" + operations.size() + "-" + type;
    operations.put(name, ends);
    return operation(fakeRequest, name, path);
  }

  /** Responds only when the operation has ended, as Google does. */
  private JsonNode await(FakeRequest fakeRequest) {
    String name = fakeRequest.path("operation");
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
    return operation(fakeRequest, name, "");
  }

  private synchronized ObjectNode operation(FakeRequest fakeRequest, String name, String path) {
    String of =
        fakeRequest.base()
            + "/compute/v1/projects/%s/regions/%s"
                .formatted(fakeRequest.path("project"), fakeRequest.path("region"));
    boolean done = !time.instant().isBefore(operations.getOrDefault(name, Instant.EPOCH));
    return FakeInstance.object()
        .put("kind", "compute#operation")
        .put("name", name)
        .put("operationType", name.substring(name.lastIndexOf('-') + 1))
        .put("region", of)
        .put("targetLink", fakeRequest.base() + "/compute/v1/" + path)
        .put("selfLink", of + "/operations/" + name)
        .put("status", done ? "DONE" : "RUNNING");
  }
}
