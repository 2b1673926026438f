package io.elastune.provisioner.aws.fake;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An instance of the fake EC2. Guarded by its lock. */
final class FakeInstance {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);
  private static final Map<String, Integer> CODES =
      Map.of("pending", 0, "running", 16, "shutting-down", 32, "terminated", 48);

  final String id;
  final String type;
  final String zone;
  final boolean spot;
  final String group;
  final String address;
  final String userData;
  final Instant launched;
  final Instant runs;
  final Duration boot;
  final Duration shutdown;
  final Map<String, String> tags;
  boolean marked;

  /** Before this time neither lists nor repeated launches show it. */
  Instant visible;

  String reason = "";
  String message = "";
  String transition = "";
  @Nullable Instant ends;

  /** How many descriptions of the running instance still omit that it is a spot instance. */
  int withoutLifecycle;

  FakeInstance(String id, Query order, Map<String, String> tags, Instant now, FakeTimes times) {
    this.id = id;
    this.type = order.text("InstanceType");
    this.zone =
        order.text("Placement.AvailabilityZone").isEmpty()
            ? "us-east-1a"
            : order.text("Placement.AvailabilityZone");
    this.spot = order.text("InstanceMarketOptions.MarketType").equals("spot");
    this.group = order.text("Placement.GroupName");
    this.address = "10.0.0." + (Integer.parseInt(id.substring(id.length() - 4), 16) % 250 + 1);
    this.userData = order.text("UserData");
    this.tags = new LinkedHashMap<>(tags);
    this.launched = now;
    this.visible = now;
    this.runs = now.plus(times.queue());
    this.boot = times.boot();
    this.shutdown = times.shutdown();
  }

  String state(Instant now) {
    Instant end = ends;
    if (end != null && !now.isBefore(end)) {
      return now.isBefore(end.plus(shutdown)) ? "shutting-down" : "terminated";
    }
    return now.isBefore(runs) ? "pending" : "running";
  }

  boolean isUp(Instant now) {
    return state(now).equals("pending") || state(now).equals("running");
  }

  boolean isBooted(Instant now) {
    return state(now).equals("running") && !now.isBefore(runs.plus(boot));
  }

  void end(Instant now, String code, String by) {
    if (isUp(now)) {
      ends = now;
      reason = code;
      transition = by + " (" + STAMP.format(now) + " GMT)";
    }
  }

  /** Ends it when it should begin to run, without ever being billed. */
  void failLaunch(String code, String text) {
    ends = runs.minusMillis(1);
    reason = code;
    message = text;
  }

  /** Returns the billed seconds: all in which it was running, even partly. */
  long billedS(Instant now) {
    Instant until = Optional.ofNullable(ends).orElse(now);
    return until.isBefore(runs) ? 0 : until.getEpochSecond() + 1 - runs.getEpochSecond();
  }

  /** {@code details}: what the call that launched it defines. */
  String xml(Instant now, String details) {
    String state = state(now);
    StringBuilder set = new StringBuilder();
    tags.forEach(
        (key, value) ->
            set.append(Xml.nested("item", Xml.element("key", key) + Xml.element("value", value))));
    return Xml.nested(
        "item",
        Xml.element("instanceId", id)
            + Xml.nested("instanceState", state(state))
            + Xml.element("privateIpAddress", address)
            + Xml.element("reason", transition)
            + (reason.isEmpty()
                ? ""
                : Xml.nested(
                    "stateReason",
                    Xml.element("code", reason)
                        + Xml.element("message", message.isEmpty() ? reason : message)))
            + Xml.element("instanceType", type)
            + Xml.element("launchTime", launched.truncatedTo(ChronoUnit.SECONDS).toString())
            + Xml.nested("placement", Xml.element("availabilityZone", zone))
            + Xml.nested(
                "cpuOptions", Xml.element("coreCount", "2") + Xml.element("threadsPerCore", "2"))
            + (showsSpot(state) ? Xml.element("instanceLifecycle", "spot") : "")
            + Xml.nested("tagSet", set.toString())
            + details);
  }

  private boolean showsSpot(String state) {
    boolean omitted = state.equals("running") && withoutLifecycle > 0;
    if (omitted) {
      withoutLifecycle--;
    }
    return spot && !omitted;
  }

  static String state(String state) {
    return Xml.element("code", String.valueOf(CODES.get(state))) + Xml.element("name", state);
  }
}
