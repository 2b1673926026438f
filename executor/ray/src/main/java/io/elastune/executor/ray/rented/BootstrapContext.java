package io.elastune.executor.ray.rented;

import io.elastune.executor.ray.LeaseCode;
import io.elastune.executor.ray.LeaseSetup;
import io.elastune.executor.ray.RayEngineSettings;
import io.elastune.executor.ray.acceptance.CheckedNodes;
import io.elastune.executor.ray.acceptance.NodeAcceptance;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.RayConnection;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.process.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * What the bootstraps of all instances share. Used on the event loop of the connection.
 *
 * @param head the address of the head, for messages
 * @param timeToLive time without a renewal after which an agent ends its workers and itself
 * @param joinTimeout how long a booted instance may take to join the cluster
 * @param events receives the events
 */
record BootstrapContext(
    RayConnection connection,
    String head,
    Duration timeToLive,
    Duration joinTimeout,
    InstantSource time,
    Consumer<CloudEvent> events,
    ExecutorService files,
    LeaseSetup setup,
    NodeAcceptance acceptance) {
  private static final int RENEWALS = 6;
  private static final Duration MAX_RENEWAL_INTERVAL = Duration.ofSeconds(30);

  /**
   * Creates the context of a run.
   *
   * @param copyGbPerS the median speed of the GPUs of earlier instances, by the name of their offer
   */
  static BootstrapContext of(
      RayConnection connection,
      String head,
      Duration timeToLive,
      RentedSettings settings,
      Map<String, Double> copyGbPerS,
      InstantSource time,
      Consumer<CloudEvent> events) {
    ExecutorService files =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "elastune-bootstrap-files");
              thread.setDaemon(true);
              return thread;
            });
    RayLink link = connection.link();
    Executor blocking = connection.loop().blocking(files);
    LeaseSetup setup = new LeaseSetup(link, blocking, new LeaseCode(link, blocking));
    return new BootstrapContext(
        connection,
        head,
        timeToLive,
        settings.joinTimeout(),
        time,
        events,
        files,
        setup,
        new NodeAcceptance(
            connection, time, settings.acceptance(), CheckedNodes.RENTED, copyGbPerS));
  }

  EventLoop loop() {
    return connection.loop();
  }

  RayLink link() {
    return connection.link();
  }

  Instant now() {
    return time.instant();
  }

  void post(CloudEvent event) {
    events.accept(event);
  }

  Duration renewalInterval() {
    Duration interval = timeToLive.dividedBy(RENEWALS);
    return interval.compareTo(MAX_RENEWAL_INTERVAL) < 0 ? interval : MAX_RENEWAL_INTERVAL;
  }

  /** Returns the time without an answer of a node after which it is lost. */
  Duration lostAfter() {
    return RayEngineSettings.lostAfter(timeToLive);
  }

  /** Returns the description of the agent of a lease, after creating it if necessary. */
  CompletableFuture<Frame> attach(String lease) {
    Request request =
        Request.of("attach", lease)
            .with("create", true)
            .with("ttl_s", timeToLive.toMillis() / 1000.0);
    return link().request(connection.placement(lease).addTo(request));
  }

  void close() {
    var unused = files.shutdownNow();
  }
}
