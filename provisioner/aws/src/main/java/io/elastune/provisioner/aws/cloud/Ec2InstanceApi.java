package io.elastune.provisioner.aws.cloud;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.model.Aws;
import io.elastune.provisioner.aws.model.Ec2;
import io.elastune.provisioner.aws.model.Ec2Instance;
import io.elastune.provisioner.aws.model.LaunchRequest;
import io.elastune.provisioner.aws.model.PriceList;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.aws.node.ConsoleReport;
import io.elastune.provisioner.aws.node.UserData;
import io.elastune.provisioner.remote.ExpiringLogin;
import io.elastune.provisioner.remote.InstanceApi;
import io.elastune.provisioner.remote.InstanceHistory;
import io.elastune.provisioner.remote.InstanceList;
import io.elastune.provisioner.remote.Lazy;
import io.elastune.provisioner.remote.Location;
import io.elastune.provisioner.remote.NodeReport;
import io.elastune.provisioner.remote.PreparedLaunch;
import io.elastune.provisioner.remote.RemoteInstance;
import io.elastune.provisioner.remote.RemoteOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Supplier;

/** Adapts EC2 in one region. Its calls take effect at once, and its lists lag behind them. */
final class Ec2InstanceApi implements InstanceApi {
  /** Instances that one call changes at most; EC2 accepts 1,000. */
  private static final int BATCH = 500;

  /** EC2 describes terminated instances for about an hour. */
  private static final Duration ENDED_DESCRIBED = Duration.ofMinutes(45);

  private static final String LOG_IN =
      "log in again, e.g. with 'aws sso login', unless the source of the credentials renews them";

  private static final Duration NOTICE = Duration.ofMinutes(2);

  private final RegionSettings settings;
  private final Ec2 ec2;

  /** The region's on-demand prices, which are read once. */
  private final Lazy<Map<String, Double>> onDemand;

  Ec2InstanceApi(RegionSettings settings, Ec2 ec2, Supplier<PriceList> prices) {
    this.settings = settings;
    this.ec2 = ec2;
    onDemand = new Lazy<>(() -> onDemand(prices));
  }

  @Override
  public Optional<ExpiringLogin> expiringLogin(Instant now) {
    return ec2.loginExpires(now).map(at -> new ExpiringLogin(at, LOG_IN));
  }

  private static Map<String, Double> onDemand(Supplier<PriceList> prices) {
    try (PriceList list = prices.get()) {
      return list.onDemand();
    }
  }

  @Override
  public String cloudName() {
    return "EC2";
  }

  @Override
  public Duration noticePeriod() {
    return NOTICE;
  }

  @Override
  public Optional<List<Optional<String>>> knownZones(Offer offer) {
    return Optional.of(zones(offer));
  }

  @Override
  public List<Optional<String>> zones(Offer offer) {
    Optional<String> zone = Location.parse(Aws.PROVIDER, offer.infra()).flatMap(Location::zone);
    return zone.isPresent() ? List.of(zone) : settings.zones();
  }

  @Override
  public PreparedLaunch prepare(
      LeaseRequest request, Optional<String> zone, Instant expires, int failures) {
    return new Ec2Launch(ec2, launchRequest(request, zone, expires.getEpochSecond(), failures));
  }

  private LaunchRequest launchRequest(
      LeaseRequest request, Optional<String> zone, long expires, int failures) {
    Map<String, String> tags = new HashMap<>(request.tags());
    tags.put("Name", request.lease());
    tags.put(Tags.EXPIRES, Long.toString(expires));
    Offer offer = request.offer();
    return new LaunchRequest(
        ClientTokens.of(request.lease(), offer, zone, failures),
        offer.instanceType(),
        offer.market(),
        zone,
        settings,
        tags,
        UserData.script(request.setup(), expires, settings.maxLifetime()),
        PlacementGroups.group(request, zone));
  }

  /** Launches one instance; the response describes it. */
  private record Ec2Launch(Ec2 ec2, LaunchRequest order) implements PreparedLaunch {
    @Override
    public Optional<String> zone() {
      return order.zone();
    }

    @Override
    public Launched send() {
      order.group().ifPresent(group -> ec2.createGroup(group, PlacementGroups.tags(order)));
      Ec2Instance instance = ec2.launch(order);
      RemoteOperation creation =
          new RemoteOperation(
              order.token(),
              instance.id(),
              instance.zone(),
              instance.launched(),
              Optional.of(instance.launched()),
              Optional.empty());
      return new Launched(creation, Optional.of(InstanceDescriptions.of(instance)));
    }
  }

  /** EC2 has no operations that end later. */
  @Override
  public RemoteOperation poll(RemoteOperation pending) {
    return pending;
  }

  @Override
  public InstanceList list(String tag, Collection<String> values) {
    List<RemoteInstance> found =
        ec2.listByTag(tag, values).stream().map(InstanceDescriptions::of).toList();
    return new InstanceList(found, Set.of());
  }

  /** Only EC2's error proves that an instance does not exist: an empty answer may lag. */
  @Override
  public Optional<RemoteInstance> find(String id) {
    try {
      List<Ec2Instance> found = ec2.listByIds(List.of(id));
      if (found.isEmpty()) {
        throw new CloudException(
            new CloudFailure.UnknownOutcome("ec2:DescribeInstances returned nothing for " + id));
      }
      return found.stream().map(InstanceDescriptions::of).findFirst();
    } catch (CloudException e) {
      if (e.failure() instanceof CloudFailure.Invalid) {
        return Optional.empty(); // EC2 drops instances about an hour after their end
      }
      throw e;
    }
  }

  @Override
  public Optional<RemoteOperation> terminate(List<String> ids, String token) {
    ec2.terminate(ids);
    return Optional.empty();
  }

  @Override
  public Optional<RemoteOperation> extendExpiry(List<String> ids, Instant expires) {
    ec2.tag(ids, Map.of(Tags.EXPIRES, Long.toString(expires.getEpochSecond())));
    return Optional.empty();
  }

  @Override
  public int batchSize() {
    return BATCH;
  }

  @Override
  public boolean recordsHistory() {
    return false;
  }

  @Override
  public Duration remembersEnded() {
    return ENDED_DESCRIBED;
  }

  @Override
  public InstanceHistory history(String lease) {
    return InstanceHistory.NONE;
  }

  @Override
  public Set<String> interruptionNotices(Collection<String> ids) {
    return ec2.interruptionNotices(ids);
  }

  /** On spot, the zone's price at the launch; on demand, the region's list price. */
  @Override
  public OptionalDouble chargedUsdPerHour(RemoteInstance instance) {
    if (instance.market() == Market.SPOT) {
      return ec2.spotUsdPerHour(instance.type(), instance.zone(), instance.created());
    }
    Double usd = onDemand.get().get(instance.type());
    return usd == null ? OptionalDouble.empty() : OptionalDouble.of(usd);
  }

  @Override
  public Optional<NodeReport> bootReport(String id) {
    return ConsoleReport.report(ec2.console(id));
  }

  @Override
  public void deleteGroups(String run) {
    ec2.deleteGroups(Tags.RUN, run);
  }

  @Override
  public void close() {
    ec2.close();
  }
}
