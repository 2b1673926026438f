package io.elastune.provisioner.gcp.testing;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.gcp.cloud.GcpCloud;
import io.elastune.provisioner.gcp.fake.FakeGcp;
import io.elastune.provisioner.gcp.model.LaunchOptions;
import io.elastune.provisioner.gcp.model.RegionSettings;
import io.elastune.provisioner.gcp.sdk.SdkCompute;
import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.remote.PollingIntervals;
import io.elastune.provisioner.remote.PollingIntervalsBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Starts the fake, points Google's client library at it, and creates clouds with short intervals.
 * Any deviation from the discovery document of Compute Engine fails the test.
 */
public final class GcpTestEnvironment implements BeforeEachCallback, AfterEachCallback {
  public static final String REGION = "us-central1";
  public static final InstantSource TIME = InstantSource.system();

  /** Intervals up to a hundred times shorter than in production. */
  public static final PollingIntervals FAST =
      PollingIntervalsBuilder.builder()
          .pollInterval(Duration.ofMillis(20))
          .spotPollInterval(Duration.ofMillis(50))
          .idlePollInterval(Duration.ofMillis(100))
          .retryInterval(Duration.ofMillis(50))
          .listingDelay(Duration.ofMillis(400))
          .lookupDelay(Duration.ZERO)
          .bootTimeout(Duration.ofSeconds(10))
          .launchPatience(Duration.ofSeconds(2))
          .zoneCooldown(Duration.ofSeconds(2))
          .renewalInterval(Duration.ofMinutes(5))
          .throttlePause(Duration.ofMillis(20))
          .burst(20)
          .callsPerSecond(400)
          .build();

  private static final List<String> VARIABLES =
      List.of(
          "CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE",
          "GOOGLE_APPLICATION_CREDENTIALS",
          "GOOGLE_CLOUD_PROJECT");
  private static final Path CREDENTIALS = credentials();

  private final InstantSource time;
  private FakeGcp fake;

  /** Uses the system clock. */
  public GcpTestEnvironment() {
    this(TIME);
  }

  /** Uses this clock for the cloud and the fake. */
  public GcpTestEnvironment(InstantSource time) {
    this.time = time;
    this.fake = begin();
  }

  private static Path credentials() {
    try {
      return TestCredentials.write(Files.createTempDirectory("elastune-gcp"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private FakeGcp begin() {
    try {
      FakeGcp made = new FakeGcp(time);
      System.setProperty(VARIABLES.get(0), made.url() + "/compute/v1/");
      System.setProperty(VARIABLES.get(1), CREDENTIALS.toString());
      System.setProperty(VARIABLES.get(2), "my-project");
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    fake.close();
    fake = begin();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    fake.close();
    VARIABLES.forEach(System::clearProperty);
    if (!fake.violations().isEmpty()) {
      throw new AssertionError("deviations from the discovery document: " + fake.violations());
    }
  }

  public FakeGcp fake() {
    return fake;
  }

  /** Returns settings of a region with two zones. */
  public static RegionSettings settings() {
    return new RegionSettings(
        "projects/my-project/global/images/family/gpu-nodes",
        List.of("us-central1-a", "us-central1-b"),
        Optional.of("elastune"),
        List.of("elastune"),
        Optional.of("node@my-project.iam.gserviceaccount.com"),
        100,
        Optional.of("pd-balanced"),
        false,
        false,
        Optional.empty(),
        false,
        Duration.ofDays(1),
        LaunchOptions.NONE);
  }

  public Cloud open(Consumer<CloudEvent> consumer) {
    return open(settings(), consumer);
  }

  /** Opens the cloud with faults. */
  public Cloud openWithFaults(EventLoop.Faults faults, Consumer<CloudEvent> consumer) {
    return GcpCloud.open(
        Map.of(REGION, settings()), new SdkCompute(Optional.empty()), time, FAST, consumer, faults);
  }

  public Cloud open(RegionSettings settings, Consumer<CloudEvent> consumer) {
    return open(settings, FAST, consumer);
  }

  /** Creates a cloud with this sustained rate limit. */
  public Cloud open(double callsPerSecond, Consumer<CloudEvent> consumer) {
    PollingIntervals pollingIntervals =
        PollingIntervalsBuilder.builder(FAST).callsPerSecond(callsPerSecond).build();
    return open(settings(), pollingIntervals, consumer);
  }

  public Cloud open(
      RegionSettings settings, PollingIntervals pollingIntervals, Consumer<CloudEvent> consumer) {
    return GcpCloud.open(
        Map.of(REGION, settings),
        new SdkCompute(Optional.empty()),
        time,
        pollingIntervals,
        consumer);
  }
}
