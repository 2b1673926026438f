package io.elastune.provisioner.gcp.fake;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** All operations of the fake, by name and by request ID. */
final class FakeOperations {
  private final List<FakeOperation> operations = new ArrayList<>();
  private final Map<String, FakeOperation> byRequest = new HashMap<>();
  private int numbers;

  /** Returns a unique number. */
  String number() {
    return Integer.toString(++numbers);
  }

  FakeOperation add(String type, FakeInstance vm, Instant begins, Instant ends) {
    FakeOperation operation = new FakeOperation(++numbers, type, vm, begins, ends);
    operations.add(operation);
    return operation;
  }

  /** Fails a call with the request ID of an instance that is not visible yet. */
  void requireVisible(FakeRequest fakeRequest, Instant now) {
    FakeOperation earlier = byRequest.get(fakeRequest.idempotency());
    if (earlier != null && now.isBefore(earlier.vm.visible)) {
      throw ApiError.internal();
    }
  }

  /** Returns the earlier response to the same request ID. */
  Optional<JsonNode> earlierResponse(FakeRequest fakeRequest, Instant now) {
    return Optional.ofNullable(byRequest.get(fakeRequest.idempotency()))
        .map(some -> some.json(fakeRequest.base(), now));
  }

  /** Returns the response and records it for calls with the same request ID. */
  JsonNode recordResponse(FakeRequest fakeRequest, FakeOperation operation, Instant now) {
    byRequest.put(fakeRequest.idempotency(), operation);
    return operation.json(fakeRequest.base(), now);
  }

  /** Fails the insertion of an instance that is deleted during creation. */
  void cancelInsertion(FakeInstance vm, Instant now) {
    operations.stream()
        .filter(some -> some.vm == vm && some.type.equals("insert") && !some.isDone(now))
        .forEach(
            some -> {
              some.fail("OPERATION_CANCELED_BY_USER", "It was deleted.");
              some.ends = now;
            });
  }

  JsonNode find(FakeRequest fakeRequest, Instant now) {
    String name = fakeRequest.path("operation");
    return operations.stream()
        .filter(some -> some.name.equals(name) && some.zone.equals(fakeRequest.path("zone")))
        .findFirst()
        .map(some -> some.json(fakeRequest.base(), now))
        .orElseThrow(() -> ApiError.notFound("operations/" + name));
  }

  List<JsonNode> list(FakeRequest fakeRequest, Instant now) {
    return operations.stream()
        .filter(some -> !now.isBefore(some.vm.visible))
        .<JsonNode>map(some -> some.json(fakeRequest.base(), now))
        .filter(some -> ListFilter.passes(some, fakeRequest.query("filter")))
        .toList();
  }
}
