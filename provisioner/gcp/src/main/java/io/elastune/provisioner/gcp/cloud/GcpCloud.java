package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LifeLimit;
import io.elastune.provisioner.Refusal;
import io.elastune.provisioner.gcp.account.Compute;
import io.elastune.provisioner.gcp.account.RegionSettings;
import io.elastune.provisioner.host.EventLoop;
import io.elastune.provisioner.remote.Asker;
import io.elastune.provisioner.remote.RateLimit;
import io.elastune.provisioner.remote.ZoneMemory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Google Cloud as a cloud: all regions of the settings, in one project. */
public final class GcpCloud implements Cloud {
  private static final Logger LOG = LoggerFactory.getLogger(GcpCloud.class);

  /** How often it is looked whether anything is due; what is due by {@link Pace} takes longer. */
  private static final Duration STEP = Duration.ofMillis(200);

  private final EventLoop loop = new EventLoop("elastune-gcp-cloud");
  private final Asker asker = new Asker(loop);
  private final Map<String, RegionSettings> settings;
  private final Compute compute;
  private final InstantSource time;
  private final Pace pace;
  private final Consumer<CloudEvent> events;
  private final ProjectCloud project;
  private boolean closed;

  /**
   * Opens the door.
   *
   * @param settings by region
   * @param compute is closed with the door
   */
  public GcpCloud(
      Map<String, RegionSettings> settings,
      Compute compute,
      InstantSource time,
      Pace pace,
      Consumer<CloudEvent> events) {
    this.settings = Map.copyOf(settings);
    this.compute = compute;
    this.time = time;
    this.pace = pace;
    this.events = events;
    project =
        new ProjectCloud(
            new ProjectContext(
                this.settings,
                compute,
                asker,
                time,
                pace,
                new RateLimit(pace.burst(), pace.callsPerSecond()),
                new RateLimit(pace.burst(), pace.callsPerSecond()),
                new ZoneMemory(pace.remember()),
                this::tell));
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

  private void begin(LeaseRequest request, Consumer<LeaseRequest> how) {
    Optional<String> problem = RequestRules.problem(request, settings.keySet());
    if (problem.isPresent()) {
      tell(new CloudEvent.Refused(request.lease(), Refusal.INVALID, problem.get(), time.instant()));
      return;
    }
    how.accept(request);
  }

  @Override
  public void release(String lease) {
    loop.execute(() -> project.release(lease));
  }

  @Override
  public void list(String run) {
    loop.execute(
        () -> project.list(run, there -> tell(new CloudEvent.Listed(run, there, time.instant()))));
  }

  /** Nodes look at their time every half minute: they may outlive that moment by as much. */
  @Override
  public void limitLives(LifeLimit limit) {
    loop.execute(() -> project.limitLives(limit));
  }

  @Override
  public void close() {
    loop.execute(
        () -> {
          closed = true;
          asker.close();
          compute.close();
          loop.close();
        });
  }

  private void step() {
    project.step();
    loop.after(pace.look().compareTo(STEP) < 0 ? pace.look() : STEP, this::step);
  }

  private void tell(CloudEvent event) {
    if (closed) {
      return;
    }
    try {
      events.accept(event);
    } catch (RuntimeException e) {
      LOG.error("nobody could be told of {}", event, e);
    }
  }
}
