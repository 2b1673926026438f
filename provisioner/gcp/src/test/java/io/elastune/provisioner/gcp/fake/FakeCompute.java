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
 * Compute Engine itself: instances, operations, pools of capacity, quotas. What it does is done at
 * once, or fails by and by; what lists tell may lag behind, as far as {@link #visibleAfter} and the
 * faults say.
 */
public final class FakeCompute {
  static final List<String> ZONES =
      List.of("us-central1-a", "us-central1-b", "us-central1-c", "europe-west4-a");

  private final InstantSource time;
  private final List<FakeVm> vms = new ArrayList<>();
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

  /** Placement policies. */
  public FakePolicies policies() {
    return policies;
  }

  private synchronized boolean isUsed(String policy) {
    return vms.stream()
        .filter(vm -> !vm.doomed && vm.isThere(time.instant()))
        .flatMap(vm -> vm.body.path("resourcePolicies").valueStream())
        .anyMatch(some -> some.asString().equals(policy));
  }

  /** Coming, booting and going by lease. */
  public synchronized void times(Function<String, FakeTimes> byLease) {
    times = byLease;
  }

  /** What a booted node tells of its state, by its name and startup script. */
  public synchronized void told(BiFunction<String, String, String> state) {
    told = state;
  }

  /** How long new instances are not listed. */
  public synchronized void visibleAfter(Duration delay) {
    visibleAfter = delay;
  }

  /** How many instances of a type there are left in a zone. */
  public synchronized void pool(String type, String zone, int left) {
    pools.left(type, zone, left);
  }

  /** What the project may hold. */
  public FakeQuotas quotas() {
    return quotas;
  }

  /** The most instances that were up at the same time. */
  public synchronized int most() {
    return most;
  }

  /** Leases of all instances that are up, once for each instance. */
  public synchronized List<String> up() {
    return vms.stream().filter(vm -> vm.isUp(time.instant())).map(FakeCompute::lease).toList();
  }

  /** Leases of all instances that are there at all, stopped ones too. */
  public synchronized List<String> there() {
    return vms.stream().filter(vm -> vm.isThere(time.instant())).map(FakeCompute::lease).toList();
  }

  /** Leases of all instances that ever came to be. */
  public synchronized List<String> ever() {
    return vms.stream().filter(vm -> !vm.doomed).map(FakeCompute::lease).toList();
  }

  private static String lease(FakeVm vm) {
    String told = vm.metadata(Tags.LEASE);
    return told.isEmpty() ? vm.label(Tags.LEASE) : told;
  }

  /** The bill: seconds by lease. */
  public synchronized Map<String, Long> bill() {
    Map<String, Long> seconds = new TreeMap<>();
    vms.stream()
        .filter(vm -> !vm.doomed)
        .forEach(vm -> seconds.merge(lease(vm), vm.billedS(time.instant()), Long::sum));
    return seconds;
  }

  /** The order that made the newest instance of a lease, and what has become of it since. */
  public synchronized JsonNode order(String lease) {
    return newest(lease).body.deepCopy();
  }

  /** An item of the metadata of the newest instance of a lease. */
  public synchronized String metadata(String lease, String key) {
    return newest(lease).metadata(key);
  }

  /** The zone of the newest instance of a lease. */
  public synchronized String zone(String lease) {
    return newest(lease).zone;
  }

  /** Takes an instance back, as Google does with spot: notice first, and then it is no more. */
  public synchronized void preempt(String lease, Duration notice) {
    Instant now = time.instant();
    FakeVm vm = newest(lease);
    vm.ending = now;
    vm.ended = now.plus(notice);
    operations.add("compute.instances.preempted", vm, now, now.plus(notice));
  }

  /** The machine shuts itself down: it stops, and is still there. */
  public synchronized void shutDown(String lease) {
    Instant now = time.instant();
    FakeVm vm = newest(lease);
    vm.stops = true;
    vm.ending = now;
    vm.ended = now;
    operations.add("compute.instances.guestTerminate", vm, now, now);
  }

  /** Somebody else deletes it; {@code told}: whether Google remembers. */
  public synchronized void vanish(String lease, boolean remembered) {
    Instant now = time.instant();
    FakeVm vm = newest(lease);
    vm.end(now);
    vm.ended = now;
    if (remembered) {
      operations.add("delete", vm, now, now);
    }
  }

  /** Puts an instance there that nobody has asked for in this process. */
  public synchronized String add(String zone, String name, String type, Map<String, String> tags) {
    ObjectNode body = FakeVm.object();
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

  private FakeVm newest(String lease) {
    return vms.stream()
        .filter(vm -> !vm.doomed && lease(vm).equals(lease))
        .reduce((first, second) -> second)
        .orElseThrow(() -> new AssertionError("no instance was ever made for " + lease));
  }

  private FakeVm make(String project, String zone, ObjectNode body, FakeTimes some) {
    FakeVm vm = new FakeVm(operations.number(), project, zone, body, time.instant(), some);
    vms.add(vm);
    most = Math.max(most, up().size());
    return vm;
  }

  synchronized JsonNode insert(Request request, boolean fails) {
    Instant now = time.instant();
    Optional<JsonNode> before = operations.before(request, now);
    if (before.isPresent()) {
      return before.get();
    }
    String zone = request.path("zone");
    ObjectNode body = (ObjectNode) request.body();
    String name = body.path("name").asString("");
    if (!ZONES.contains(zone)) {
      throw ApiError.notFound("projects/" + request.path("project") + "/zones/" + zone);
    }
    if (find(zone, name).isPresent()) {
      throw new ApiError(
          409,
          "alreadyExists",
          "The resource 'projects/p/zones/z/instances/" + name + "' already exists");
    }
    FakeTypes.check(body, zone);
    policies.require(body);
    String lease = body.path("labels").path(Tags.LEASE).asString("");
    FakeTimes some = times.apply(lease);
    Optional<String[]> refusal =
        fails
            ? Optional.of(new String[] {"INTERNAL_ERROR", "Internal error."})
            : refusal(zone, body);
    FakeVm vm = make(request.path("project"), zone, body, some);
    vm.doomed = refusal.isPresent();
    FakeOperation operation = operations.add("insert", vm, now, vm.runs);
    refusal.ifPresent(why -> operation.failing(why[0], why[1]));
    return operations.answer(request, operation, now);
  }

  private Optional<String[]> refusal(String zone, ObjectNode body) {
    FakeVm trial = new FakeVm("0", "p", zone, body, time.instant(), FakeTimes.NONE);
    Optional<String> quota =
        quotas.exceededBy(trial, vms.stream().filter(vm -> vm.isUp(time.instant())).toList());
    if (quota.isPresent()) {
      return Optional.of(new String[] {"QUOTA_EXCEEDED", quota.get()});
    }
    return pools.refusal(trial.type(), zone);
  }

  private Optional<FakeVm> find(String zone, String name) {
    Instant now = time.instant();
    return vms.stream()
        .filter(vm -> vm.zone.equals(zone) && vm.name().equals(name) && vm.isThere(now))
        .findFirst();
  }

  private FakeVm require(Request request) {
    String zone = request.path("zone");
    String name = request.path("instance");
    return find(zone, name)
        .orElseThrow(
            () ->
                ApiError.notFound(
                    "projects/%s/zones/%s/instances/%s"
                        .formatted(request.path("project"), zone, name)));
  }

  synchronized JsonNode delete(Request request, boolean fails) {
    Instant now = time.instant();
    Optional<JsonNode> before = operations.before(request, now);
    if (before.isPresent()) {
      return before.get();
    }
    FakeVm vm = require(request);
    if (!fails) {
      operations.cancelInsertion(vm, now);
      vm.end(now);
    }
    FakeOperation operation =
        operations.add("delete", vm, now, fails || vm.ended == null ? now : vm.ended);
    if (fails) {
      operation.failing("INTERNAL_ERROR", "Internal error.");
    }
    return operations.answer(request, operation, now);
  }

  synchronized JsonNode get(Request request) {
    return require(request).json(request.base(), time.instant());
  }

  synchronized JsonNode operation(Request request) {
    return operations.find(request, time.instant());
  }

  synchronized JsonNode setMetadata(Request request, boolean fails) {
    FakeVm vm = require(request);
    Instant now = time.instant();
    if (!request
        .body()
        .path("fingerprint")
        .asString("")
        .equals(FakeVm.fingerprint("m" + vm.metadataVersion))) {
      throw new ApiError(
          412,
          "conditionNotMet",
          "Supplied fingerprint does not match current metadata fingerprint.");
    }
    FakeOperation operation = operations.add("setMetadata", vm, now, now);
    if (fails) {
      operation.failing("INTERNAL_ERROR", "Internal error.");
    } else {
      ObjectNode metadata = (ObjectNode) request.body().deepCopy();
      metadata.remove("fingerprint");
      vm.body.set("metadata", metadata);
      vm.metadataVersion++;
    }
    return operation.json(request.base(), now);
  }

  synchronized JsonNode guestAttributes(Request request) {
    FakeVm vm = require(request);
    if (!vm.metadata("enable-guest-attributes").equals("TRUE")) {
      throw new ApiError(412, "conditionNotMet", "Guest attributes endpoint access is disabled.");
    }
    if (!vm.isBooted(time.instant())) {
      throw new ApiError(
          404, "notFound", "The resource 'elastune/' of type 'Guest Attribute' was not found.");
    }
    return vm.told(
        request.query("queryPath"), told.apply(vm.name(), vm.metadata("startup-script")));
  }

  /** Instances that lists show, as they were then. */
  synchronized List<JsonNode> visible(Request request, Instant asOf) {
    return vms.stream()
        .filter(vm -> !vm.inserted.plus(visibleAfter).isAfter(asOf) && vm.isThere(asOf))
        .<JsonNode>map(vm -> vm.json(request.base(), asOf))
        .filter(vm -> Filter.passes(vm, request.query("filter")))
        .toList();
  }

  synchronized List<JsonNode> history(Request request) {
    return operations.list(request, time.instant());
  }

  synchronized List<FakeVm> upIn(String region) {
    return vms.stream()
        .filter(vm -> vm.zone.startsWith(region) && vm.isUp(time.instant()))
        .toList();
  }
}
