package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.aws.model.Ec2;
import io.elastune.provisioner.aws.model.Location;
import io.elastune.provisioner.aws.model.PriceList;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.remote.AsyncCaller;
import io.elastune.provisioner.remote.UnavailableZones;
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
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Rents EC2 instances in all regions of the settings. */
public final class AwsCloud implements Cloud {
  private static final Logger LOG = LoggerFactory.getLogger(AwsCloud.class);

  /** The interval of the scheduling step; the intervals in {@link PollingIntervals} are longer. */
  private static final Duration STEP = Duration.ofMillis(200);

  private final EventLoop loop = new EventLoop("elastune-aws-cloud");
  private final AsyncCaller asyncCaller = new AsyncCaller(loop);
  private final Map<String, RegionSettings> settings;
  private final Map<String, RegionCloud> regions = new LinkedHashMap<>();
  private final List<Ec2> clients = new ArrayList<>();

  /**
   * Released leases without a known region: the number of regions that have not confirmed yet that
   * they have no instance.
   */
  private final Map<String, Integer> unknownLeases = new HashMap<>();

  private final Function<String, Ec2> ec2;
  private final Function<String, PriceList> prices;
  private final InstantSource time;
  private final PollingIntervals pollingIntervals;
  private final Consumer<CloudEvent> events;
  private NodeExpiryLimit expiryLimit = NodeExpiryLimit.NONE;
  private boolean closed;

  /**
   * Opens the cloud.
   *
   * @param settings the settings by region
   * @param ec2 creates the EC2 client of a region
   * @param prices creates the price list client of a region
   */
  public AwsCloud(
      Map<String, RegionSettings> settings,
      Function<String, Ec2> ec2,
      Function<String, PriceList> prices,
      InstantSource time,
      PollingIntervals pollingIntervals,
      Consumer<CloudEvent> events) {
    this.settings = new LinkedHashMap<>(settings);
    this.ec2 = ec2;
    this.prices = prices;
    this.time = time;
    this.pollingIntervals = pollingIntervals;
    this.events = events;
    loop.execute(this::step);
  }

  @Override
  public void request(LeaseRequest request) {
    loop.execute(() -> begin(request, RegionCloud::request));
  }

  @Override
  public void adopt(LeaseRequest request) {
    loop.execute(() -> begin(request, RegionCloud::adopt));
  }

  private void begin(LeaseRequest request, BiConsumer<RegionCloud, LeaseRequest> action) {
    Optional<String> problem = RequestValidator.problem(request, settings.keySet());
    if (problem.isPresent()) {
      emit(
          new CloudEvent.Refused(
              request.lease(), RefusalReason.INVALID, problem.get(), time.instant()));
      return;
    }
    Location.parse(request.offer().infra())
        .ifPresent(location -> action.accept(region(location.region()), request));
  }

  @Override
  public void release(String lease) {
    loop.execute(
        () -> {
          Optional<RegionCloud> owner =
              regions.values().stream().filter(region -> region.knows(lease)).findFirst();
          if (owner.isPresent()) {
            owner.get().release(lease);
          } else {
            List<RegionCloud> all = all();
            unknownLeases.put(lease, all.size());
            all.forEach(region -> region.release(lease));
          }
        });
  }

  @Override
  public void list(String run) {
    loop.execute(
        () -> {
          List<RegionCloud> silent = new ArrayList<>(all());
          List<InstanceInfo> found = new ArrayList<>();
          for (RegionCloud region : List.copyOf(silent)) {
            region.list(
                run,
                there -> {
                  found.addAll(there);
                  silent.remove(region);
                  if (silent.isEmpty()) {
                    emit(new CloudEvent.Listed(run, found, time.instant()));
                  }
                });
          }
        });
  }

  /** Nodes check their tag every 30 seconds and may exceed the limit by that time. */
  @Override
  public void limitNodeExpiry(NodeExpiryLimit limit) {
    loop.execute(
        () -> {
          expiryLimit = limit;
          regions.values().forEach(region -> region.limitNodeExpiry(limit));
        });
  }

  @Override
  public void close() {
    loop.execute(
        () -> {
          closed = true;
          asyncCaller.close();
          clients.forEach(Ec2::close);
          loop.close();
        });
  }

  private void step() {
    List.copyOf(regions.values()).forEach(RegionCloud::step);
    loop.schedule(
        pollingIntervals.pollInterval().compareTo(STEP) < 0
            ? pollingIntervals.pollInterval()
            : STEP,
        this::step);
  }

  private List<RegionCloud> all() {
    return settings.keySet().stream().map(this::region).toList();
  }

  private RegionCloud region(String name) {
    return regions.computeIfAbsent(name, value -> createRegion(value, this::emit));
  }

  private RegionCloud createRegion(String name, Consumer<CloudEvent> emit) {
    RegionSettings value = settings.get(name);
    if (value == null) {
      throw new IllegalStateException("no settings for region " + name);
    }
    Ec2 calls = ec2.apply(name);
    clients.add(calls);
    RegionCloud region =
        new RegionCloud(
            new RegionContext(
                name,
                value,
                calls,
                () -> prices.apply(name),
                asyncCaller,
                time,
                pollingIntervals,
                new UnavailableZones(pollingIntervals.zoneCooldown()),
                emit),
            () -> regions.values().stream().allMatch(RegionCloud::haveAllReceivedLimit));
    region.limitNodeExpiry(expiryLimit);
    return region;
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
