package io.elastune.executor.ray.cloud;

import io.elastune.executor.ray.LeaseCode;
import io.elastune.executor.ray.LeaseSetup;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.LeasePlacement;
import io.elastune.executor.ray.link.LinkException;
import io.elastune.executor.ray.link.RayConnection;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.RunContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Leases GPUs and CPUs of a Ray cluster of the user. A lease is an actor that holds them, so that
 * Ray gives them to no other user, and gives them back as soon as the lease is released.
 */
public final class RayCloud implements Cloud {
  private static final Logger LOG = LoggerFactory.getLogger(RayCloud.class);
  private static final Duration MAX_RENEWAL_INTERVAL = Duration.ofSeconds(5);
  private static final Duration RETRY = Duration.ofSeconds(2);
  private static final int RENEWALS = 6;

  /**
   * How long the cloud waits for nodes.
   *
   * @param queue how long a request stays pending before it is refused
   * @param lost the time without an answer of a node after which it is lost: a raylet or a head
   *     that is restarted answers again after 5 to 45 s
   */
  record Timeouts(Duration queue, Duration lost) {
    static final Timeouts DEFAULT = new Timeouts(Duration.ofSeconds(30), Duration.ofSeconds(60));
  }

  private final RunContext run;
  private final Consumer<CloudEvent> events;
  private final Timeouts timeouts;
  private final RayConnection connection;
  private final RayLink.Listener listener = new Ignored();
  private final ExecutorService files = Executors.newCachedThreadPool(RayCloud::thread);
  private final Map<String, RayLease> leases = new HashMap<>();
  private final Context context;
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
    this(run, bridge, events, Timeouts.DEFAULT);
  }

  /** Opens the cloud with other timeouts. */
  RayCloud(RunContext run, BridgeSettings bridge, Consumer<CloudEvent> events, Timeouts timeouts) {
    this.run = run;
    this.events = events;
    this.timeouts = timeouts;
    connection = RayConnection.open(bridge);
    context = new Context();
    connection.add(listener);
    connection.loop().schedule(renewalInterval(), this::renew);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "elastune-ray-cloud");
    thread.setDaemon(true);
    return thread;
  }

  private static final class Ignored implements RayLink.Listener {
    @Override
    public void connected() {}

    @Override
    public void event(Frame event) {}
  }

  private final class Context implements RayCloudContext {
    private final LeaseSetup setup;
    private final LeaseRecords records;

    Context() {
      setup = new LeaseSetup(connection.link(), files, new LeaseCode(connection.link(), files));
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
    public boolean isDead(String ip) {
      return !nodes.isEmpty()
          && nodes.stream().noneMatch(node -> node.ip().equals(ip) && node.alive());
    }

    @Override
    public Duration queueLimit() {
      return timeouts.queue();
    }

    @Override
    public Duration lostAfter() {
      return timeouts.lost();
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
    connection.loop().execute(() -> rent(request, RayLease::adopt));
  }

  private void rent(LeaseRequest request, BiConsumer<RayLease, LeasePlacement> start) {
    if (leases.containsKey(request.lease())) {
      return;
    }
    RayLease lease = new RayLease(context, request);
    leases.put(request.lease(), lease);
    var unused =
        limited
            .thenCompose(done -> lookUp())
            .whenCompleteAsync(
                (done, failure) -> start.accept(lease, RayOffers.placement(request.offer(), nodes)),
                connection.loop());
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
                known.release();
              } else {
                releaseUnknown(lease);
              }
            });
  }

  private void releaseUnknown(String lease) {
    var unused =
        connection
            .link()
            .request(Request.of("detach", lease).with("pending", true))
            .whenCompleteAsync(
                (answer, failure) -> {
                  if (failure == null) {
                    context.emit(new CloudEvent.Terminated(lease, context.now()));
                  } else {
                    connection.loop().schedule(RETRY, () -> release(lease));
                  }
                },
                connection.loop());
  }

  @Override
  public void list(String of) {
    connection.loop().execute(() -> listAgents(of));
  }

  private void listAgents(String of) {
    var unused =
        connection
            .link()
            .request(Request.of("agents"))
            .whenCompleteAsync(
                (answer, failure) -> {
                  if (answer == null) {
                    connection.loop().schedule(RETRY, () -> list(of));
                  } else {
                    context.emit(new CloudEvent.Listed(of, found(of, answer), context.now()));
                  }
                },
                connection.loop());
  }

  private List<InstanceInfo> found(String of, Frame answer) {
    Pattern ofRun = Pattern.compile(Pattern.quote(of) + "-[0-9]+");
    Map<String, String> states = new TreeMap<>();
    for (JsonNode agent : new JsonMapper().readTree(answer.bytes())) {
      states.put(agent.path("lease").asString(""), "held");
    }
    leases.forEach(
        (name, lease) -> {
          if (lease.state() != RayLease.State.ENDED) {
            states.put(name, lease.state().name().toLowerCase(Locale.ROOT));
          }
        });
    List<InstanceInfo> all = new ArrayList<>();
    states.forEach(
        (lease, state) -> {
          if (ofRun.matcher(lease).matches()) {
            all.add(new InstanceInfo(lease, lease, state));
          }
        });
    return all;
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
    if (leases.values().stream().anyMatch(RayLease::isHeld)) {
      var unused =
          CompletableFuture.allOf(
              lookUp().thenRunAsync(this::checkDrain, connection.loop()), renewAll());
    }
  }

  private void checkDrain() {
    List.copyOf(leases.values()).forEach(lease -> lease.checkDrain(nodes));
  }

  private CompletableFuture<Boolean> renewAll() {
    Map<Duration, List<RayLease>> byTime = new HashMap<>();
    for (RayLease lease : leases.values()) {
      if (lease.isHeld()) {
        byTime
            .computeIfAbsent(context.timeToLive(lease.lease()), none -> new ArrayList<>())
            .add(lease);
      }
    }
    List<CompletableFuture<Void>> all = new ArrayList<>();
    byTime.forEach((time, some) -> all.add(renew(time, some)));
    return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
        .handle((done, failure) -> true);
  }

  private CompletableFuture<Void> renew(Duration time, List<RayLease> some) {
    Request request =
        Request.of("renew")
            .with("ttl_s", time.toMillis() / 1000.0)
            .with("leases", some.stream().map(RayLease::lease).toList());
    return connection
        .link()
        .request(request)
        .handleAsync(
            (answer, failure) -> {
              some.forEach(lease -> renewed(lease, answer));
              return null;
            },
            connection.loop());
  }

  private static void renewed(RayLease lease, @Nullable Frame answer) {
    if (answer == null) {
      lease.notRenewed(LinkException.UNREACHABLE);
      return;
    }
    JsonNode failed = answer.ok().path("failed").path(lease.lease());
    if (failed.isMissingNode()) {
      lease.renewed();
    } else {
      lease.notRenewed(failed.asString(""));
    }
  }

  @Override
  public void limitNodeExpiry(NodeExpiryLimit other) {
    connection
        .loop()
        .execute(
            () -> {
              limit = other;
              connection.limit(other.latest());
              limited = renewAll();
            });
  }

  @Override
  public void close() {
    connection.loop().execute(() -> closed = true);
    connection.leave(listener);
    var unused = files.shutdownNow();
  }
}
