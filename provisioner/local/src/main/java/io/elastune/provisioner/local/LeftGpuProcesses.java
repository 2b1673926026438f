package io.elastune.provisioner.local;

import io.elastune.core.files.PrivateFiles;
import io.elastune.provisioner.process.HostTools;
import io.elastune.provisioner.process.InstanceFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the driver for processes that earlier instances have left on GPUs. They are found whatever
 * they did to hide: a process is one of them if it uses a GPU and began while an instance had it.
 * Other programs of the machine are not.
 */
final class LeftGpuProcesses {
  private static final Logger LOG = LoggerFactory.getLogger(LeftGpuProcesses.class);
  private static final String FILE = "local-gpus.properties";

  /** The start of the UUIDs of MIG devices. */
  private static final String MIG = "MIG-";

  private static final String SEPARATOR = " ";

  /** The start of a process is known that exactly: the kernel counts from a whole second. */
  private static final Duration PRECISION = Duration.ofSeconds(2);

  private final Path home;
  private final TerminatedInstanceStore terminated;
  private final InstantSource time;
  private final Optional<String> nvidiaSmi;

  /** The last instance that had a GPU. */
  private record LastUse(String lease, String run, Instant since) {}

  LeftGpuProcesses(Path home, TerminatedInstanceStore terminated, InstantSource time) {
    this(home, terminated, time, HostTools.find("nvidia-smi"));
  }

  LeftGpuProcesses(
      Path home,
      TerminatedInstanceStore terminated,
      InstantSource time,
      Optional<String> nvidiaSmi) {
    this.home = home;
    this.terminated = terminated;
    this.time = time;
    this.nvidiaSmi = nvidiaSmi;
  }

  /** Records that an instance gets these GPUs. */
  void assigned(InstanceFolder folder, String run, List<String> gpus) throws IOException {
    if (gpus.isEmpty()) {
      return;
    }
    Map<String, String> all = new HashMap<>();
    load().forEach((gpu, use) -> all.put(gpu, text(use)));
    LastUse now = new LastUse(String.valueOf(folder.path().getFileName()), run, time.instant());
    gpus.forEach(gpu -> all.put(gpu, text(now)));
    InstanceRecords.store(PrivateFiles.createFile(home.resolve(FILE)), all);
  }

  /** Returns the GPUs that processes of ended instances still use, with these as their holders. */
  List<DeviceHold> find(List<DeviceHold> current) {
    Map<String, LastUse> uses = load();
    current.forEach(hold -> uses.keySet().removeAll(hold.gpus()));
    return left(uses).stream()
        .map(
            process ->
                new DeviceHold(
                    Objects.requireNonNull(uses.get(process.gpu())).run()
                        + ", whose "
                        + text(process),
                    List.of(),
                    List.of(process.gpu())))
        .toList();
  }

  /** Returns the processes that the instances of a run have left on GPUs, as text. */
  List<String> of(String run) {
    Map<String, LastUse> uses = load();
    uses.values().removeIf(use -> !use.run().equals(run));
    return left(uses).stream().map(LeftGpuProcesses::text).toList();
  }

  private static String text(GpuProcess process) {
    return "process %d (%s) still uses GPU %s"
        .formatted(process.pid(), process.name(), process.gpu());
  }

  private List<GpuProcess> left(Map<String, LastUse> uses) {
    if (uses.isEmpty() || nvidiaSmi.isEmpty()) {
      return List.of();
    }
    boolean divided = uses.keySet().stream().anyMatch(gpu -> gpu.startsWith(MIG));
    return GpuProcess.all(nvidiaSmi.get(), divided).stream()
        .filter(
            process ->
                Optional.ofNullable(uses.get(process.gpu()))
                    .filter(use -> beganDuring(process.pid(), use))
                    .isPresent())
        .toList();
  }

  private boolean beganDuring(long pid, LastUse use) {
    Optional<Instant> began =
        ProcessHandle.of(pid).flatMap(process -> process.info().startInstant());
    return began
        .filter(at -> !at.isBefore(use.since().minus(PRECISION)) && !at.isAfter(end(use)))
        .isPresent();
  }

  /** Returns when the instance ended; the distant past if its records were removed since. */
  private Instant end(LastUse use) {
    InstanceFolder folder = InstanceFolder.of(home, use.lease());
    return terminated
        .find(use.lease())
        .map(TerminatedInstanceStore.TerminatedInstance::ended)
        .or(() -> InstanceRecords.endedAt(folder))
        .orElse(Files.exists(folder.path()) ? Instant.MAX : Instant.MIN);
  }

  private static String text(LastUse use) {
    return String.join(SEPARATOR, use.lease(), use.since().toString(), use.run());
  }

  private Map<String, LastUse> load() {
    Properties values = InstanceRecords.load(home.resolve(FILE));
    Map<String, LastUse> uses = new HashMap<>();
    for (String gpu : values.stringPropertyNames()) {
      String[] parts = values.getProperty(gpu).split(SEPARATOR, 3);
      try {
        uses.put(gpu, new LastUse(parts[0], parts[2], Instant.parse(parts[1])));
      } catch (DateTimeException | ArrayIndexOutOfBoundsException e) {
        LOG.debug("{} has no valid entry for {}", FILE, gpu);
      }
    }
    return uses;
  }
}
