package io.elastune.executor.ray;

import io.elastune.executor.checkpoint.CheckpointLocation;
import io.elastune.executor.checkpoint.CheckpointStore.CleanupResult;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.InternalFailure;
import io.elastune.executor.engine.SharedCheckpoints;
import io.elastune.executor.protocol.AttemptLog;
import io.elastune.executor.protocol.AttemptRegistry;
import io.elastune.executor.protocol.MetricFile;
import io.elastune.executor.ray.LeaseAgents.Agent;
import io.elastune.executor.ray.link.Frame;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one attempt on the nodes of its leases, from its start to its {@code Ended} event. Used on
 * the engine's event loop only.
 */
final class RayAttempt implements AttemptRegistry.Attempt {
  private static final Logger LOG = LoggerFactory.getLogger(RayAttempt.class);

  /** How long the workers of such an attempt may take to end after they are killed. */
  private static final Duration BROKEN_LIMIT = Duration.ofSeconds(5);

  private final AttemptSpec spec;
  private final RayContext context;
  private final Consumer<RayAttempt> whenEnded;
  private final AttemptParts parts;
  private final CheckpointStorage storage;
  private final StoredReports reports;
  private final AttemptLog log;
  private final AttemptOutcome outcome = new AttemptOutcome();
  private final NodeContact contact;
  private final FoundOutput found;
  private Optional<MetricFile.Content> metricFile = Optional.empty();
  private boolean started;

  /** When this engine has started the workers; empty if another controller has, or none yet. */
  private Optional<Instant> startedAt = Optional.empty();

  private boolean continued;
  private boolean stopping;
  private Optional<Duration> grace = Optional.empty();
  private boolean killed;
  private boolean finishing;
  private boolean checkpointsLost;

  /** Whether the work of the engine on it has failed. */
  private boolean broken;

  /** Whether its end was posted. */
  private boolean over;

  /**
   * Creates an attempt that has not started.
   *
   * @param reported the last unit that an earlier controller received
   * @param whenEnded called when the attempt has ended, before the event is posted
   */
  RayAttempt(AttemptSpec spec, int reported, RayContext context, Consumer<RayAttempt> whenEnded) {
    this.spec = spec;
    this.context = context;
    this.whenEnded = whenEnded;
    parts = new AttemptParts(spec, context.link());
    storage = context.storages().apply(spec);
    log = new AttemptLog(Path.of(spec.log()), spec.mask());
    contact = new NodeContact(id(), context);
    reports = new StoredReports(spec, reported, parts.rankZero(), storage, context);
    found =
        new FoundOutput(
            reports.found(),
            spec.workers().size() > 1,
            Path.of(spec.log() + "." + spec.attempt() + ".metric"));
  }

  @Override
  public String id() {
    return spec.attempt();
  }

  int trial() {
    return spec.trial();
  }

  Set<String> leases() {
    return parts.leases();
  }

  /** Returns whether its workers may wait for the next attempt, once it has ended. */
  boolean mayWait() {
    return spec.keepAlive() == AttemptSpec.KeepAlive.WAIT
        && leases().size() == 1
        && !stopping
        && outcome.hasSucceeded();
  }

  /** Gets the parent's checkpoint, cleans up after earlier attempts, and starts the workers. */
  void start() {
    context
        .files()
        .execute(
            () -> {
              Optional<String> failure = spec.shared().parent().flatMap(this::inherit);
              Optional<String> replaced =
                  spec.digest().flatMap(digest -> storage.reject(spec.from(), digest));
              context
                  .loop()
                  .execute(
                      () -> {
                        failure.ifPresent(this::postFault);
                        replaced.ifPresent(this::postFault);
                        cleanUp(this::prepare);
                      });
            });
  }

  private Optional<String> inherit(SharedCheckpoints.Source parent) {
    return storage.inherit(new CheckpointLocation(parent.checkpointDir()), spec.from());
  }

  private void prepare(CleanupResult earlier) {
    if (finishing) {
      return;
    }
    earlier.problems().forEach(this::postFault);
    if (stopping) {
      endUnstarted(AttemptOutcome.SIGTERM_EXIT, "stopped before it started");
    } else if (spec.from() > 0 && !earlier.complete().contains(spec.from())) {
      endUnstarted(
          1, "checkpoint " + spec.from() + ", which it should resume from, is missing or torn");
    } else {
      WorkerStart start =
          new WorkerStart(spec, context, storage, leases(), reports.transferTimes());
      onLoop(start.prepare(), (port, failure) -> prepared(start, port, failure));
    }
  }

  private void prepared(WorkerStart start, @Nullable Integer port, @Nullable Throwable failure) {
    if (finishing) {
      return;
    }
    if (stopping) {
      endUnstarted(AttemptOutcome.SIGTERM_EXIT, "stopped before it started");
    } else if (failure != null || port == null) {
      outcome.cannotStart(failure);
      endUnstarted(1, "");
    } else {
      started = true;
      startedAt = Optional.of(context.now());
      for (AttemptPart part : parts.all()) {
        onLoop(start.start(part.lease(), port), (unused, unstarted) -> begun(part, unstarted));
      }
    }
  }

  private void begun(AttemptPart part, @Nullable Throwable failure) {
    if (failure != null) {
      outcome.cannotStart(failure);
      parts.request("kill");
      end(part);
    } else {
      part.begin();
      requestEnd(part);
    }
  }

  /** Repeats a request to end that may have preceded the start of the workers. */
  private void requestEnd(AttemptPart part) {
    if (killed) {
      parts.request("kill", part);
    } else if (stopping) {
      parts.stop(part, grace);
    }
  }

  /**
   * Continues the attempt of an earlier controller, if its workers are known everywhere. An agent
   * may have ended with its node's raylet or with the head: another one continues from its files.
   */
  void adopt() {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    Map<String, String> states = new LinkedHashMap<>();
    for (String lease : leases()) {
      all.add(
          context
              .agents()
              .attachAgain(lease)
              .handle((agent, failure) -> agent == null ? "lost" : agent.stateOf(id()))
              .thenAccept(state -> states.put(lease, state)));
    }
    onLoop(WorkerStart.allOf(all), (done, failure) -> adopted(states));
  }

  private void adopted(Map<String, String> states) {
    started = true;
    found.resume();
    boolean lost = states.containsValue("lost");
    if (lost) {
      outcome.lose("ended with its controller");
    } else if (states.containsValue("unknown")) {
      outcome.fail(AttemptOutcome.SIGKILL_EXIT, "ended with its controller");
    }
    killed |= lost || states.containsValue("unknown");
    for (AttemptPart part : parts.all()) {
      String state = states.get(part.lease());
      if ("running".equals(state) || "ended".equals(state)) {
        part.resume();
        parts.follow(part);
        requestEnd(part);
      } else {
        end(part);
      }
    }
  }

  @Override
  public void stop() {
    stop(Optional.empty());
  }

  /** Requests the exit of the workers, which are killed after another time than the usual one. */
  void stop(Duration time) {
    stop(Optional.of(time));
  }

  private void stop(Optional<Duration> time) {
    stopping = true;
    grace = time;
    if (started) {
      parts.stop(time);
    }
  }

  @Override
  public void kill() {
    stopping = true;
    killed = true;
    request("kill");
  }

  private void request(String op) {
    if (started) {
      parts.request(op);
    }
  }

  @Override
  public void check() {
    if (started) {
      onLoop(
          parts.silenceS(),
          (silence, failure) -> {
            if (silence != null && silence.isPresent() && !finishing) {
              context.post(new EngineEvent.Active(id(), silence.get(), context.now()));
            }
          });
    }
  }

  /** There is no contact to the node of a lease since {@code since}. */
  void unreachable(String lease, Instant since) {
    if (leases().contains(lease) && !finishing) {
      contact.lost(lease, since);
    }
  }

  /** There is contact to the node of a lease again. */
  void reachable(String lease) {
    if (!finishing) {
      contact.found(lease);
    }
  }

  /** A new bridge is connected, which follows nothing yet. */
  void followAgain() {
    if (started) {
      parts.follow();
    }
  }

  /** The agent of a lease was created again. Without its files, nothing of the attempt is left. */
  void followAgain(String lease, Agent agent) {
    parts
        .on(lease)
        .filter(part -> started && !part.hasEnded())
        .ifPresent(
            part -> {
              if (part.hasBegun() && agent.stateOf(id()).equals("unknown")) {
                lose(lease);
              } else {
                parts.follow(part);
              }
            });
  }

  /** The node of a lease does not answer any more. */
  void lose(String lease) {
    lose(lease, "the instance of lease " + lease + " does not answer");
  }

  /** The cloud has confirmed that the instance of a lease has ended. */
  void instanceEnded(String lease) {
    lose(lease, "the instance of lease " + lease + " has ended");
  }

  private void lose(String lease, String reason) {
    if (!started && !finishing && leases().contains(lease)) {
      outcome.lose(reason); // its requests may wait for an answer for minutes
      endUnstarted(AttemptOutcome.SIGKILL_EXIT, "");
      return;
    }
    parts
        .on(lease)
        .filter(part -> started && !part.hasEnded())
        .ifPresent(
            part -> {
              outcome.lose(reason);
              checkpointsLost |= lease.equals(parts.rankZero());
              parts.request("kill");
              end(part);
            });
  }

  /** Handles an event of one of its parts. */
  void event(Frame event) {
    parts
        .on(event.header().path("lease").asString(""))
        .filter(part -> !finishing)
        .ifPresent(part -> event(part, event));
  }

  private void event(AttemptPart part, Frame event) {
    String kind = event.header().path("ev").asString("");
    if (kind.equals("log")) {
      part.output(event, log, found);
      return;
    }
    if (!part.accepts(event)) {
      return;
    }
    switch (kind) {
      case "started" -> continued |= event.header().path("continued").asBoolean(false);
      case "report" -> report(event);
      case "metric_file" ->
          metricFile =
              Optional.of(
                  new MetricFile.Content(
                      new String(event.bytes(), StandardCharsets.UTF_8),
                      event.header().path("problem").asString("")));
      case "checkpoint" -> checkpoint(part, event.header().path("unit").asInt(0));
      case "exit" -> exited(event.header().path("code").asInt(0));
      case "ended" -> {
        if (event.header().path("on_errors").asBoolean(false)) {
          reports.found().foundOnErrors();
        }
        outcome.ended(event);
        end(part);
      }
      default -> {} // started, dead-man
    }
  }

  private void report(Frame event) {
    Instant at = context.now().minusMillis(event.header().path("age_ms").asLong(0));
    boolean cut = event.header().path("cut").asBoolean(false);
    if (event.header().path("channel").asBoolean(false)) {
      reports.readChannel(event.bytes(), cut, at);
    } else {
      reports.read(event.bytes(), cut, at).ifPresent(rest -> log.line("", rest, rest.length, cut));
    }
  }

  private void checkpoint(AttemptPart part, int unit) {
    if (part.lease().equals(parts.rankZero())) {
      reports.saved(unit);
    }
  }

  private void exited(int code) {
    boolean failed = outcome.exited(code, stopping);
    if (failed && !stopping && spec.workers().size() > 1) {
      parts.stop(Optional.empty());
      context.loop().schedule(context.settings().siblingGrace(), () -> parts.request("kill"));
    }
  }

  private void end(AttemptPart part) {
    part.end();
    if (broken && !over && parts.haveEnded()) {
      postBroken();
    } else if (!finishing && parts.haveEnded()) {
      finishing = true;
      reports.found().complete(outcome.hasSucceeded() && !stopping, metricFile, context.now());
      CompletableFuture<Void> last =
          checkpointsLost ? CompletableFuture.completedFuture(null) : reports.finish();
      onLoop(last, (unused, failure) -> cleanUp(this::end));
    }
  }

  private void endUnstarted(int code, String message) {
    outcome.fail(code, message);
    finishing = true;
    cleanUp(this::end);
  }

  private void end(CleanupResult result) {
    if (over) {
      return;
    }
    if (continued && !stopping && !reports.hasReached(spec.from() + 1)) {
      outcome.notContinued(); // the next attempt starts the program
    }
    reports.postRest();
    log.problem().ifPresent(this::postFault);
    result.problems().forEach(this::postFault);
    log.close();
    parts.all().forEach(AttemptPart::forgetPosition);
    found.forget();
    EngineEvent.Ended ended =
        outcome
            .event(id(), storage, result, reports, log.tail(), stopping, context.now())
            .withCheckpoints(reports.transferTimes().measured());
    over = true;
    whenEnded.accept(this);
    post(ended);
  }

  /**
   * Ends the attempt after an error in the work of the engine on it, whatever it was: kills its
   * workers, and posts {@code Ended} as for any other failure.
   */
  void failed(Throwable error) {
    if (over) {
      return;
    }
    LOG.debug("Attempt {} fails", id(), error);
    outcome.fail(InternalFailure.EXIT, InternalFailure.text(error));
    boolean first = !broken;
    broken = true;
    InternalFailure.quietly(id(), () -> parts.request("kill"));
    if (!first || !started || parts.haveEnded()) {
      postBroken();
    } else {
      // What failed may have been the event that they have ended.
      context.loop().schedule(BROKEN_LIMIT, this::postBroken);
    }
  }

  /** Nothing that fails here may keep the end from being posted. */
  private void postBroken() {
    if (over) {
      return;
    }
    over = true;
    finishing = true;
    InternalFailure.quietly(id(), log::close);
    InternalFailure.quietly(id(), () -> parts.all().forEach(AttemptPart::forgetPosition));
    InternalFailure.quietly(id(), () -> whenEnded.accept(this));
    post(outcome.broken(id(), reports.newest(), context.now()));
  }

  /** Posts the end with the time at which its workers started. */
  private void post(EngineEvent.Ended ended) {
    Optional<Instant> start = started ? startedAt : Optional.of(ended.at());
    context.post(start.map(ended::withStart).orElse(ended));
  }

  private void cleanUp(Consumer<CleanupResult> next) {
    int limit = started ? reports.limit() : spec.to() - 1;
    Set<Integer> needed = reports.found().neededCheckpoints();
    context
        .files()
        .execute(
            () -> {
              CleanupResult result = storage.cleanUp(spec.keep(), needed, limit);
              context
                  .loop()
                  .execute(
                      () -> {
                        if (!over) {
                          next.accept(result);
                        }
                      });
            });
  }

  private void postFault(String message) {
    context.post(new EngineEvent.Faulted(id(), message, context.now()));
  }

  private interface Continuation<T> {
    void run(@Nullable T value, @Nullable Throwable failure);
  }

  private <T> void onLoop(CompletableFuture<T> future, Continuation<T> next) {
    context.loop().whenComplete(future, next::run);
  }
}
