package io.elastune.executor.ray;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.protocol.AttemptRegistry;
import io.elastune.executor.protocol.OmittedMetrics;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.RayConnection;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.process.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs trials as processes on the nodes of a Ray cluster. The workers outlive bridge, agents, Ray
 * and this engine: what they do is stored on their node, and is read again after a failure.
 */
public final class RayEngine implements Engine {
  private static final Logger LOG = LoggerFactory.getLogger(RayEngine.class);

  private final AtomicBoolean left = new AtomicBoolean();
  private final RayConnection connection;
  private final RayLink.Listener listener = new BridgeListener();
  private final ExecutorService files =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "elastune-ray-files");
            thread.setDaemon(true);
            return thread;
          });
  private final EventLoop loop;
  private final RayEngineSettings settings;
  private final RayLink link;
  private final RayContext context;
  private final AttemptRegistry<RayAttempt> attempts;
  private final LeaseRenewal renewal;
  private final Set<String> reattaching = new HashSet<>();
  // By trial, the lease on which its workers may wait for the next attempt.
  private final Map<Integer, String> waiting = new HashMap<>();

  /**
   * Opens an engine on the connection of the run's cloud, or on a new one.
   *
   * @param bridge how the bridge of the connection is started
   */
  public RayEngine(
      RayEngineSettings settings,
      BridgeSettings bridge,
      InstantSource time,
      Consumer<EngineEvent> events) {
    this(settings, bridge, time, events, EventLoop.Faults.NONE);
  }

  RayEngine(
      RayEngineSettings settings,
      BridgeSettings bridge,
      InstantSource time,
      Consumer<EngineEvent> events,
      EventLoop.Faults faults) {
    this.settings = settings;
    connection = RayConnection.open(bridge, time, faults);
    loop = connection.loop();
    link = connection.link();
    attempts = new AttemptRegistry<>(loop, events);
    Executor blocking = loop.blocking(files);
    context =
        new RayContext(
            settings,
            time,
            attempts::post,
            loop,
            blocking,
            link,
            new LeaseAgents(settings, connection),
            new LeaseCode(link, blocking),
            new CheckpointStorages(new TransferContext(link, blocking, loop), time)::of,
            new OmittedMetrics());
    renewal =
        new LeaseRenewal(
            settings,
            context,
            this::leases,
            () -> connection.timeToLive(settings.timeToLive(), time.instant()),
            connection::checkSuspension,
            new NodeListener());
    connection.add(listener);
    loop.execute(renewal::start);
  }

  private Set<String> leases() {
    Set<String> leases = new TreeSet<>(waiting.values());
    attempts.all().forEach(attempt -> leases.addAll(attempt.leases()));
    return leases;
  }

  private final class BridgeListener implements RayLink.Listener {
    @Override
    public void connected() {
      forAll(RayAttempt::followAgain);
      renewal.renew();
    }

    @Override
    public void suspended(Duration by) {
      renewal.suspended(by);
    }

    /** Its attempts end without waiting until it has been silent for long. */
    @Override
    public void instanceEnded(String lease) {
      waiting.values().remove(lease);
      forAll(attempt -> attempt.instanceEnded(lease));
    }

    @Override
    public void event(Frame event) {
      String lease = event.header().path("lease").asString("");
      if (event.header().path("ev").asString("").equals("agent")) {
        attachAgain(lease);
        return;
      }
      renewal.contact(lease);
      attempts
          .find(event.header().path("attempt").asString(""))
          .ifPresent(attempt -> command(attempt, () -> attempt.event(event)));
    }
  }

  private final class NodeListener implements LeaseRenewal.Listener {
    @Override
    public void unreachable(String lease, Instant since) {
      forAll(attempt -> attempt.unreachable(lease, since));
    }

    @Override
    public void reachable(String lease) {
      forAll(attempt -> attempt.reachable(lease));
    }

    @Override
    public void lost(String lease) {
      waiting.values().remove(lease);
      forAll(attempt -> attempt.lose(lease));
    }

    @Override
    public void withoutAgent(String lease) {
      attachAgain(lease);
    }
  }

  /** Whatever fails in an attempt, or in what it starts, ends it. */
  private void command(RayAttempt attempt, Runnable command) {
    loop.own(attempt::failed, command);
  }

  private void forAll(Consumer<RayAttempt> command) {
    attempts.all().forEach(attempt -> command(attempt, () -> command.accept(attempt)));
  }

  /** An agent has ended, such as with its node's raylet; its files are still there. */
  private void attachAgain(String lease) {
    if (attempts.isClosed() || !leases().contains(lease) || !reattaching.add(lease)) {
      return;
    }
    context.code().forget(lease);
    loop.whenComplete(
        context.agents().attachAgain(lease),
        (agent, failure) -> {
          reattaching.remove(lease);
          if (agent != null) { // else repeated with the next renewal
            forAll(attempt -> attempt.followAgain(lease, agent));
          }
        });
  }

  @Override
  public void start(AttemptSpec spec) {
    attempts.beginOnce(
        spec.attempt(),
        () -> {
          waiting.remove(spec.trial());
          RayAttempt attempt = attempt(spec, spec.from());
          command(attempt, attempt::start);
        });
  }

  @Override
  public void adopt(AttemptSpec spec, int reported) {
    attempts.beginOnce(
        spec.attempt(),
        () -> {
          RayAttempt attempt = attempt(spec, reported);
          command(attempt, attempt::adopt);
        });
  }

  private RayAttempt attempt(AttemptSpec spec, int reported) {
    return attempts.add(new RayAttempt(spec, reported, context, this::ended));
  }

  private void ended(RayAttempt attempt) {
    if (attempt.mayWait()) {
      attempt.leases().forEach(lease -> waiting.put(attempt.trial(), lease));
    }
    attempts.remove(attempt);
  }

  @Override
  public void stop(String attempt) {
    attempts.with(attempt, one -> command(one, one::stop));
  }

  @Override
  public void stop(String attempt, Duration grace) {
    attempts.with(attempt, one -> command(one, () -> one.stop(grace)));
  }

  @Override
  public void kill(String attempt) {
    attempts.with(attempt, one -> command(one, one::kill));
  }

  @Override
  public void check(String attempt) {
    attempts.with(attempt, one -> command(one, one::check));
  }

  /** Waits for the exit of all workers, for at most 5 s. */
  @Override
  public void close() {
    close(List.of());
  }

  /** Closes this engine, with further requests once its workers have exited; for tests. */
  void close(List<Request> last) {
    if (left.get()) {
      return;
    }
    CompletableFuture<Boolean> released = new CompletableFuture<>();
    loop.execute(() -> releaseWaiting(released));
    if (!attempts.killAll() || !AttemptRegistry.awaitClose(released)) {
      LOG.warn("Workers are left; their nodes end them after {}", settings.timeToLive());
    }
    last.forEach(one -> request(one).join());
    leave();
  }

  private void releaseWaiting(CompletableFuture<Boolean> released) {
    CompletableFuture<?>[] answers =
        Set.copyOf(waiting.values()).stream()
            .map(lease -> link.request(Request.of("release", lease)).thenAccept(Frame::ok))
            .toArray(CompletableFuture<?>[]::new);
    waiting.clear();
    var unused =
        CompletableFuture.allOf(answers)
            .whenComplete((ok, failure) -> released.complete(failure == null));
  }

  /** Returns whether this engine has been closed; for tests. */
  boolean isClosed() {
    return attempts.isClosed();
  }

  /** Releases this engine's resources as the end of its controller would: workers continue. */
  void leave() {
    if (left.getAndSet(true)) {
      return;
    }
    attempts.close();
    renewal.close();
    connection.leave(listener);
    var unused = files.shutdownNow();
  }

  /** Sends a request to the bridge; for tests of faults. */
  CompletableFuture<Frame> request(Request request) {
    return link.onLoop(() -> link.request(request));
  }

  /** Returns the process ID of the bridge; for tests of faults. */
  Optional<Long> bridgePid() {
    return CompletableFuture.supplyAsync(link::bridgePid, loop).join();
  }
}
