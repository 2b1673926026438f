package io.elastune.executor.ray.cloud;

import io.elastune.executor.ray.LeaseCode;
import io.elastune.executor.ray.LeaseSetup;
import io.elastune.executor.ray.acceptance.CheckedNodes;
import io.elastune.executor.ray.acceptance.NodeAcceptance;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.LeasePlacement;
import io.elastune.executor.ray.link.RayConnection;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.RunContext;
import io.elastune.provisioner.process.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases GPUs and CPUs of a Ray cluster of the user. A lease is an actor that holds them, so that
 * Ray gives them to no other user, and gives them back as soon as the lease is released.
 */
public final class RayCloud implements Cloud {
  private static final Logger LOG = LoggerFactory.getLogger(RayCloud.class);
  private static final Duration MAX_RENEWAL_INTERVAL = Duration.ofSeconds(5);
  private static final Duration RETRY = Duration.ofSeconds(2);
  private static final int RENEWALS = 6;

  private final RunContext run;
  private final Consumer<CloudEvent> events;
  private final RayCloudSettings settings;
  private final RayConnection connection;
  private final RayLink.Listener listener = new Suspensions();
  private final ExecutorService files = Executors.newCachedThreadPool(RayCloud::thread);
  private final Map<String, RayLease> leases = new HashMap<>();
  private final Context context;
  private final RayLeaseList leaseList;
  private final RayLeaseRenewal renewal;
  private final AvoidedNodes avoided;
  private List<ClusterNode> nodes = List.of();
  private NodeExpiryLimit limit = NodeExpiryLimit.NONE;
  private CompletableFuture<Boolean> limited = CompletableFuture.completedFuture(true);
  private boolean closed;

  /**
   * Opens the cloud.
   *
   * @param bridge how the bridge is started; the run's engine uses the same
   */
  public RayCloud(RunContext run, BridgeSettings bridge, Consumer<CloudEvent> events) {
    this(run, bridge, events, RayCloudSettings.of(run));
  }

  /** Opens the cloud with other settings. */
  RayCloud(
      RunContext run,
      BridgeSettings bridge,
      Consumer<CloudEvent> events,
      RayCloudSettings settings) {
    this(run, bridge, events, settings, EventLoop.Faults.NONE);
  }

  RayCloud(
      RunContext run,
      BridgeSettings bridge,
      Consumer<CloudEvent> events,
      RayCloudSettings settings,
      EventLoop.Faults faults) {
    this.run = run;
    this.events = events;
    this.settings = settings;
    avoided = new AvoidedNodes(settings.addsNodes());
    connection = RayConnection.open(bridge, run.cloud().time(), faults);
    context = new Context();
    leaseList = new RayLeaseList(context, leases.values());
    renewal = new RayLeaseRenewal(context, leases.values());
    connection.add(listener);
    connection.loop().schedule(renewalInterval(), this::renew);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "elastune-ray-cloud");
    thread.setDaemon(true);
    return thread;
  }

  private final class Suspensions implements RayLink.Listener {
    @Override
    public void connected() {}

    @Override
    public void event(Frame event) {}

    @Override
    public void suspended(Duration by) {
      List.copyOf(leases.values()).forEach(lease -> lease.own(() -> lease.suspended(by)));
    }
  }

  private final class Context implements RayCloudContext {
    private final LeaseSetup setup;
    private final NodeAcceptance acceptance;
    private final LeaseRecords records;

    Context() {
      Executor blocking = connection.loop().blocking(files);
      setup =
          new LeaseSetup(connection.link(), blocking, new LeaseCode(connection.link(), blocking));
      acceptance =
          new NodeAcceptance(
              connection,
              run.cloud().time(),
              settings.acceptance(),
              CheckedNodes.USER_CLUSTER,
              Map.of());
      records = new LeaseRecords(run.folder().resolve("leases"));
    }

    @Override
    public RayConnection connection() {
      return connection;
    }

    @Override
    public LeaseSetup setup() {
      return setup;
    }

    @Override
    public NodeAcceptance acceptance() {
      return acceptance;
    }

    @Override
    public LeaseRecords records() {
      return records;
    }

    @Override
    public Instant now() {
      return run.cloud().time().instant();
    }

    @Override
    public void emit(CloudEvent event) {
      if (closed) {
        return;
      }
      try {
        events.accept(event);
      } catch (RuntimeException e) {
        LOG.error("Delivering {} failed", event, e);
      }
    }

    @Override
    public void forget(String lease) {
      leases.remove(lease);
    }

    @Override
    public void avoid(String ip) {
      avoided.add(ip);
    }

    @Override
    public boolean isDead(String ip) {
      return !nodes.isEmpty()
          && nodes.stream().noneMatch(node -> node.ip().equals(ip) && node.alive());
    }

    @Override
    public Duration queueLimit() {
      return settings.queueLimit();
    }

    @Override
    public Duration lostAfter() {
      return settings.lostAfter();
    }

    @Override
    public Duration timeToLive(String lease) {
      Duration shared = connection.timeToLive(run.deadMan(), now());
      Duration starting = limit.starting().getOrDefault(lease, shared);
      return starting.compareTo(shared) < 0 ? starting : shared;
    }
  }

  @Override
  public void request(LeaseRequest request) {
    connection.loop().execute(() -> rent(request, RayLease::request));
  }

  @Override
  public void adopt(LeaseRequest request) {
    connection
        .loop()
        .execute(
            () -> {
              RayLease known = leases.get(request.lease());
              if (known != null) {
                known.own(known::check);
              } else {
                rent(request, RayLease::adopt);
              }
            });
  }

  private void rent(LeaseRequest request, BiConsumer<RayLease, LeasePlacement> start) {
    if (leases.containsKey(request.lease())) {
      return;
    }
    RayLease lease = new RayLease(context, request);
    leases.put(request.lease(), lease);
    lease.own(
        () ->
            connection
                .loop()
                .whenComplete(
                    limited.thenCompose(done -> lookUp()),
                    (done, failure) -> start.accept(lease, placement(request))));
  }

  private LeasePlacement placement(LeaseRequest request) {
    return avoided.applyTo(RayOffers.placement(request.offer(), nodes), nodes);
  }

  private CompletableFuture<Void> lookUp() {
    return connection
        .link()
        .onLoop(() -> connection.link().request(Request.of("nodes")))
        .thenAcceptAsync(answer -> nodes = ClusterNode.parse(answer.bytes()), connection.loop());
  }

  @Override
  public void release(String lease) {
    connection
        .loop()
        .execute(
            () -> {
              RayLease known = leases.get(lease);
              if (known != null) {
                known.own(known::release);
              } else {
                releaseUnknown(lease);
              }
            });
  }

  private void releaseUnknown(String lease) {
    EventLoop loop = connection.loop();
    loop.own(
        EventLoop.Owner.repeated("The release of " + lease)
            .then(() -> loop.schedule(RETRY, () -> release(lease))),
        () ->
            loop.whenComplete(
                connection.link().request(Request.of("detach", lease).with("pending", true)),
                (answer, failure) -> {
                  if (failure == null) {
                    context.emit(new CloudEvent.Terminated(lease, context.now()));
                  } else {
                    loop.schedule(RETRY, () -> release(lease));
                  }
                }));
  }

  @Override
  public void list(String of) {
    connection.loop().execute(() -> leaseList.list(of));
  }

  private Duration renewalInterval() {
    Duration interval = run.deadMan().dividedBy(RENEWALS);
    return interval.compareTo(MAX_RENEWAL_INTERVAL) < 0 ? interval : MAX_RENEWAL_INTERVAL;
  }

  private void renew() {
    if (closed) {
      return;
    }
    connection.loop().schedule(renewalInterval(), this::renew);
    connection.checkSuspension();
    if (leases.values().stream().anyMatch(RayLease::isHeld)) {
      var unused = renewal.renewAll();
      connection.loop().whenComplete(lookUp(), (found, failure) -> checkDrain());
    }
  }

  private void checkDrain() {
    List.copyOf(leases.values()).forEach(lease -> lease.own(() -> lease.checkDrain(nodes)));
  }

  @Override
  public void limitNodeExpiry(NodeExpiryLimit other) {
    connection
        .loop()
        .execute(
            () -> {
              limit = other;
              connection.limit(other.latest());
              limited = renewal.renewAll();
            });
  }

  @Override
  public void close() {
    connection.loop().execute(() -> closed = true);
    connection.leave(listener);
    var unused = files.shutdownNow();
  }
}
