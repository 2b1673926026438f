package io.elastune.provisioner.gcp.fake;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** An instance of the fake. Guarded by the lock of {@link FakeCompute}. */
final class FakeInstance {
  final String id;
  final String project;
  final String zone;
  final ObjectNode body;
  final Instant inserted;
  final Instant runs;
  final Duration boot;
  final Duration shutdown;

  /** Whether its creation fails when it should start to run. */
  boolean creationFails;

  /** When it started to stop or to be deleted. */
  @Nullable Instant ending;

  /** When it is deleted, or stopped if it only stops. */
  @Nullable Instant ended;

  boolean stops;
  int metadataVersion;

  /** Before this time neither lists nor repeated inserts show it. */
  Instant visible;

  FakeInstance(
      String id, String project, String zone, ObjectNode body, Instant now, FakeTimes times) {
    this.id = id;
    this.project = project;
    this.zone = zone;
    this.body = body;
    this.inserted = now;
    this.visible = now;
    this.runs = now.plus(times.queue());
    this.boot = times.boot();
    this.shutdown = times.shutdown();
  }

  String name() {
    return body.path("name").asString();
  }

  String label(String key) {
    return body.path("labels").path(key).asString("");
  }

  String metadata(String key) {
    return body.path("metadata")
        .path("items")
        .valueStream()
        .filter(item -> item.path("key").asString().equals(key))
        .map(item -> item.path("value").asString(""))
        .findFirst()
        .orElse("");
  }

  String type() {
    String address = body.path("machineType").asString();
    return address.substring(address.lastIndexOf('/') + 1);
  }

  boolean isSpot() {
    return body.path("scheduling").path("provisioningModel").asString("").equals("SPOT");
  }

  /** Returns when Google ends it; empty if its run time is not limited, or if it has ended. */
  private Optional<Instant> terminationTimestamp() {
    long seconds = body.at("/scheduling/maxRunDuration/seconds").asLong(0);
    return seconds == 0 || ended != null
        ? Optional.empty()
        : Optional.of(runs.plusSeconds(seconds));
  }

  /** Ends it at its termination timestamp. Stopping or deleting it clears this timestamp. */
  private void terminateIfDue(Instant now) {
    Instant due = terminationTimestamp().orElse(Instant.MAX);
    if (!now.isBefore(due)) {
      ending = due;
      ended = due;
      stops = !body.at("/scheduling/instanceTerminationAction").asString("STOP").equals("DELETE");
    }
  }

  boolean exists(Instant now) {
    terminateIfDue(now);
    boolean failed = creationFails && !now.isBefore(runs);
    return !failed && (stops || ended == null || now.isBefore(ended));
  }

  /** Returns whether it runs or will run, and thus is or will be billed. */
  boolean isUp(Instant now) {
    return exists(now) && (ending == null || now.isBefore(ending));
  }

  boolean isBooted(Instant now) {
    return !creationFails && isUp(now) && !now.isBefore(runs.plus(boot));
  }

  void end(Instant now) {
    if (ending == null) {
      ending = now;
    }
    if (ended == null || stops) {
      ended = now.plus(shutdown);
    }
    stops = false;
  }

  String status(Instant now) {
    terminateIfDue(now);
    Instant end = ended;
    if (ending != null && end != null && !now.isBefore(ending)) {
      return stops && !now.isBefore(end) ? "TERMINATED" : "STOPPING";
    }
    if (now.isBefore(runs)) {
      Duration half = Duration.between(inserted, runs).dividedBy(2);
      return now.isBefore(inserted.plus(half)) ? "PROVISIONING" : "STAGING";
    }
    return "RUNNING";
  }

  /** Returns the billed seconds, including a started second. */
  long billedS(Instant now) {
    Instant until = ended == null ? now : ended;
    if (creationFails || !until.isAfter(runs)) {
      return 0;
    }
    return (Duration.between(runs, until).toMillis() + 999) / 1000;
  }

  ObjectNode json(String base, Instant now) {
    ObjectNode shown = body.deepCopy();
    String of = base + "/compute/v1/projects/" + project + "/zones/" + zone;
    shown.put("kind", "compute#instance");
    shown.put("id", id);
    shown.put("status", status(now));
    shown.put("zone", of);
    shown.put("selfLink", of + "/instances/" + name());
    shown.put("machineType", of + "/machineTypes/" + type());
    shown.put("creationTimestamp", inserted.toString());
    if (!now.isBefore(runs)) {
      shown.put("lastStartTimestamp", runs.toString());
      terminationTimestamp()
          .ifPresent(
              due ->
                  shown
                      .putObject("resourceStatus")
                      .putObject("scheduling")
                      .put("terminationTimestamp", due.toString()));
    }
    shown.put("labelFingerprint", fingerprint("l" + id));
    if (shown.path("metadata") instanceof ObjectNode metadata) {
      metadata.put("fingerprint", fingerprint("m" + metadataVersion));
      metadata.put("kind", "compute#metadata");
    } else {
      shown
          .putObject("metadata")
          .put("fingerprint", fingerprint("m" + metadataVersion))
          .put("kind", "compute#metadata");
    }
    for (JsonNode network : shown.path("networkInterfaces")) {
      if (network instanceof ObjectNode some) {
        some.put("networkIP", "10.0.0." + (Long.parseLong(id) % 250 + 1));
        some.put("name", "nic0");
      }
    }
    for (JsonNode disk : shown.path("disks")) {
      if (disk instanceof ObjectNode some) {
        some.remove("initializeParams"); // part of requests, but not of responses
        some.put("source", of + "/disks/" + name());
      }
    }
    return shown;
  }

  /** Returns its boot disk. */
  ObjectNode disk(String base) {
    String of = base + "/compute/v1/projects/" + project + "/zones/" + zone;
    JsonNode order = body.at("/disks/0/initializeParams");
    String type = order.path("diskType").asString("pd-standard");
    ObjectNode disk = object();
    disk.put("kind", "compute#disk").put("id", id).put("name", name()).put("status", "READY");
    disk.put("zone", of).put("selfLink", of + "/disks/" + name());
    disk.put("sizeGb", order.path("diskSizeGb").asString("10"));
    disk.put("type", of + "/diskTypes/" + type.substring(type.lastIndexOf('/') + 1));
    disk.put("sourceImage", order.path("sourceImage").asString(""));
    disk.set("labels", order.path("labels").deepCopy());
    disk.putArray("users").add(of + "/instances/" + name());
    return disk;
  }

  static ObjectNode object() {
    return JsonMapper.shared().createObjectNode();
  }

  /** Returns a fingerprint, which JSON encodes in base64. */
  static String fingerprint(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns its guest attributes. */
  ObjectNode guestAttributes(String queryPath, String state) {
    ObjectNode answer = object();
    answer.put("kind", "compute#guestAttributes").put("queryPath", queryPath);
    answer
        .putObject("queryValue")
        .putArray("items")
        .addObject()
        .put("namespace", "elastune")
        .put("key", "state")
        .put("value", state);
    return answer;
  }
}
