package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.gcp.model.Compute;
import io.elastune.provisioner.gcp.model.Gcp;
import io.elastune.provisioner.gcp.model.RegionSettings;
import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.remote.CallLimits;
import io.elastune.provisioner.remote.CloudParts;
import io.elastune.provisioner.remote.InstanceApi;
import io.elastune.provisioner.remote.PollingIntervals;
import io.elastune.provisioner.remote.PollingIntervalsBuilder;
import io.elastune.provisioner.remote.RateLimit;
import io.elastune.provisioner.remote.RemoteCloud;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Compute Engine in one project. The instances of all its regions are listed together. */
public final class GcpCloud implements CloudParts {
  /**
   * The values for Google Cloud. The rate is about half of Google's limit for each group of calls
   * in a region, 1,500 per minute. Lists are polled more often for spot instances, because Google
   * gives 30 seconds' notice and they show it.
   */
  public static final PollingIntervals PACE =
      PollingIntervalsBuilder.builder()
          .pollInterval(Duration.ofSeconds(2))
          .spotPollInterval(Duration.ofSeconds(5))
          .idlePollInterval(Duration.ofSeconds(10))
          .retryInterval(Duration.ofSeconds(5))
          .listingDelay(Duration.ofSeconds(40))
          .lookupDelay(Duration.ZERO)
          .bootTimeout(Duration.ofMinutes(20))
          .launchPatience(Duration.ofMinutes(2))
          .zoneCooldown(Duration.ofMinutes(1))
          .renewalInterval(Duration.ofMinutes(5))
          .throttlePause(Duration.ofSeconds(2))
          .burst(10)
          .callsPerSecond(12)
          .build();

  private static final String PROJECT = "project";

  private final Map<String, RegionSettings> settings;
  private final Compute compute;
  private final PollingIntervals pace;

  private GcpCloud(Map<String, RegionSettings> settings, Compute compute, PollingIntervals pace) {
    this.settings = Map.copyOf(settings);
    this.compute = compute;
    this.pace = pace;
  }

  /**
   * Opens the cloud.
   *
   * @param settings the settings by region
   * @param compute closed together with the cloud
   */
  public static Cloud open(
      Map<String, RegionSettings> settings,
      Compute compute,
      InstantSource time,
      PollingIntervals pace,
      Consumer<CloudEvent> events) {
    return open(settings, compute, time, pace, events, EventLoop.Faults.NONE);
  }

  /** Opens the cloud with faults, for tests. */
  public static Cloud open(
      Map<String, RegionSettings> settings,
      Compute compute,
      InstantSource time,
      PollingIntervals pace,
      Consumer<CloudEvent> events,
      EventLoop.Faults faults) {
    return new RemoteCloud(
        Gcp.PROVIDER, new GcpCloud(settings, compute, pace), time, pace, events, faults);
  }

  @Override
  public Set<String> names() {
    return Set.of(PROJECT);
  }

  @Override
  public String infra(String part) {
    return Gcp.PROVIDER;
  }

  @Override
  public Optional<String> problem(LeaseRequest request) {
    return RequestValidator.problem(request, settings.keySet());
  }

  @Override
  public String partOf(LeaseRequest request) {
    return PROJECT;
  }

  @Override
  public InstanceApi open(String part) {
    return new ComputeInstanceApi(settings, compute);
  }

  /** Google counts all calls that change resources together. */
  @Override
  public CallLimits limits() {
    RateLimit changes = new RateLimit(pace.burst(), pace.callsPerSecond());
    return new CallLimits(changes, changes, new RateLimit(pace.burst(), pace.callsPerSecond()));
  }
}
