package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.aws.model.Aws;
import io.elastune.provisioner.aws.model.Ec2;
import io.elastune.provisioner.aws.model.Images;
import io.elastune.provisioner.aws.model.PriceList;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.remote.CallLimits;
import io.elastune.provisioner.remote.CloudParts;
import io.elastune.provisioner.remote.InstanceApi;
import io.elastune.provisioner.remote.Location;
import io.elastune.provisioner.remote.PollingIntervals;
import io.elastune.provisioner.remote.PollingIntervalsBuilder;
import io.elastune.provisioner.remote.RateLimit;
import io.elastune.provisioner.remote.RemoteCloud;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** EC2 in all regions of the settings. Each region is listed by itself. */
public final class AwsCloud implements CloudParts {
  /** The values for the real EC2; burst and rate are its limits for {@code RunInstances}. */
  public static final PollingIntervals PACE =
      PollingIntervalsBuilder.builder()
          .pollInterval(Duration.ofSeconds(2))
          .spotPollInterval(Duration.ofSeconds(10))
          .idlePollInterval(Duration.ofSeconds(10))
          .retryInterval(Duration.ofSeconds(5))
          .listingDelay(Duration.ofSeconds(40))
          .lookupDelay(Duration.ofSeconds(40))
          .bootTimeout(Duration.ofMinutes(20))
          .launchPatience(Duration.ofMinutes(2))
          .zoneCooldown(Duration.ofMinutes(1))
          .renewalInterval(Duration.ofMinutes(5))
          .throttlePause(Duration.ofSeconds(2))
          .burst(5)
          .callsPerSecond(2)
          .build();

  /** The rates of other calls relative to launches: EC2 allows more of them. */
  private static final double OTHER_CALLS_PER_LAUNCH = 5;

  private final Map<String, RegionSettings> settings;
  private final Function<String, Ec2> ec2;
  private final Function<String, PriceList> prices;
  private final PollingIntervals pace;

  private AwsCloud(
      Map<String, RegionSettings> settings,
      Function<String, Ec2> ec2,
      Function<String, PriceList> prices,
      PollingIntervals pace) {
    this.settings = new LinkedHashMap<>(settings);
    this.ec2 = ec2;
    this.prices = prices;
    this.pace = pace;
  }

  /**
   * Opens the cloud.
   *
   * @param settings the settings by region
   * @param ec2 creates the EC2 client of a region
   * @param prices creates the price list client of a region
   */
  public static Cloud open(
      Map<String, RegionSettings> settings,
      Function<String, Ec2> ec2,
      Function<String, PriceList> prices,
      InstantSource time,
      PollingIntervals pace,
      Consumer<CloudEvent> events) {
    return open(settings, ec2, prices, time, pace, events, EventLoop.Faults.NONE);
  }

  /** Opens the cloud with faults, for tests. */
  public static Cloud open(
      Map<String, RegionSettings> settings,
      Function<String, Ec2> ec2,
      Function<String, PriceList> prices,
      InstantSource time,
      PollingIntervals pace,
      Consumer<CloudEvent> events,
      EventLoop.Faults faults) {
    AwsCloud regions = new AwsCloud(settings, ec2, prices, pace);
    return new RemoteCloud(Aws.PROVIDER, regions, time, pace, events, faults);
  }

  @Override
  public Set<String> names() {
    return settings.keySet();
  }

  @Override
  public String infra(String region) {
    return Aws.PROVIDER + "/" + region;
  }

  @Override
  public Optional<String> problem(LeaseRequest request) {
    return RequestValidator.problem(request, settings.keySet()).or(() -> missingImage(request));
  }

  private Optional<String> missingImage(LeaseRequest request) {
    String type = request.offer().instanceType();
    RegionSettings region = settings.get(partOf(request));
    return region == null || region.images().isEmpty() || region.images().forType(type).isPresent()
        ? Optional.empty()
        : Optional.of(
            "clouds.yaml has no image of architecture %s for %s in %s"
                .formatted(Images.architecture(type), type, partOf(request)));
  }

  @Override
  public String partOf(LeaseRequest request) {
    return Location.parse(Aws.PROVIDER, request.offer().infra()).orElseThrow().region();
  }

  @Override
  public InstanceApi open(String region) {
    RegionSettings value = settings.get(region);
    if (value == null) {
      throw new IllegalStateException("no settings for region " + region);
    }
    return new Ec2InstanceApi(value, ec2.apply(region), () -> prices.apply(region));
  }

  @Override
  public CallLimits limits() {
    return new CallLimits(
        new RateLimit(pace.burst(), pace.callsPerSecond()), otherCalls(), otherCalls());
  }

  private RateLimit otherCalls() {
    return new RateLimit(
        pace.burst() * OTHER_CALLS_PER_LAUNCH, pace.callsPerSecond() * OTHER_CALLS_PER_LAUNCH);
  }
}
