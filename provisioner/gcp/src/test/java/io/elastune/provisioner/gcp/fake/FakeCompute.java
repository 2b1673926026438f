package io.elastune.provisioner.gcp.fake;

import io.elastune.provisioner.Tags;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The state of the fake Compute Engine: instances, operations, capacity and quotas. Calls take
 * effect immediately or fail later. Lists may lag behind according to {@link #visibleAfter} and the
 * faults.
 */
public final class FakeCompute {
  static final List<String> ZONES =
      List.of("us-central1-a", "us-central1-b", "us-central1-c", "europe-west4-a");

  private static final Duration LATE = Duration.ofSeconds(3);

  private final InstantSource time;
  private final List<FakeInstance> vms = new ArrayList<>();
  private final FakeOperations operations = new FakeOperations();
  private final FakePools pools = new FakePools();
  private final FakeQuotas quotas = new FakeQuotas();
  private final FakePolicies policies;
  private Function<String, FakeTimes> times = lease -> FakeTimes.NONE;
  private BiFunction<String, String, String> told = (name, script) -> "ready";
  private Duration visibleAfter = Duration.ZERO;
  private int most;

  FakeCompute(InstantSource time) {
    this.time = time;
    policies = new FakePolicies(time, this::isUsed);
  }

  /** Returns the placement policies. */
  public FakePolicies policies() {
    return policies;
  }

  private synchronized boolean isUsed(String policy) {
    return vms.stream()
        .filter(vm -> !vm.creationFails && vm.exists(time.instant()))
        .flatMap(vm -> vm.body.path("resourcePolicies").valueStream())
        .anyMatch(some -> some.asString().equals(policy));
  }

  /** Sets the times of instances by lease. */
  public synchronized void times(Function<String, FakeTimes> byLease) {
    times = byLease;
  }

  /** Sets the guest attribute of a booted node, by its name and startup script. */
  public synchronized void guestAttribute(BiFunction<String, String, String> state) {
    told = state;
  }

  /** Sets how long new instances are not listed. */
  public synchronized void visibleAfter(Duration delay) {
    visibleAfter = delay;
  }

  /** Sets the remaining capacity for a type in a zone. */
  public synchronized void pool(String type, String zone, int left) {
    pools.setCapacity(type, zone, left);
  }

  /** Rejects calls for a type in a zone. */
  public synchronized void reject(
      String type, String zone, int status, String reason, String message) {
    pools.reject(type, zone, new ApiError(status, reason, message));
  }

  /** Accepts calls for a type in a zone, and fails their operations. */
  public synchronized void failOperations(String type, String zone, String code, String message) {
    pools.failOperations(type, zone, code, message);
  }

  /** Returns the quotas of the project. */
  public FakeQuotas quotas() {
    return quotas;
  }

  /** Returns the highest number of instances that were up at the same time. */
  public synchronized int peakInstances() {
    return most;
  }

  /** Returns the leases of all instances that are up, one entry for each instance. */
  public synchronized List<String> runningLeases() {
    return vms.stream().filter(vm -> vm.isUp(time.instant())).map(FakeCompute::lease).toList();
  }

  /** Returns the leases of all existing instances, including stopped ones. */
  public synchronized List<String> existingLeases() {
    return vms.stream().filter(vm -> vm.exists(time.instant())).map(FakeCompute::lease).toList();
  }

  /** Returns the leases of all instances ever created. */
  public synchronized List<String> createdLeases() {
    return vms.stream().filter(vm -> !vm.creationFails).map(FakeCompute::lease).toList();
  }

  /** Returns the leases of the created instances that appeared at once. */
  public synchronized List<String> plainLaunches() {
    return vms.stream()
        .filter(vm -> !vm.creationFails && vm.visible.equals(vm.inserted))
        .map(FakeCompute::lease)
        .toList();
  }

  private static String lease(FakeInstance vm) {
    String told = vm.metadata(Tags.LEASE);
    return told.isEmpty() ? vm.label(Tags.LEASE) : told;
  }

  /** Returns the billed seconds by lease. */
  public synchronized Map<String, Long> billedSeconds() {
    Map<String, Long> seconds = new TreeMap<>();
    vms.stream()
        .filter(vm -> !vm.creationFails)
        .forEach(vm -> seconds.merge(lease(vm), vm.billedS(time.instant()), Long::sum));
    return seconds;
  }

  /**
   * Returns the resource of the newest instance of a lease: its insert request with later changes.
   */
  public synchronized JsonNode resource(String lease) {
    return newest(lease).body.deepCopy();
  }

  /** Returns a metadata item of the newest instance of a lease. */
  public synchronized String metadata(String lease, String key) {
    return newest(lease).metadata(key);
  }

  /** Returns the zone of the newest instance of a lease. */
  public synchronized String zone(String lease) {
    return newest(lease).zone;
  }

  /** Preempts an instance: sends the notice and deletes the instance after it. */
  public synchronized void preempt(String lease, Duration notice) {
    Instant now = time.instant();
    FakeInstance vm = newest(lease);
    vm.ending = now;
    vm.ended = now.plus(notice);
    operations.add("compute.instances.preempted", vm, now, now.plus(notice));
  }

  /** Shuts an instance down from inside: it stops but still exists. */
  public synchronized void shutDown(String lease) {
    Instant now = time.instant();
    FakeInstance vm = newest(lease);
    vm.stops = true;
    vm.ending = now;
    vm.ended = now;
    operations.add("compute.instances.guestTerminate", vm, now, now);
  }

  /**
   * Deletes an instance externally. {@code remembered}: whether the operation history contains the
   * deletion.
   */
  public synchronized void deleteExternally(String lease, boolean remembered) {
    Instant now = time.instant();
    FakeInstance vm = newest(lease);
    vm.end(now);
    vm.ended = now;
    if (remembered) {
      operations.add("delete", vm, now, now);
    }
  }

  /** Creates an instance that this process has not requested. */
  public synchronized String add(String zone, String name, String type, Map<String, String> tags) {
    ObjectNode body = FakeInstance.object();
    body.put("name", name).put("machineType", "zones/" + zone + "/machineTypes/" + type);
    ObjectNode labels = body.putObject("labels");
    ArrayNode items = body.putObject("metadata").putArray("items");
    tags.forEach(
        (key, value) -> {
          if (!key.equals(Tags.EXPIRES)) {
            labels.put(key, value);
          }
          items.addObject().put("key", key).put("value", value);
        });
    body.putObject("scheduling").put("provisioningModel", "STANDARD");
    return make("my-project", zone, body, FakeTimes.NONE).name();
  }

  private FakeInstance newest(String lease) {
    return vms.stream()
        .filter(vm -> !vm.creationFails && lease(vm).equals(lease))
        .reduce((first, second) -> second)
        .orElseThrow(() -> new AssertionError("no instance was ever created for " + lease));
  }

  private FakeInstance make(String project, String zone, ObjectNode body, FakeTimes some) {
    FakeInstance vm =
        new FakeInstance(operations.number(), project, zone, body, time.instant(), some);
    vms.add(vm);
    most = Math.max(most, runningLeases().size());
    return vm;
  }

  synchronized JsonNode insert(FakeRequest fakeRequest, Fault fault) {
    Instant now = time.instant();
    operations.requireVisible(fakeRequest, now);
    Optional<JsonNode> before = operations.earlierResponse(fakeRequest, now);
    if (before.isPresent()) {
      return before.get();
    }
    if (fault == Fault.UNKNOWN_CODE) {
      throw new ApiError(400, "zoneIsMovingHouse", "The zone is moving house.");
    }
    String zone = fakeRequest.path("zone");
    ObjectNode body = (ObjectNode) fakeRequest.body();
    String name = body.path("name").asString("");
    if (!ZONES.contains(zone)) {
      throw ApiError.notFound("projects/" + fakeRequest.path("project") + "/zones/" + zone);
    }
    if (find(zone, name).isPresent()) {
      throw new ApiError(
          409,
          "alreadyExists",
          "The resource 'projects/p/zones/z/instances/" + name + "' already exists");
    }
    pools.requireAccepted(trial(zone, body).type(), zone);
    FakeTypes.check(body, zone);
    policies.require(body);
    String lease = body.path("labels").path(Tags.LEASE).asString("");
    FakeTimes some = times.apply(lease);
    Optional<String[]> refusal =
        switch (fault) {
          case OPERATION_FAILS -> Optional.of(new String[] {"INTERNAL_ERROR", "Internal error."});
          case PREEMPTED ->
              Optional.of(
                  new String[] {
                    "UNSUPPORTED_OPERATION", "Instance failed to start due to preemption."
                  });
          default -> refusal(zone, body);
        };
    FakeInstance vm = make(fakeRequest.path("project"), zone, body, some);
    vm.creationFails = refusal.isPresent();
    FakeOperation operation = operations.add("insert", vm, now, vm.runs);
    refusal.ifPresent(why -> operation.fail(why[0], why[1]));
    if (fault == Fault.LATE_TWIN && refusal.isEmpty()) {
      vm.visible = now.plus(LATE);
      operations.recordResponse(fakeRequest, operation, now);
      throw ApiError.internal();
    }
    return operations.recordResponse(fakeRequest, operation, now);
  }

  /** Returns the instance that a call would create. */
  private FakeInstance trial(String zone, ObjectNode body) {
    return new FakeInstance("0", "p", zone, body, time.instant(), FakeTimes.NONE);
  }

  private Optional<String[]> refusal(String zone, ObjectNode body) {
    FakeInstance trial = trial(zone, body);
    Optional<String> quota =
        quotas.exceededBy(trial, vms.stream().filter(vm -> vm.isUp(time.instant())).toList());
    if (quota.isPresent()) {
      return Optional.of(new String[] {"QUOTA_EXCEEDED", quota.get()});
    }
    return pools.take(trial.type(), zone);
  }

  private Optional<FakeInstance> find(String zone, String name) {
    Instant now = time.instant();
    return vms.stream()
        .filter(vm -> vm.zone.equals(zone) && vm.name().equals(name) && vm.exists(now))
        .filter(vm -> !now.isBefore(vm.visible))
        .findFirst();
  }

  private FakeInstance require(FakeRequest fakeRequest) {
    String zone = fakeRequest.path("zone");
    String name = fakeRequest.path("instance");
    return find(zone, name)
        .orElseThrow(
            () ->
                ApiError.notFound(
                    "projects/%s/zones/%s/instances/%s"
                        .formatted(fakeRequest.path("project"), zone, name)));
  }

  synchronized JsonNode delete(FakeRequest fakeRequest, boolean fails) {
    Instant now = time.instant();
    Optional<JsonNode> before = operations.earlierResponse(fakeRequest, now);
    if (before.isPresent()) {
      return before.get();
    }
    FakeInstance vm = require(fakeRequest);
    if (!fails) {
      operations.cancelInsertion(vm, now);
      vm.end(now);
    }
    FakeOperation operation =
        operations.add("delete", vm, now, fails || vm.ended == null ? now : vm.ended);
    if (fails) {
      operation.fail("INTERNAL_ERROR", "Internal error.");
    }
    return operations.recordResponse(fakeRequest, operation, now);
  }

  synchronized JsonNode get(FakeRequest fakeRequest) {
    return require(fakeRequest).json(fakeRequest.base(), time.instant());
  }

  /** Describes a boot disk, which has the name of its instance. */
  synchronized JsonNode disk(FakeRequest fakeRequest) {
    String name = fakeRequest.path("disk");
    return find(fakeRequest.path("zone"), name)
        .map(vm -> vm.disk(fakeRequest.base()))
        .orElseThrow(() -> ApiError.notFound("disks/" + name));
  }

  synchronized JsonNode operation(FakeRequest fakeRequest) {
    return operations.find(fakeRequest, time.instant());
  }

  synchronized JsonNode setMetadata(FakeRequest fakeRequest, boolean fails) {
    FakeInstance vm = require(fakeRequest);
    Instant now = time.instant();
    if (!fakeRequest
        .body()
        .path("fingerprint")
        .asString("")
        .equals(FakeInstance.fingerprint("m" + vm.metadataVersion))) {
      throw new ApiError(
          412,
          "conditionNotMet",
          "Supplied fingerprint does not match current metadata fingerprint.");
    }
    FakeOperation operation = operations.add("setMetadata", vm, now, now);
    if (fails) {
      operation.fail("INTERNAL_ERROR", "Internal error.");
    } else {
      ObjectNode metadata = (ObjectNode) fakeRequest.body().deepCopy();
      metadata.remove("fingerprint");
      vm.body.set("metadata", metadata);
      vm.metadataVersion++;
    }
    return operation.json(fakeRequest.base(), now);
  }

  synchronized JsonNode guestAttributes(FakeRequest fakeRequest) {
    FakeInstance vm = require(fakeRequest);
    if (!vm.metadata("enable-guest-attributes").equals("TRUE")) {
      throw new ApiError(412, "conditionNotMet", "Guest attributes endpoint access is disabled.");
    }
    if (!vm.isBooted(time.instant())) {
      throw new ApiError(
          404, "notFound", "The resource 'elastune/' of type 'Guest Attribute' was not found.");
    }
    return vm.guestAttributes(
        fakeRequest.query("queryPath"), told.apply(vm.name(), vm.metadata("startup-script")));
  }

  /** Returns the instances that lists show, as of a time. */
  synchronized List<JsonNode> visible(FakeRequest fakeRequest, Instant asOf) {
    return vms.stream()
        .filter(vm -> !vm.visible.plus(visibleAfter).isAfter(asOf) && vm.exists(asOf))
        .<JsonNode>map(vm -> vm.json(fakeRequest.base(), asOf))
        .filter(vm -> ListFilter.passes(vm, fakeRequest.query("filter")))
        .toList();
  }

  synchronized List<JsonNode> history(FakeRequest fakeRequest) {
    return operations.list(fakeRequest, time.instant());
  }

  synchronized List<FakeInstance> runningIn(String region) {
    return vms.stream()
        .filter(vm -> vm.zone.startsWith(region) && vm.isUp(time.instant()))
        .toList();
  }
}
