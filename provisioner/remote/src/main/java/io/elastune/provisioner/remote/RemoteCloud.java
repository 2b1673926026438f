package io.elastune.provisioner.remote;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.process.UnexpectedFailure;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rents instances of a remote cloud. The life cycle of leases is the same for every cloud; an
 * {@link InstanceApi} adapts the calls.
 */
public final class RemoteCloud implements Cloud {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteCloud.class);

  /** The interval of the scheduling step; the intervals in {@link PollingIntervals} are longer. */
  private static final Duration STEP = Duration.ofMillis(200);

  private final EventLoop loop;
  private final AsyncCaller asyncCaller;
  private final CloudParts parts;
  private final Map<String, LeaseManager> managers = new LinkedHashMap<>();
  private final List<InstanceApi> apis = new ArrayList<>();

  /**
   * Released leases of an unknown part: the number of parts that have not confirmed yet that they
   * have no instance.
   */
  private final Map<String, Integer> unknownLeases = new HashMap<>();

  private final InstantSource time;
  private final PollingIntervals pace;
  private final Consumer<CloudEvent> events;
  private NodeExpiryLimit expiryLimit = NodeExpiryLimit.NONE;
  private boolean closed;

  /**
   * Opens the cloud.
   *
   * @param name names its thread
   * @param faults faults for tests
   */
  public RemoteCloud(
      String name,
      CloudParts parts,
      InstantSource time,
      PollingIntervals pace,
      Consumer<CloudEvent> events,
      EventLoop.Faults faults) {
    loop = new EventLoop("elastune-" + name + "-cloud", faults);
    asyncCaller = new AsyncCaller(loop);
    this.parts = parts;
    this.time = time;
    this.pace = pace;
    this.events = events;
    loop.execute(() -> loop.repeat(shorter(pace.pollInterval(), STEP), this::step));
  }

  @Override
  public void request(LeaseRequest request) {
    loop.execute(error -> refuse(request, error), () -> begin(request, LeaseManager::request));
  }

  @Override
  public void adopt(LeaseRequest request) {
    loop.execute(error -> lose(request, error), () -> begin(request, LeaseManager::adopt));
  }

  /** Nothing was launched: the request failed before it was recorded. */
  private void refuse(LeaseRequest request, Throwable error) {
    String message = message(request.lease(), error);
    emit(new CloudEvent.Refused(request.lease(), RefusalReason.CAPACITY, message, time.instant()));
  }

  /** An instance may exist, which the controller releases now. */
  private void lose(LeaseRequest request, Throwable error) {
    String message = message(request.lease(), error);
    emit(new CloudEvent.Lost(request.lease(), LossReason.FAILED, message, time.instant()));
  }

  private static String message(String lease, Throwable error) {
    return UnexpectedFailure.text(LOG, "lease " + lease, error);
  }

  private void begin(LeaseRequest request, BiConsumer<LeaseManager, LeaseRequest> action) {
    Optional<String> problem = parts.problem(request);
    if (problem.isPresent()) {
      emit(
          new CloudEvent.Refused(
              request.lease(), RefusalReason.INVALID, problem.get(), time.instant()));
      return;
    }
    action.accept(manager(parts.partOf(request)), request);
  }

  @Override
  public void release(String lease) {
    loop.execute(
        EventLoop.Owner.repeated("The release of " + lease), // the controller repeats it
        () -> {
          Optional<LeaseManager> owner =
              managers.values().stream().filter(manager -> manager.knows(lease)).findFirst();
          if (owner.isPresent()) {
            owner.get().release(lease);
          } else {
            List<LeaseManager> all = all();
            unknownLeases.put(lease, all.size());
            all.forEach(manager -> manager.release(lease));
          }
        });
  }

  @Override
  public void avoidNode(String lease) {
    loop.execute(
        EventLoop.Owner.repeated("Avoiding the node of " + lease),
        () -> managers.values().forEach(manager -> manager.avoidNode(lease)));
  }

  @Override
  public void confirmBoot(String lease) {
    loop.execute(
        EventLoop.Owner.repeated("Confirming the boot of " + lease),
        () -> managers.values().forEach(manager -> manager.confirmBoot(lease)));
  }

  @Override
  public void list(String run) {
    loop.execute(
        EventLoop.Owner.repeated("The list of " + run)
            .then(() -> loop.schedule(pace.retryInterval(), () -> list(run))),
        () -> {
          List<LeaseManager> silent = new ArrayList<>(all());
          List<InstanceInfo> found = new ArrayList<>();
          for (LeaseManager manager : List.copyOf(silent)) {
            manager.list(
                run,
                there -> {
                  found.addAll(there);
                  silent.remove(manager);
                  if (silent.isEmpty()) {
                    emit(new CloudEvent.Listed(run, found, time.instant()));
                  }
                });
          }
        });
  }

  /** Nodes check their expiry every 30 seconds and may exceed the limit by that time. */
  @Override
  public void limitNodeExpiry(NodeExpiryLimit limit) {
    loop.execute(
        () -> {
          expiryLimit = limit;
          sendLimit(limit);
        });
  }

  /** The budget depends on it: nothing but a later limit ends the attempts. */
  private void sendLimit(NodeExpiryLimit limit) {
    if (expiryLimit.equals(limit)) {
      loop.own(
          EventLoop.Owner.repeated("The limit of the expiry")
              .then(() -> loop.schedule(pace.retryInterval(), () -> sendLimit(limit))),
          () -> managers.values().forEach(manager -> manager.limitNodeExpiry(limit)));
    }
  }

  @Override
  public void close() {
    loop.execute(
        () -> {
          closed = true;
          asyncCaller.close();
          apis.forEach(InstanceApi::close);
          loop.close();
        });
  }

  private void step() {
    List.copyOf(managers.values()).forEach(LeaseManager::step);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private List<LeaseManager> all() {
    return parts.names().stream().map(this::manager).toList();
  }

  private LeaseManager manager(String part) {
    return managers.computeIfAbsent(part, this::create);
  }

  private LeaseManager create(String part) {
    InstanceApi api = parts.open(part);
    apis.add(api);
    CloudHealthMonitor health =
        new CloudHealthMonitor(parts.infra(part), api, asyncCaller, time, pace, this::emit);
    LeaseManager manager =
        new LeaseManager(
            new LeaseContext(
                api,
                asyncCaller.observedBy(health),
                time,
                pace,
                parts.limits(),
                health,
                new UnavailableZones(pace.zoneCooldown()),
                this::emit),
            () -> managers.values().stream().allMatch(LeaseManager::haveAllReceivedLimit));
    manager.limitNodeExpiry(expiryLimit);
    return manager;
  }

  private void emit(CloudEvent event) {
    boolean elsewhere =
        event instanceof CloudEvent.Terminated ended
            && unknownLeases.computeIfPresent(
                    ended.lease(), (lease, left) -> left > 1 ? left - 1 : null)
                != null;
    if (closed || elsewhere) {
      return;
    }
    try {
      events.accept(event);
    } catch (RuntimeException e) {
      LOG.error("Delivering {} failed", event, e);
    }
  }
}
