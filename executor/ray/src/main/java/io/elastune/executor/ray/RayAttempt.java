package io.elastune.executor.ray;

import io.elastune.core.files.DiskSpace;
import io.elastune.executor.checkpoint.CheckpointStore;
import io.elastune.executor.checkpoint.CheckpointStore.CleanupResult;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.AttemptSpec.Worker;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.protocol.AttemptLog;
import io.elastune.executor.ray.LeaseAgents.Agent;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.LinkException;
import io.elastune.executor.ray.link.Request;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one attempt on the nodes of its leases, from its start to its {@code Ended} event. Used on
 * the engine's event loop only.
 */
final class RayAttempt {
  private static final int SIGTERM_EXIT = 128 + 15;
  private static final int SIGKILL_EXIT = 128 + 9;
  private static final int CANNOT_START_EXIT = 127;

  /** A worker that exits with this is not a failure in any case. */
  private static final int RETRY_EXIT = 75;

  private final AttemptSpec spec;
  private final RayContext context;
  private final Consumer<RayAttempt> whenEnded;
  private final Map<String, AttemptPart> parts = new LinkedHashMap<>();
  private final CheckpointHub hub;
  private final CheckpointStore store;
  private final StoredReports reports;
  private final AttemptLog log;
  private boolean started;
  private boolean stopping;
  private boolean killed;
  private boolean finishing;
  private boolean lost;
  private boolean diskFull;
  private int exitCode;
  private String problem = "";

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
    hub = new CheckpointHub(spec, context);
    store = new CheckpointStore(Path.of(spec.checkpointDir()).toAbsolutePath());
    log = new AttemptLog(Path.of(spec.log()), spec.mask());
    for (Worker worker : spec.workers()) {
      Path position = Path.of(spec.log() + "." + spec.attempt() + "." + parts.size() + ".pos");
      parts.computeIfAbsent(
          worker.lease(), lease -> new AttemptPart(lease, spec.attempt(), position));
    }
    reports = new StoredReports(spec, reported, rankZero(), hub, context);
  }

  String id() {
    return spec.attempt();
  }

  Set<String> leases() {
    return parts.keySet();
  }

  private String rankZero() {
    return spec.workers().get(0).lease();
  }

  /** Cleans up after earlier attempts, and then starts the workers. */
  void start() {
    cleanUp(this::prepare);
  }

  private void prepare(CleanupResult earlier) {
    earlier.problems().forEach(this::postFault);
    if (stopping) {
      endUnstarted(SIGTERM_EXIT, "stopped before it started");
    } else if (spec.from() > 0 && !earlier.complete().contains(spec.from())) {
      endUnstarted(
          1, "checkpoint " + spec.from() + ", which it should resume from, is missing or torn");
    } else {
      AttemptStart start = new AttemptStart(spec, context, hub, leases());
      onLoop(start.prepare(), (port, failure) -> prepared(start, port, failure));
    }
  }

  private void prepared(AttemptStart start, @Nullable Integer port, @Nullable Throwable failure) {
    if (stopping) {
      endUnstarted(SIGTERM_EXIT, "stopped before it started");
    } else if (failure != null || port == null) {
      lost = isLost(failure);
      endUnstarted(CANNOT_START_EXIT, "could not start: " + messageOf(failure));
    } else {
      started = true;
      for (AttemptPart part : parts.values()) {
        onLoop(start.start(part.lease(), port), (done, unstarted) -> begun(part, unstarted));
      }
    }
  }

  private void begun(AttemptPart part, @Nullable Throwable failure) {
    if (failure != null) {
      lost |= isLost(failure);
      fail(CANNOT_START_EXIT, "could not start: " + messageOf(failure));
      end(part);
    } else if (killed) {
      request("kill", part);
    } else if (stopping) {
      request("stop", part);
    }
  }

  /** Continues the attempt of an earlier controller, if its workers are known everywhere. */
  void adopt() {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    Map<String, String> states = new LinkedHashMap<>();
    for (String lease : leases()) {
      all.add(
          context
              .agents()
              .find(lease)
              .handle((agent, failure) -> agent == null ? failed(failure) : agent.stateOf(id()))
              .thenAccept(state -> states.put(lease, state)));
    }
    onLoop(AttemptStart.allOf(all), (done, failure) -> adopted(states));
  }

  private static String failed(@Nullable Throwable failure) {
    return causeOf(failure) instanceof LinkException e && e.kind().equals("no-agent")
        ? "unknown"
        : "lost";
  }

  private void adopted(Map<String, String> states) {
    started = true;
    boolean whole =
        states.values().stream().allMatch(s -> s.equals("running") || s.equals("ended"));
    if (!whole) {
      lost = states.containsValue("lost");
      fail(SIGKILL_EXIT, "ended with its controller");
    }
    for (AttemptPart part : parts.values()) {
      String state = states.get(part.lease());
      if ("running".equals(state) || "ended".equals(state)) {
        part.resume();
        request(part.follow());
        if (!whole || killed) {
          request("kill", part);
        } else if (stopping) {
          request("stop", part);
        }
      } else {
        end(part);
      }
    }
  }

  /** Requests a checkpoint and the exit of all workers. */
  void stop() {
    stopping = true;
    requestAll("stop");
  }

  /** Kills the workers immediately. */
  void kill() {
    stopping = true;
    killed = true;
    requestAll("kill");
  }

  private void requestAll(String op) {
    if (started) {
      parts.values().stream().filter(part -> !part.hasEnded()).forEach(part -> request(op, part));
    }
  }

  private void request(String op, AttemptPart part) {
    request(Request.of(op, part.lease()).with("attempt", id()));
  }

  /** Sends a request whose failure shows in other ways: no events arrive, or no renewal. */
  private void request(Request request) {
    var unused = context.link().request(request);
  }

  /** Posts the time since the last sign of life, if the nodes report it. */
  void check() {
    if (!started) {
      return;
    }
    List<CompletableFuture<Void>> all = new ArrayList<>();
    List<Double> silences = new ArrayList<>();
    for (AttemptPart part : parts.values()) {
      all.add(
          context
              .link()
              .request(Request.of("activity", part.lease()).with("attempt", id()))
              .thenAccept(
                  answer -> {
                    if (answer.ok().path("running").asBoolean(false)) {
                      silences.add(answer.ok().path("silence_s").asDouble(0));
                    }
                  }));
    }
    onLoop(
        AttemptStart.allOf(all),
        (done, failure) ->
            silences.stream()
                .min(Double::compare)
                .filter(silence -> !finishing)
                .ifPresent(s -> context.post(new EngineEvent.Active(id(), s, context.now()))));
  }

  /** A new bridge is connected, which follows nothing yet. */
  void followAgain() {
    if (started) {
      parts.values().stream()
          .filter(part -> !part.hasEnded())
          .forEach(part -> request(part.follow()));
    }
  }

  /** The agent of a lease was created again. Without its files, nothing of the attempt is left. */
  void followAgain(String lease, Agent agent) {
    AttemptPart part = parts.get(lease);
    if (!started || part == null || part.hasEnded()) {
      return;
    }
    if (part.hasBegun() && agent.stateOf(id()).equals("unknown")) {
      lose(lease);
    } else {
      request(part.follow());
    }
  }

  /** The node of a lease does not answer any more. */
  void lose(String lease) {
    AttemptPart part = parts.get(lease);
    if (part != null && !part.hasEnded() && started) {
      lost = true;
      fail(SIGKILL_EXIT, "the instance of lease " + lease + " does not answer");
      requestAll("kill");
      end(part);
    }
  }

  /** Handles an event of one of its parts. */
  void event(Frame event) {
    AttemptPart part = parts.get(event.header().path("lease").asString(""));
    if (part == null || finishing) {
      return;
    }
    String kind = event.header().path("ev").asString("");
    if (kind.equals("log")) {
      part.output(event, log);
      return;
    }
    if (!part.accepts(event)) {
      return;
    }
    switch (kind) {
      case "report" -> report(event);
      case "checkpoint" -> checkpoint(part);
      case "exit" -> exited(event.header().path("code").asInt(0));
      case "ended" -> ended(part, event);
      default -> {} // started, dead-man
    }
  }

  private void report(Frame event) {
    Instant at = context.now().minusMillis(event.header().path("age_ms").asLong(0));
    if (!reports.read(event.bytes(), at)) {
      log.line("", event.bytes(), event.bytes().length, false);
    }
  }

  private void checkpoint(AttemptPart part) {
    if (part.lease().equals(rankZero())) {
      reports.collectNewest();
    }
  }

  private void exited(int code) {
    if (code != 0 && exitCode == 0) {
      boolean bySignal = code == SIGKILL_EXIT && !stopping;
      fail(code, bySignal ? "killed by SIGKILL (exit 137), perhaps out of memory" : "");
    }
    if (code != 0 && !stopping && spec.workers().size() > 1) {
      requestAll("stop");
      context.loop().schedule(context.settings().siblingGrace(), () -> requestAll("kill"));
    }
  }

  private void ended(AttemptPart part, Frame event) {
    int code = event.header().path("code").asInt(0);
    String message = event.header().path("message").asString("");
    String reason = event.header().path("reason").asString("");
    diskFull |= event.header().path("full").asBoolean(false);
    if (code != 0 && exitCode == 0) {
      fail(code, "");
    }
    if (code != 0 && problem.isEmpty()) {
      problem =
          switch (reason) {
            case "cannot-start" -> "could not start: " + message;
            case "dead-man" -> "no controller renewed the lease in time";
            case "shim-lost", "shim-failed" -> message;
            default -> "";
          };
    }
    end(part);
  }

  private void fail(int code, String message) {
    if (exitCode == 0) {
      exitCode = code;
      problem = message;
    }
  }

  private void end(AttemptPart part) {
    part.end();
    if (!finishing && parts.values().stream().allMatch(AttemptPart::hasEnded)) {
      finishing = true;
      onLoop(reports.finish(), (unused, failure) -> cleanUp(this::end));
    }
  }

  private void endUnstarted(int code, String message) {
    exitCode = code;
    problem = message;
    finishing = true;
    cleanUp(this::end);
  }

  private void end(CleanupResult result) {
    reports.postRest();
    log.problem().ifPresent(this::postFault);
    result.problems().forEach(this::postFault);
    boolean full = diskFull || DiskSpace.isFull(store.folder());
    boolean torn = result.torn() || reports.isTorn();
    String lines = log.tail();
    log.close();
    parts.values().forEach(AttemptPart::forgetPosition);
    String message = "";
    if (exitCode != 0) {
      message = problem.isEmpty() ? "exit " + exitCode : problem;
      message += lines.isEmpty() ? "" : "; last lines:\n" + lines;
    }
    boolean failed = exitCode != 0 && exitCode != RETRY_EXIT && !stopping;
    if ((failed && (full || DiskSpace.isFull(message))) || (torn && full)) {
      message = EngineEvent.Ended.DISK_FULL + " (" + store.folder() + "): " + message;
    }
    whenEnded.accept(this);
    context.post(
        new EngineEvent.Ended(
            id(), exitCode, result.newest(), torn, message, context.now(), lost && exitCode != 0));
  }

  private void cleanUp(Consumer<CleanupResult> next) {
    int limit = started ? reports.limit() : spec.to() - 1;
    context
        .files()
        .execute(
            () -> {
              CleanupResult result = store.tryCleanUp(spec.keep(), spec.from(), limit);
              context.loop().execute(() -> next.accept(result));
            });
  }

  private void postFault(String message) {
    context.post(new EngineEvent.Faulted(id(), message, context.now()));
  }

  private interface Continuation<T> {
    void run(@Nullable T value, @Nullable Throwable failure);
  }

  private <T> void onLoop(CompletableFuture<T> future, Continuation<T> next) {
    var unused = future.whenCompleteAsync(next::run, context.loop());
  }

  private static boolean isLost(@Nullable Throwable failure) {
    return causeOf(failure) instanceof LinkException e && e.isLost();
  }

  private static String messageOf(@Nullable Throwable failure) {
    Throwable cause = causeOf(failure);
    return cause == null ? "" : String.valueOf(cause.getMessage());
  }

  private static @Nullable Throwable causeOf(@Nullable Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
