package io.elastune.provisioner.aws.fake;

import io.elastune.provisioner.Tags;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A fake EC2 with instances, client tokens, capacity pools and a quota. Calls take effect at once;
 * lists may lag behind, as set by {@link #visibleAfter} and the faults.
 */
public final class FakeEc2 {
  private static final Duration LATE = Duration.ofSeconds(3);

  private final InstantSource time;
  private final Map<String, FakeInstance> instances = new LinkedHashMap<>();
  private final Map<String, Query> orders = new HashMap<>();
  private final Map<String, String> byToken = new HashMap<>();
  private final Map<String, Integer> pools = new HashMap<>();
  private final LaunchRules rules = new LaunchRules();
  private final Map<String, List<String>> failing = new HashMap<>();
  private final Map<String, Refusals> refusals = new HashMap<>();
  private final FakeLists lists = new FakeLists();
  private final FakeGroups groups = new FakeGroups(this::isUsed);
  private Function<String, FakeTimes> times = lease -> FakeTimes.NONE;
  private BiFunction<String, String, String> console = (id, userData) -> "ELASTUNE-NODE ready\n";
  private Duration visibleAfter = Duration.ZERO;
  private int quota = Integer.MAX_VALUE;
  private int spotQuota = Integer.MAX_VALUE;
  private int most;
  private int numbers;
  private int descriptionsWithoutLifecycle;

  FakeEc2(InstantSource time) {
    this.time = time;
  }

  /** Sets the durations of pending, booting and shutting down by lease. */
  public synchronized void times(Function<String, FakeTimes> byLease) {
    times = byLease;
  }

  /** Sets the console text of a booted node, by its id and user data. */
  public synchronized void console(BiFunction<String, String, String> text) {
    console = text;
  }

  /** Sets how long new instances are not listed. */
  public synchronized void visibleAfter(Duration delay) {
    visibleAfter = delay;
  }

  /** Omits from this many descriptions of a running instance that it is a spot instance. */
  public synchronized void omitLifecycle(int descriptions) {
    descriptionsWithoutLifecycle = descriptions;
  }

  /** Sets the remaining capacity of a type in a zone. */
  public synchronized void pool(String type, String zone, int left) {
    pools.put(type + "@" + zone, left);
  }

  /** Answers the next launches of a type in a zone with an error, as EC2 does with any code. */
  public synchronized void refuse(
      String type, String zone, int launches, int status, String code, String message) {
    refusals.put(type + "@" + zone, new Refusals(launches, new ApiError(status, code, message)));
  }

  /** The error of the next launches. */
  private record Refusals(int left, ApiError error) {}

  /** Accepts launches of a type in a zone, and ends the instances with this reason instead. */
  public synchronized void failAfterLaunch(String type, String zone, String code, String message) {
    failing.put(type + "@" + zone, List.of(code, message));
  }

  /** Sets the largest number of running instances. */
  public synchronized void quota(int instancesUp) {
    quota = instancesUp;
  }

  /** Sets the number of spot instances that may run at the same time. */
  public synchronized void spotQuota(int instancesUp) {
    spotQuota = instancesUp;
  }

  /** Returns the largest number of instances that ran at the same time. */
  public synchronized int peakInstances() {
    return most;
  }

  /** Returns the leases of all running instances, once for each instance. */
  public synchronized List<String> runningLeases() {
    return instances.values().stream()
        .filter(instance -> instance.isUp(time.instant()))
        .map(instance -> instance.tags.getOrDefault(Tags.LEASE, ""))
        .toList();
  }

  /** Returns the leases of all instances ever launched. */
  public synchronized List<String> launchedLeases() {
    return instances.values().stream()
        .map(instance -> instance.tags.getOrDefault(Tags.LEASE, ""))
        .toList();
  }

  /** Returns the leases of the instances that appeared at once and were not interrupted before. */
  public synchronized List<String> plainLaunches() {
    return instances.values().stream()
        .filter(instance -> instance.visible.equals(instance.launched))
        .filter(instance -> instance.message.isEmpty())
        .map(instance -> instance.tags.getOrDefault(Tags.LEASE, ""))
        .toList();
  }

  /** Returns the tags of the newest instance of a lease. */
  public synchronized Map<String, String> tags(String lease) {
    return Map.copyOf(newest(lease).tags);
  }

  /** Returns the tags of an instance; empty for an unknown one. */
  synchronized Map<String, String> tagsOf(String id) {
    FakeInstance instance = instances.get(id);
    return instance == null ? Map.of() : Map.copyOf(instance.tags);
  }

  /** Returns the call that launched the newest instance of a lease. */
  public synchronized Map<String, String> launchCall(String lease) {
    return Map.copyOf(orders.get(newest(lease).id).fields());
  }

  /**
   * Returns the billed seconds by lease, including the seconds in which an instance began to run
   * and ended.
   */
  public synchronized Map<String, Long> billedSeconds() {
    Map<String, Long> seconds = new TreeMap<>();
    instances
        .values()
        .forEach(
            instance ->
                seconds.merge(
                    instance.tags.getOrDefault(Tags.LEASE, ""),
                    instance.billedS(time.instant()),
                    Long::sum));
    return seconds;
  }

  /** Returns the rules for the parameters of launches. */
  public LaunchRules rules() {
    return rules;
  }

  /** Returns the placement groups. */
  public FakeGroups groups() {
    return groups;
  }

  private synchronized boolean isUsed(String group) {
    return instances.values().stream()
        .anyMatch(instance -> instance.group.equals(group) && instance.isUp(time.instant()));
  }

  /** Returns the number of responses with a next page. */
  public synchronized int pagesServed() {
    return lists.pagesServed();
  }

  /** Gives an interruption notice for an instance, as EC2 does on spot. */
  public synchronized void giveInterruptionNotice(String lease) {
    newest(lease).marked = true;
  }

  /** Interrupts an instance, as EC2 does on spot. */
  public synchronized void interrupt(String lease) {
    newest(lease).end(time.instant(), "Server.SpotInstanceTermination", "Service initiated");
  }

  /** Shuts an instance down from inside. It terminates only if its launch has requested that. */
  public synchronized void shutDown(String lease) {
    FakeInstance instance = newest(lease);
    if (orders.get(instance.id).text("InstanceInitiatedShutdownBehavior").equals("terminate")) {
      instance.end(time.instant(), "Client.InstanceInitiatedShutdown", "User initiated");
    }
  }

  /** Removes the newest instance of a lease, as EC2 does an hour after its end. */
  public synchronized void removeNewest(String lease) {
    instances.remove(newest(lease).id);
  }

  /** Adds an instance that this process did not request. */
  public synchronized String add(String type, Map<String, String> tags) {
    Query order = Query.parse("InstanceType=" + type);
    return launch(order, tags, time.instant()).id;
  }

  /** Returns the state of an instance, as EC2 names it. */
  public synchronized String stateOf(String id) {
    return instances.get(id).state(time.instant());
  }

  private FakeInstance newest(String lease) {
    return instances.values().stream()
        .filter(instance -> lease.equals(instance.tags.get(Tags.LEASE)))
        .reduce((first, second) -> second)
        .orElseThrow(() -> new AssertionError("no instance was ever launched for " + lease));
  }

  private long spotUp(Instant now) {
    return instances.values().stream()
        .filter(instance -> instance.spot && instance.isUp(now))
        .count();
  }

  synchronized String run(Query query, Fault fault) {
    Instant now = time.instant();
    String token = query.text("ClientToken");
    String known = byToken.get(token);
    if (known != null) {
      if (!orders.get(known).equals(query)) {
        throw new ApiError(400, "IdempotentParameterMismatch", "another request used this token");
      }
      requireVisible(instances.get(known), now);
      return reservation(instances.get(known), now);
    }
    if (query.text("DryRun").equals("true")) {
      throw new ApiError(412, "DryRunOperation", "Request would have succeeded");
    }
    long up = instances.values().stream().filter(instance -> instance.isUp(now)).count();
    if (up >= quota) {
      throw new ApiError(
          400,
          "VcpuLimitExceeded",
          "You have requested more vCPU capacity than your current limit");
    }
    if (query.text("InstanceMarketOptions.MarketType").equals("spot") && spotUp(now) >= spotQuota) {
      throw new ApiError(400, "MaxSpotInstanceCountExceeded", "Max spot instance count exceeded");
    }
    if (fault == Fault.UNKNOWN_CODE) {
      throw new ApiError(400, "ZoneIsMovingHouse", "The zone is moving house.");
    }
    rules.check(query);
    groups.requireVisible(query.text("Placement.GroupName"));
    take(query);
    FakeInstance made = launch(query, query.pairs("TagSpecification.1.Tag"), now);
    if (!token.isEmpty()) {
      byToken.put(token, made.id);
    }
    most = Math.max(most, (int) up + 1);
    if (fault == Fault.PREEMPTED) {
      made.failLaunch("Server.SpotInstanceTermination", "Interrupted.");
    } else if (fault == Fault.LATE_TWIN) {
      made.visible = now.plus(LATE);
    }
    requireVisible(made, now);
    return reservation(made, now);
  }

  private static void requireVisible(FakeInstance instance, Instant now) {
    if (now.isBefore(instance.visible)) {
      throw new ApiError(500, "InternalError", "An internal error has occurred");
    }
  }

  private void take(Query query) {
    String zone = query.text("Placement.AvailabilityZone");
    String pool = query.text("InstanceType") + "@" + (zone.isEmpty() ? "us-east-1a" : zone);
    Refusals some = refusals.get(pool);
    if (some != null && some.left() > 0) {
      refusals.put(pool, new Refusals(some.left() - 1, some.error()));
      throw some.error();
    }
    Integer left = pools.get(pool);
    if (left == null) {
      return;
    }
    if (left == 0) {
      throw new ApiError(
          500, "InsufficientInstanceCapacity", "We currently do not have sufficient capacity");
    }
    pools.put(pool, left - 1);
  }

  private FakeInstance launch(Query order, Map<String, String> tags, Instant now) {
    String id = String.format("i-%017x", ++numbers);
    FakeTimes some = times.apply(tags.getOrDefault(Tags.LEASE, ""));
    FakeInstance made = new FakeInstance(id, order, tags, now, some);
    made.withoutLifecycle = descriptionsWithoutLifecycle;
    List<String> failure = failing.get(made.type + "@" + made.zone);
    if (failure != null) {
      made.failLaunch(failure.get(0), failure.get(1));
    }
    instances.put(id, made);
    orders.put(id, order);
    return made;
  }

  private String reservation(FakeInstance instance, Instant now) {
    String shown =
        instance.xml(now, FakeDetails.ofInstance(instance, orders.get(instance.id), now));
    return Xml.nested(
        "RunInstancesResponse",
        Xml.element("reservationId", "r-1") + Xml.nested("instancesSet", shown));
  }

  synchronized String describe(Query query, Instant asOf) {
    requireKnown(query.list("InstanceId"));
    return lists.describe(query, visible(asOf), orders, asOf);
  }

  private List<FakeInstance> visible(Instant asOf) {
    return instances.values().stream()
        .filter(instance -> !instance.visible.plus(visibleAfter).isAfter(asOf))
        .toList();
  }

  /** Fails unless all instances of a call exist. */
  synchronized void requireKnown(Query query) {
    requireKnown(query.list("InstanceId"));
    requireKnown(query.list("ResourceId"));
    if (!query.text("InstanceId").isEmpty()) {
      requireKnown(List.of(query.text("InstanceId")));
    }
  }

  private void requireKnown(List<String> ids) {
    List<String> unknown = ids.stream().filter(id -> !instances.containsKey(id)).toList();
    if (!unknown.isEmpty()) {
      throw new ApiError(
          400, "InvalidInstanceID.NotFound", "The instance IDs '" + unknown + "' do not exist");
    }
  }

  /** Lists the requests of spot instances. */
  synchronized String spotRequests(Query query) {
    return FakeLists.spotRequests(query, instances.values(), orders);
  }

  /** Describes the volumes or network interfaces of existing instances. */
  synchronized String resources(Query query) {
    List<FakeInstance> up =
        instances.values().stream().filter(instance -> instance.isUp(time.instant())).toList();
    return FakeDetails.resources(query, up, orders);
  }

  /** Describes an attribute of an instance. */
  synchronized String attribute(Query query) {
    requireKnown(query);
    return FakeDetails.attribute(query, orders.get(query.text("InstanceId")));
  }

  synchronized String terminate(Query query) {
    Instant now = time.instant();
    List<String> ids = query.list("InstanceId");
    requireKnown(ids);
    if (ids.stream().anyMatch(id -> rules.isProtected(orders.get(id)))) {
      throw new ApiError(400, "OperationNotPermitted", "The instance may not be terminated.");
    }
    StringBuilder set = new StringBuilder();
    for (String id : ids) {
      FakeInstance instance = instances.get(id);
      String before = instance.state(now);
      instance.end(now, "Client.UserInitiatedShutdown", "User initiated");
      set.append(
          Xml.nested(
              "item",
              Xml.element("instanceId", id)
                  + Xml.nested("currentState", FakeInstance.state(instance.state(now)))
                  + Xml.nested("previousState", FakeInstance.state(before))));
    }
    return Xml.nested("TerminateInstancesResponse", Xml.nested("instancesSet", set.toString()));
  }

  synchronized String tag(Query query) {
    List<String> ids = query.list("ResourceId");
    requireKnown(ids);
    ids.forEach(id -> instances.get(id).tags.putAll(query.pairs("Tag")));
    return Xml.nested("CreateTagsResponse", Xml.element("return", "true"));
  }

  synchronized String consoleOf(Query query) {
    String id = query.text("InstanceId");
    requireKnown(List.of(id));
    FakeInstance instance = instances.get(id);
    String text =
        instance.isBooted(time.instant()) ? console.apply(id, decoded(instance.userData)) : "";
    String output = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    return Xml.nested(
        "GetConsoleOutputResponse",
        Xml.element("instanceId", id)
            + Xml.element("timestamp", time.instant().truncatedTo(ChronoUnit.SECONDS).toString())
            + Xml.element("output", output));
  }

  private static String decoded(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }
}
