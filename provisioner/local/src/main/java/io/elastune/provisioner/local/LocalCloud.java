package io.elastune.provisioner.local;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.process.InstanceFolder;
import io.elastune.provisioner.process.ProcessTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rents parts of this machine as instances. An instance is a folder with tags and a guard process.
 * The guard runs as long as this process holds a pipe to it. When this process ends for any reason,
 * the guards end all processes of their instances and themselves within about two seconds.
 *
 * <p>An instance gets its own GPUs and cores, and stays pending while other runs of the home hold
 * them. The instances of one run share cores if the machine has too few, with a warning. After
 * {@code Lost}, {@code Terminated} follows without a release, once all processes of the instance
 * have ended. A later release reports {@code Terminated} again.
 */
public final class LocalCloud implements Cloud {
  private static final Logger LOG = LoggerFactory.getLogger(LocalCloud.class);
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final Path home;
  private final InstantSource time;
  private final Consumer<CloudEvent> events;
  private final EventLoop loop;
  private final TerminatedInstanceStore terminatedInstanceStore;
  private final LocalCloudContext localCloudContext;
  private final Map<String, LocalInstance> instances = new HashMap<>();
  private final Map<String, Instant> terminatedAt = new HashMap<>();
  private boolean closed;

  /**
   * Opens the cloud.
   *
   * @param home Elastune's home folder; instances are stored in its folder {@code local}
   */
  public LocalCloud(Path home, InstantSource time, Consumer<CloudEvent> events) {
    this(home, time, events, MachineDevices.ofThisMachine(), EventLoop.Faults.NONE);
  }

  /** Opens the cloud on some of the machine's devices. */
  LocalCloud(Path home, InstantSource time, Consumer<CloudEvent> events, MachineDevices machine) {
    this(home, time, events, machine, EventLoop.Faults.NONE);
  }

  LocalCloud(
      Path home,
      InstantSource time,
      Consumer<CloudEvent> events,
      MachineDevices machine,
      EventLoop.Faults faults) {
    loop = new EventLoop("elastune-local-cloud", faults);
    this.home = home.toAbsolutePath();
    this.time = time;
    this.events = events;
    terminatedInstanceStore = new TerminatedInstanceStore(this.home);
    localCloudContext =
        new LocalCloudContext(
            this.home,
            time,
            this::emit,
            loop,
            new DeviceLedger(
                this.home, machine, new LeftGpuProcesses(this.home, terminatedInstanceStore, time)),
            new SetupRunner(loop),
            terminatedInstanceStore);
  }

  @Override
  public void request(LeaseRequest request) {
    loop.execute(() -> rent(request));
  }

  /**
   * An instance ends with its controller: its remains are terminated, not reused. The state of an
   * instance of this controller is reported again.
   */
  @Override
  public void adopt(LeaseRequest request) {
    loop.execute(
        () -> {
          String lease = request.lease();
          LocalInstance instance = instances.get(lease);
          if (instance != null) {
            instance.repeat();
            return;
          }
          pastStart(lease)
              .ifPresent(at -> emit(new CloudEvent.Running(lease, InstanceRecords.id(lease), at)));
          releaseLease(lease);
        });
  }

  @Override
  public void release(String lease) {
    loop.execute(() -> releaseLease(lease));
  }

  @Override
  public void list(String run) {
    loop.execute(() -> emit(new CloudEvent.Listed(run, find(run), time.instant())));
  }

  @Override
  public void close() {
    loop.execute(
        () -> {
          closed = true;
          instances.values().forEach(LocalInstance::stopGuard);
          loop.close();
        });
  }

  private void rent(LeaseRequest request) {
    String lease = request.lease();
    if (instances.containsKey(lease)) {
      return;
    }
    if (!InstanceFolder.isValidName(lease)) {
      String message = "lease " + lease + " is not a valid folder name";
      emit(new CloudEvent.Refused(lease, RefusalReason.INVALID, message, time.instant()));
      return;
    }
    if (terminatedAt.containsKey(lease) || Files.exists(InstanceFolder.of(home, lease).path())) {
      releaseLease(
          lease); // Rented before, perhaps by a controller that crashed: it has ended or is ending.
      return;
    }
    LocalInstance instance =
        new LocalInstance(
            request, localCloudContext, this::forget, () -> hasStarted(request.run()));
    instances.put(lease, instance);
    instance.request();
  }

  private boolean hasStarted(String run) {
    return instances.values().stream()
        .anyMatch(
            instance ->
                instance.run().equals(run) && instance.state() != LocalInstance.State.PENDING);
  }

  private Optional<Instant> pastStart(String lease) {
    if (!InstanceFolder.isValidName(lease)) {
      return Optional.empty();
    }
    return terminatedInstanceStore
        .find(lease)
        .map(TerminatedInstanceStore.TerminatedInstance::running)
        .orElseGet(() -> InstanceRecords.runningSince(InstanceFolder.of(home, lease)));
  }

  private void releaseLease(String lease) {
    LocalInstance instance = instances.get(lease);
    if (instance != null) {
      instance.release();
    } else if (terminatedAt.containsKey(lease) || !InstanceFolder.isValidName(lease)) {
      Instant at = terminatedAt.getOrDefault(lease, time.instant());
      emit(new CloudEvent.Terminated(lease, pastStart(lease), at));
    } else {
      InstanceFolder folder = InstanceFolder.of(home, lease);
      InstanceTermination.terminate(
          loop, () -> InstanceRecords.processesOf(folder), GRACE, () -> endForeignInstance(folder));
    }
  }

  /** Handles the end of an instance that this process did not rent. */
  private void endForeignInstance(InstanceFolder folder) {
    String lease = folder.path().getFileName().toString();
    TerminatedInstanceStore.TerminatedInstance terminatedInstance =
        terminatedInstanceStore.find(lease).orElseGet(() -> terminatedInstance(folder));
    terminatedInstanceStore.store(lease, terminatedInstance);
    InstanceRecords.remove(folder);
    terminatedAt.put(lease, terminatedInstance.ended());
    emit(
        new CloudEvent.Terminated(lease, terminatedInstance.running(), terminatedInstance.ended()));
  }

  private TerminatedInstanceStore.TerminatedInstance terminatedInstance(InstanceFolder folder) {
    return TerminatedInstanceStore.TerminatedInstance.of(
        InstanceRecords.runningSince(folder),
        InstanceRecords.endedAt(folder).orElse(time.instant()));
  }

  private void forget(LocalInstance instance, Optional<Instant> terminated) {
    instances.remove(instance.lease());
    terminated.ifPresent(at -> terminatedAt.put(instance.lease(), at));
  }

  private List<InstanceInfo> find(String run) {
    Map<String, String> states = new TreeMap<>();
    instances.values().stream()
        .filter(instance -> instance.run().equals(run))
        .forEach(
            instance ->
                states.put(instance.lease(), instance.state().name().toLowerCase(Locale.ROOT)));
    for (InstanceFolder folder : InstanceRecords.all(home)) {
      String lease = folder.path().getFileName().toString();
      if (InstanceRecords.run(folder).filter(run::equals).isPresent()
          && !states.containsKey(lease)
          && InstanceRecords.processesOf(folder).isAlive()) {
        states.put(lease, "another controller's");
      }
    }
    for (ProcessTable.Entry process : ProcessTable.read()) {
      if (ProcessTable.variable(process.pid(), "ELASTUNE_RUN").filter(run::equals).isPresent()) {
        ProcessTable.variable(process.pid(), "ELASTUNE_LEASE")
            .ifPresent(lease -> states.putIfAbsent(lease, "left over"));
      }
    }
    List<InstanceInfo> found = new ArrayList<>();
    states.forEach(
        (lease, state) -> found.add(new InstanceInfo(InstanceRecords.id(lease), lease, state)));
    return found;
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
