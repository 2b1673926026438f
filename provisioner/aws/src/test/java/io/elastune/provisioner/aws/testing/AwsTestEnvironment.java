package io.elastune.provisioner.aws.testing;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.aws.cloud.AwsCloud;
import io.elastune.provisioner.aws.fake.FakeAws;
import io.elastune.provisioner.aws.model.Disk;
import io.elastune.provisioner.aws.model.Images;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.aws.model.Reservations;
import io.elastune.provisioner.aws.sdk.SdkEc2;
import io.elastune.provisioner.aws.sdk.SdkPriceList;
import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.remote.PollingIntervals;
import io.elastune.provisioner.remote.PollingIntervalsBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs the fake AWS, points the real SDK at it, and opens clouds with short intervals. */
public final class AwsTestEnvironment
    implements BeforeEachCallback, AfterEachCallback, AutoCloseable {
  public static final String REGION = "us-east-1";
  public static final InstantSource TIME = InstantSource.system();

  /** Intervals 100 times shorter than for the real EC2. */
  public static final PollingIntervals FAST =
      PollingIntervalsBuilder.builder()
          .pollInterval(Duration.ofMillis(20))
          .spotPollInterval(Duration.ofMillis(100))
          .idlePollInterval(Duration.ofMillis(100))
          .retryInterval(Duration.ofMillis(50))
          .listingDelay(Duration.ofMillis(400))
          .lookupDelay(Duration.ofMillis(400))
          .bootTimeout(Duration.ofSeconds(10))
          .launchPatience(Duration.ofSeconds(2))
          .zoneCooldown(Duration.ofSeconds(2))
          .renewalInterval(Duration.ofMinutes(5))
          .throttlePause(Duration.ofMillis(20))
          .burst(5)
          .callsPerSecond(200)
          .build();

  private FakeAws fake = begin();

  private static FakeAws begin() {
    FakeAws fake;
    try {
      fake = new FakeAws(TIME);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    System.setProperty("aws.endpointUrl", fake.url());
    System.setProperty("aws.accessKeyId", "test");
    System.setProperty("aws.secretAccessKey", "test");
    System.setProperty("aws.disableEc2Metadata", "true"); // a query outside EC2 takes long to fail
    return fake;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    fake.close();
    fake = begin();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    close();
  }

  public FakeAws fake() {
    return fake;
  }

  /** Returns a region with two zones. */
  public static RegionSettings settings() {
    Map<String, String> subnets = new LinkedHashMap<>();
    subnets.put("us-east-1a", "subnet-0a");
    subnets.put("us-east-1b", "subnet-0b");
    return new RegionSettings(
        Images.of("ami-01"),
        Optional.empty(),
        subnets,
        List.of("sg-01"),
        false,
        OptionalInt.empty(),
        Disk.UBUNTU,
        Reservations.NONE,
        Optional.of("elastune-node"),
        Optional.empty(),
        Optional.empty(),
        false,
        Duration.ofDays(1));
  }

  public Cloud open(Consumer<CloudEvent> consumer) {
    return open(FAST, consumer);
  }

  public Cloud open(PollingIntervals pollingIntervals, Consumer<CloudEvent> consumer) {
    return open(settings(), pollingIntervals, consumer);
  }

  /** Opens the cloud with faults. */
  public Cloud openWithFaults(EventLoop.Faults faults, Consumer<CloudEvent> consumer) {
    return AwsCloud.open(
        Map.of(REGION, settings()),
        SdkEc2::new,
        region -> new SdkPriceList(region, TIME),
        TIME,
        FAST,
        consumer,
        faults);
  }

  /** Opens the cloud with other settings of the region. */
  public Cloud open(
      RegionSettings settings, PollingIntervals pollingIntervals, Consumer<CloudEvent> consumer) {
    return AwsCloud.open(
        Map.of(REGION, settings),
        SdkEc2::new,
        region -> new SdkPriceList(region, TIME),
        TIME,
        pollingIntervals,
        consumer);
  }

  @Override
  public void close() {
    fake.close();
    List.of("aws.endpointUrl", "aws.accessKeyId", "aws.secretAccessKey", "aws.disableEc2Metadata")
        .forEach(System::clearProperty);
  }
}
