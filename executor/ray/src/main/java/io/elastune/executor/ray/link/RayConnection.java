package io.elastune.executor.ray.link;

import io.elastune.provisioner.process.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link of a controller to a Ray cluster, with its event loop, and the placement of its leases.
 * The cloud and the engine of a run share one: it ends when both have left.
 */
public final class RayConnection {
  private static final Logger LOG = LoggerFactory.getLogger(RayConnection.class);
  private static final int CLOSE_TIMEOUT_S = 5;
  private static final Duration SUSPENSION_INTERVAL = Duration.ofSeconds(1);
  private static final Map<BridgeSettings, RayConnection> SHARED = new HashMap<>();

  private final BridgeSettings settings;
  private final EventLoop loop;
  private final List<RayLink.Listener> listeners = new CopyOnWriteArrayList<>();
  private final Map<String, LeasePlacement> placements = new HashMap<>();
  private final RayLink link;
  private final InstantSource time;
  private final SuspensionDetector detector;
  private Instant latest = Instant.MAX;
  private int users;

  private RayConnection(BridgeSettings settings, InstantSource time, EventLoop.Faults faults) {
    loop = new EventLoop("elastune-ray", faults);
    this.settings = settings;
    this.time = time;
    link = new RayLink(settings, loop, new Broadcast());
    detector = new SuspensionDetector(SUSPENSION_INTERVAL, time.instant());
  }

  private final class Broadcast implements RayLink.Listener {
    @Override
    public void connected() {
      listeners.forEach(RayLink.Listener::connected);
    }

    @Override
    public void event(Frame event) {
      listeners.forEach(listener -> listener.event(event));
    }

    @Override
    public void suspended(Duration by) {
      listeners.forEach(listener -> listener.suspended(by));
    }

    @Override
    public void instanceEnded(String lease) {
      listeners.forEach(listener -> listener.instanceEnded(lease));
    }
  }

  /**
   * Returns this process's connection with these settings, for one more user. The first one starts
   * its bridge.
   */
  public static RayConnection open(BridgeSettings settings, InstantSource time) {
    return open(settings, time, EventLoop.Faults.NONE);
  }

  /** The same, with faults if the first user asks for them, for tests. */
  public static RayConnection open(
      BridgeSettings settings, InstantSource time, EventLoop.Faults faults) {
    synchronized (SHARED) {
      RayConnection connection =
          SHARED.computeIfAbsent(settings, one -> new RayConnection(one, time, faults));
      if (connection.users++ == 0) {
        connection.loop.execute(connection.link::open);
        connection.loop.execute(
            () -> connection.loop.repeat(SUSPENSION_INTERVAL, connection::checkSuspension));
      }
      return connection;
    }
  }

  /**
   * Notifies all listeners if this process was suspended since the last check. Call it on the event
   * loop before measuring how long a node has not answered.
   */
  public void checkSuspension() {
    Duration by = detector.suspendedUntil(time.instant());
    if (!by.isZero()) {
      new Broadcast().suspended(by);
    }
  }

  /** Adds a listener for all events. */
  public void add(RayLink.Listener listener) {
    listeners.add(listener);
  }

  /** Returns the event loop, on which the link completes requests and calls the users. */
  public EventLoop loop() {
    return loop;
  }

  /** Returns the link. Use it on the event loop only. */
  public RayLink link() {
    return link;
  }

  /** Returns where the agent of a lease is created. Use it on the event loop only. */
  public LeasePlacement placement(String lease) {
    return placements.getOrDefault(lease, LeasePlacement.onLabeledNode(lease));
  }

  /** Sets where the agent of a lease is created. Use it on the event loop only. */
  public void place(String lease, LeasePlacement placement) {
    placements.put(lease, placement);
  }

  /**
   * Notifies all listeners that the cloud has confirmed the end of the instance of a lease. Use it
   * on the event loop only.
   */
  public void endInstance(String lease) {
    new Broadcast().instanceEnded(lease);
  }

  /**
   * Sets the latest expiry of all leases: the run's budget covers no more. Use it on the event loop
   * only.
   */
  public void limit(Instant expiry) {
    latest = expiry;
  }

  /**
   * Returns how long workers continue without a renewal. Use it on the event loop only.
   *
   * @param longest the time without a limit
   */
  public Duration timeToLive(Duration longest, Instant now) {
    if (latest.equals(Instant.MAX)) {
      return longest;
    }
    Duration left = Duration.between(now, latest);
    return left.compareTo(longest) < 0 ? left : longest;
  }

  /** Leaves the connection. The last user ends the bridge; agents and workers are not affected. */
  public void leave(RayLink.Listener listener) {
    listeners.remove(listener);
    synchronized (SHARED) {
      if (--users > 0) {
        return;
      }
      SHARED.remove(settings, this);
    }
    CompletableFuture<Boolean> left = new CompletableFuture<>();
    loop.execute(
        () -> {
          link.close();
          left.complete(true);
        });
    try {
      var unused = left.get(CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("The bridge has not ended");
    }
    loop.close();
  }
}
