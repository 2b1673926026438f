package io.elastune.executor.ray;

import io.elastune.core.time.Seconds;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.AttemptSpec.Worker;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.executor.ray.link.Request;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The parts of an attempt, one per lease, and the requests to those that have not ended. */
final class AttemptParts {
  private final String attempt;
  private final String rankZero;
  private final RayLink link;
  private final Map<String, AttemptPart> parts = new LinkedHashMap<>();

  AttemptParts(AttemptSpec spec, RayLink link) {
    attempt = spec.attempt();
    rankZero = spec.workers().get(0).lease();
    this.link = link;
    for (Worker worker : spec.workers()) {
      Path position = Path.of(spec.log() + "." + attempt + "." + parts.size() + ".pos");
      parts.computeIfAbsent(worker.lease(), lease -> new AttemptPart(lease, attempt, position));
    }
  }

  Set<String> leases() {
    return parts.keySet();
  }

  Collection<AttemptPart> all() {
    return parts.values();
  }

  Optional<AttemptPart> on(String lease) {
    return Optional.ofNullable(parts.get(lease));
  }

  /** Returns the lease of the worker with rank 0. */
  String rankZero() {
    return rankZero;
  }

  boolean haveEnded() {
    return parts.values().stream().allMatch(AttemptPart::hasEnded);
  }

  /** Requests the exit of all workers, and kills them after the grace period. */
  void stop(Optional<Duration> grace) {
    parts.values().stream().filter(part -> !part.hasEnded()).forEach(part -> stop(part, grace));
  }

  /** Requests the exit of the workers on one lease; without a grace period, the usual one holds. */
  void stop(AttemptPart part, Optional<Duration> grace) {
    Request request = Request.of("stop", part.lease()).with("attempt", attempt);
    grace.ifPresent(time -> request.with("grace_s", Seconds.of(time)));
    send(request);
  }

  /** Requests {@code kill} of all workers that have not ended. */
  void request(String op) {
    parts.values().stream().filter(part -> !part.hasEnded()).forEach(part -> request(op, part));
  }

  /** Requests {@code kill} of the workers on one lease. */
  void request(String op, AttemptPart part) {
    send(Request.of(op, part.lease()).with("attempt", attempt));
  }

  /** Requests all events that were not read. */
  void follow() {
    parts.values().stream().filter(part -> !part.hasEnded()).forEach(this::follow);
  }

  void follow(AttemptPart part) {
    send(part.follow());
  }

  /** Sends a request whose failure shows in other ways: no events arrive, or no renewal. */
  private void send(Request request) {
    var unused = link.request(request);
  }

  /** Returns the seconds since the last sign of life of any worker; empty if none runs. */
  CompletableFuture<Optional<Double>> silenceS() {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    List<Double> silences = new ArrayList<>();
    for (AttemptPart part : parts.values()) {
      Request request = Request.of("activity", part.lease()).with("attempt", attempt);
      all.add(link.request(request).thenAccept(answer -> add(answer, silences)));
    }
    return WorkerStart.allOf(all).thenApply(done -> silences.stream().min(Double::compare));
  }

  private static void add(Frame answer, List<Double> silences) {
    if (answer.ok().path("running").asBoolean(false)) {
      silences.add(answer.ok().path("silence_s").asDouble(0));
    }
  }
}
