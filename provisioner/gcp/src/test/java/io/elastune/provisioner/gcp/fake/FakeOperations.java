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

  FakeOperation add(String type, FakeVm vm, Instant begins, Instant ends) {
    FakeOperation operation = new FakeOperation(++numbers, type, vm, begins, ends);
    operations.add(operation);
    return operation;
  }

  /** Returns the earlier response to the same request ID. */
  Optional<JsonNode> before(Request request, Instant now) {
    return Optional.ofNullable(byRequest.get(request.idempotency()))
        .map(some -> some.json(request.base(), now));
  }

  /** Returns the response and records it for calls with the same request ID. */
  JsonNode answer(Request request, FakeOperation operation, Instant now) {
    byRequest.put(request.idempotency(), operation);
    return operation.json(request.base(), now);
  }

  /** Fails the insertion of an instance that is deleted during creation. */
  void cancelInsertion(FakeVm vm, Instant now) {
    operations.stream()
        .filter(some -> some.vm == vm && some.type.equals("insert") && !some.isDone(now))
        .forEach(
            some -> {
              some.failing("OPERATION_CANCELED_BY_USER", "It was deleted.");
              some.ends = now;
            });
  }

  JsonNode find(Request request, Instant now) {
    String name = request.path("operation");
    return operations.stream()
        .filter(some -> some.name.equals(name) && some.zone.equals(request.path("zone")))
        .findFirst()
        .map(some -> some.json(request.base(), now))
        .orElseThrow(() -> ApiError.notFound("operations/" + name));
  }

  List<JsonNode> list(Request request, Instant now) {
    return operations.stream()
        .<JsonNode>map(some -> some.json(request.base(), now))
        .filter(some -> Filter.passes(some, request.query("filter")))
        .toList();
  }
}
