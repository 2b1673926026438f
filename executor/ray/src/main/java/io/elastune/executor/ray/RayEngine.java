package io.elastune.executor.ray;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Runs trials as processes on the nodes of a Ray cluster. The workers outlive bridge, agents, Ray
 * and this engine: what they do is stored on their node, and is read again after a failure.
 */
public final class RayEngine implements Engine {
  private static final Logger LOG = LoggerFactory.getLogger(RayEngine.class);
  private static final int CLOSE_TIMEOUT_S = 5;
  private static final Duration MAX_RENEWAL_INTERVAL = Duration.ofSeconds(5);
  private static final int RENEWALS = 6;

  private final RayConnection connection;
  private final RayLink.Listener listener = new BridgeListener();
  private final EventLoop loop;
  private final ExecutorService files =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "elastune-ray-files");
            thread.setDaemon(true);
            return thread;
          });
  private final RayEngineSettings settings;
  private final RayLink link;
  private final RayContext context;
  private final Map<String, RayAttempt> attempts = new HashMap<>();
  private final Set<String> started = new HashSet<>();
  private final Map<String, Instant> renewed = new HashMap<>();
  private final Set<String> reattaching = new HashSet<>();
  private final CompletableFuture<Boolean> empty = new CompletableFuture<>();
  private volatile boolean closed;

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
    this.settings = settings;
    connection = RayConnection.open(bridge);
    loop = connection.loop();
    link = connection.link();
    context =
        new RayContext(
            settings,
            time,
            event -> post(events, event),
            loop,
            files,
            link,
            new LeaseAgents(settings, connection),
            new LeaseCode(link, files));
    connection.add(listener);
    loop.schedule(renewalInterval(), this::renew);
  }

  /** An exception in the consumer must not interrupt the handling of an attempt. */
  private void post(Consumer<EngineEvent> events, EngineEvent event) {
    if (closed) {
      return;
    }
    try {
      events.accept(event);
    } catch (RuntimeException e) {
      LOG.error("Event consumer failed for {}", event, e);
    }
  }

  private final class BridgeListener implements RayLink.Listener {
    @Override
    public void connected() {
      attempts.values().forEach(RayAttempt::followAgain);
    }

    @Override
    public void event(Frame event) {
      if (event.header().path("ev").asString("").equals("agent")) {
        attachAgain(event.header().path("lease").asString(""));
        return;
      }
      RayAttempt attempt = attempts.get(event.header().path("attempt").asString(""));
      if (attempt != null) {
        attempt.event(event);
      }
    }
  }

  /** An agent has ended, such as with its node's raylet; its files are still there. */
  private void attachAgain(String lease) {
    if (closed
        || attempts.values().stream().noneMatch(a -> a.leases().contains(lease))
        || !reattaching.add(lease)) {
      return;
    }
    context.code().forget(lease);
    var unused =
        context
            .agents()
            .attachAgain(lease)
            .whenCompleteAsync(
                (agent, failure) -> {
                  reattaching.remove(lease);
                  if (failure == null) { // else repeated with the next renewal
                    List.copyOf(attempts.values()).forEach(a -> a.followAgain(lease, agent));
                  }
                },
                loop);
  }

  private void lose(String lease) {
    List.copyOf(attempts.values()).forEach(attempt -> attempt.lose(lease));
  }

  private Duration renewalInterval() {
    Duration interval = settings.timeToLive().dividedBy(RENEWALS);
    return interval.compareTo(MAX_RENEWAL_INTERVAL) < 0 ? interval : MAX_RENEWAL_INTERVAL;
  }

  /** Renews the leases of all attempts: a node without a renewal ends its workers. */
  private void renew() {
    if (closed) {
      return;
    }
    loop.schedule(renewalInterval(), this::renew);
    Set<String> leases = new TreeSet<>();
    attempts.values().forEach(attempt -> leases.addAll(attempt.leases()));
    renewed.keySet().retainAll(leases);
    Duration most = link.isConnected() ? settings.lostAfter() : settings.timeToLive();
    Instant limit = context.now().minus(most);
    leases.stream()
        .filter(lease -> renewed.computeIfAbsent(lease, x -> context.now()).isBefore(limit))
        .forEach(this::lose);
    if (leases.isEmpty() || !link.isConnected()) {
      return;
    }
    Request request =
        Request.of("renew")
            .with("ttl_s", settings.timeToLive().toMillis() / 1000.0)
            .with("leases", leases);
    var unused =
        link.request(request)
            .thenAcceptAsync(
                answer -> {
                  JsonNode failed = answer.ok().path("failed");
                  for (String lease : leases) {
                    if (failed.path(lease).isMissingNode()) {
                      renewed.put(lease, context.now());
                    } else {
                      attachAgain(lease);
                    }
                  }
                },
                loop);
  }

  @Override
  public void start(AttemptSpec spec) {
    loop.execute(
        () -> {
          if (!closed && started.add(spec.attempt())) {
            add(new RayAttempt(spec, spec.from(), context, this::forget)).start();
          }
        });
  }

  @Override
  public void adopt(AttemptSpec spec, int reported) {
    loop.execute(
        () -> {
          if (!closed && started.add(spec.attempt())) {
            add(new RayAttempt(spec, reported, context, this::forget)).adopt();
          }
        });
  }

  private RayAttempt add(RayAttempt attempt) {
    attempts.put(attempt.id(), attempt);
    return attempt;
  }

  @Override
  public void stop(String attempt) {
    with(attempt, RayAttempt::stop);
  }

  @Override
  public void kill(String attempt) {
    with(attempt, RayAttempt::kill);
  }

  @Override
  public void check(String attempt) {
    with(attempt, RayAttempt::check);
  }

  /** Waits for the exit of all workers, for at most 5 s. */
  @Override
  public void close() {
    closed = true;
    loop.execute(
        () -> {
          List.copyOf(attempts.values()).forEach(RayAttempt::kill);
          completeIfEmpty();
        });
    try {
      var unused = empty.get(CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("Workers are left; their nodes end them after {}", settings.timeToLive());
    }
    leave();
  }

  /** Releases this engine's resources as the end of its controller would: workers continue. */
  void leave() {
    closed = true;
    connection.leave(listener);
    var unused = files.shutdownNow();
  }

  /** Sends a request to the bridge; for tests of faults. */
  CompletableFuture<Frame> request(Request request) {
    return CompletableFuture.completedFuture(request).thenComposeAsync(link::request, loop);
  }

  /** Returns the process ID of the bridge; for tests of faults. */
  Optional<Long> bridgePid() {
    return CompletableFuture.supplyAsync(link::bridgePid, loop).join();
  }

  private void with(String attempt, Consumer<RayAttempt> command) {
    loop.execute(
        () -> {
          RayAttempt found = attempts.get(attempt);
          if (found != null) {
            command.accept(found);
          }
        });
  }

  private void forget(RayAttempt attempt) {
    attempts.remove(attempt.id());
    completeIfEmpty();
  }

  private void completeIfEmpty() {
    if (closed && attempts.isEmpty()) {
      empty.complete(true);
    }
  }
}
