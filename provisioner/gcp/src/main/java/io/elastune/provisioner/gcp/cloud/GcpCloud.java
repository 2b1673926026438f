package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.gcp.model.Compute;
import io.elastune.provisioner.gcp.model.RegionSettings;
import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.remote.AsyncCaller;
import io.elastune.provisioner.remote.RateLimit;
import io.elastune.provisioner.remote.UnavailableZones;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Implements {@link Cloud} for Google Cloud: all regions of the settings in one project. */
public final class GcpCloud implements Cloud {
  private static final Logger LOG = LoggerFactory.getLogger(GcpCloud.class);

  /**
   * The interval at which due work is checked. The intervals of {@link PollingIntervals} are
   * longer.
   */
  private static final Duration STEP_INTERVAL = Duration.ofMillis(200);

  private final EventLoop loop = new EventLoop("elastune-gcp-cloud");
  private final AsyncCaller asyncCaller = new AsyncCaller(loop);
  private final Map<String, RegionSettings> settings;
  private final Compute compute;
  private final InstantSource time;
  private final PollingIntervals pollingIntervals;
  private final Consumer<CloudEvent> events;
  private final ProjectCloud project;
  private boolean closed;

  /**
   * Starts the event loop.
   *
   * @param settings the settings by region
   * @param compute closed together with this cloud
   */
  public GcpCloud(
      Map<String, RegionSettings> settings,
      Compute compute,
      InstantSource time,
      PollingIntervals pollingIntervals,
      Consumer<CloudEvent> events) {
    this.settings = Map.copyOf(settings);
    this.compute = compute;
    this.time = time;
    this.pollingIntervals = pollingIntervals;
    this.events = events;
    project =
        new ProjectCloud(
            new ProjectContext(
                this.settings,
                compute,
                asyncCaller,
                time,
                pollingIntervals,
                new RateLimit(pollingIntervals.burst(), pollingIntervals.callsPerSecond()),
                new RateLimit(pollingIntervals.burst(), pollingIntervals.callsPerSecond()),
                new UnavailableZones(pollingIntervals.zoneCooldown()),
                this::emit));
    loop.execute(this::step);
  }

  @Override
  public void request(LeaseRequest request) {
    loop.execute(() -> begin(request, project::request));
  }

  @Override
  public void adopt(LeaseRequest request) {
    loop.execute(() -> begin(request, project::adopt));
  }

  private void begin(LeaseRequest request, Consumer<LeaseRequest> action) {
    Optional<String> problem = RequestValidator.problem(request, settings.keySet());
    if (problem.isPresent()) {
      emit(
          new CloudEvent.Refused(
              request.lease(), RefusalReason.INVALID, problem.get(), time.instant()));
      return;
    }
    action.accept(request);
  }

  @Override
  public void release(String lease) {
    loop.execute(() -> project.release(lease));
  }

  @Override
  public void list(String run) {
    loop.execute(
        () -> project.list(run, there -> emit(new CloudEvent.Listed(run, there, time.instant()))));
  }

  /** Nodes check their expiry every 30 seconds, so they may exceed the limit by that much. */
  @Override
  public void limitNodeExpiry(NodeExpiryLimit limit) {
    loop.execute(() -> project.limitNodeExpiry(limit));
  }

  @Override
  public void close() {
    loop.execute(
        () -> {
          closed = true;
          asyncCaller.close();
          compute.close();
          loop.close();
        });
  }

  private void step() {
    project.step();
    loop.schedule(
        pollingIntervals.pollInterval().compareTo(STEP_INTERVAL) < 0
            ? pollingIntervals.pollInterval()
            : STEP_INTERVAL,
        this::step);
  }

  private void emit(CloudEvent event) {
    if (closed) {
      return;
    }
    try {
      events.accept(event);
    } catch (RuntimeException e) {
      LOG.error("Delivering {} failed", event, e);
    }
  }
}
