package io.elastune.provisioner.local;

import io.elastune.core.files.PrivateFiles;
import io.elastune.provisioner.process.HostTools;
import io.elastune.provisioner.process.InstanceFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
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
  private static final int TIMEOUT_S = 20;
  private static final String SEPARATOR = " ";

  /** The start of a process is known that exactly. */
  private static final Duration PRECISION = Duration.ofMillis(500);

  private final Path home;
  private final TerminatedInstanceStore terminated;
  private final InstantSource time;
  private final Optional<String> nvidiaSmi;

  /** The last instance that had a GPU. */
  private record LastUse(String lease, String run, Instant since) {}

  private record Holder(String gpu, long pid, String name) {}

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
    List<DeviceHold> left = new ArrayList<>();
    if (uses.isEmpty() || nvidiaSmi.isEmpty()) {
      return left;
    }
    for (Holder holder : holders(nvidiaSmi.get())) {
      LastUse use = uses.get(holder.gpu());
      if (use != null && beganDuring(holder.pid(), use)) {
        String who =
            "%s, whose process %d (%s) still uses GPU %s"
                .formatted(use.run(), holder.pid(), holder.name(), holder.gpu());
        left.add(new DeviceHold(who, List.of(), List.of(holder.gpu())));
      }
    }
    return left;
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

  private List<Holder> holders(String tool) {
    List<String> command =
        List.of(
            tool,
            "--query-compute-apps=gpu_uuid,pid,process_name",
            "--format=csv,noheader,nounits");
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      process.getOutputStream().close();
      if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        LOG.warn("{} does not say which processes use the GPUs", tool);
        return List.of();
      }
      String lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return lines.lines().flatMap(line -> holder(line).stream()).toList();
    } catch (IOException e) {
      LOG.warn("{} cannot be run: {}", tool, e.getMessage());
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  private static Optional<Holder> holder(String line) {
    String[] fields = line.split(",", 3);
    if (fields.length < 3 || !fields[1].strip().matches("[0-9]{1,18}")) {
      return Optional.empty();
    }
    String name = fields[2].strip().replaceAll("\\p{Cntrl}", "?");
    return Optional.of(new Holder(fields[0].strip(), Long.parseLong(fields[1].strip()), name));
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
