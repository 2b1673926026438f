package io.elastune.executor.ray.head;

import io.elastune.core.files.PrivateFiles;
import io.elastune.provisioner.process.HostTools;
import io.elastune.provisioner.process.OwnedProcesses;
import io.elastune.provisioner.process.ProcessTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Starts, finds and kills the processes of a head. They are in a process group of their own, below
 * a guard: a shell that ends them once their controller has stopped, or once Ray has ended.
 */
final class HeadProcess {
  /** The variable that marks all processes of a head; its value is the head's folder. */
  static final String MARK = "ELASTUNE_RAY_HEAD";

  private static final String GUARD =
      """
      alive=$1 minutes=$2
      shift 2
      "$@" </dev/null &
      head=$!
      trap 'kill -TERM $head 2>/dev/null' TERM
      trap '' INT HUP
      (
        trap - TERM
        while [ "$(find "$alive" -mmin "-$minutes" 2>/dev/null)" ]; do sleep 5; done
        kill -TERM $head 2>/dev/null
        sleep 3
        kill -KILL 0
      ) &
      while kill -0 $head 2>/dev/null; do wait $head; done
      kill -KILL 0
      """;

  private static final Duration START_TOLERANCE = Duration.ofSeconds(2);

  private final HeadSettings settings;
  private final String mark;

  HeadProcess(HeadSettings settings) {
    this.settings = settings;
    mark = settings.folder().toAbsolutePath().toString();
  }

  /** Returns the guard that an earlier controller has started, if it still runs. */
  Optional<ProcessHandle> find(HeadState state) {
    return ProcessHandle.of(state.pid())
        .filter(ProcessHandle::isAlive)
        .filter(
            process ->
                process
                    .info()
                    .startInstant()
                    .map(start -> Duration.between(start, state.started()).abs())
                    .filter(difference -> difference.compareTo(START_TOLERANCE) <= 0)
                    .isPresent())
        .filter(
            process ->
                !ProcessTable.canReadEnvironments()
                    || ProcessTable.variable(process.pid(), MARK).filter(mark::equals).isPresent());
  }

  /** Starts the guard. */
  ProcessHandle start(HeadState state) throws IOException {
    long minutes = Math.max(2, settings.timeToLive().toMinutes() + 1);
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", GUARD, "sh", settings.alive().toString()));
    command.add(Long.toString(minutes));
    command.addAll(List.of(settings.python().command(), "-m", "ray.scripts.scripts", "start"));
    command.addAll(List.of("--head", "--block", "--node-ip-address=" + state.host()));
    command.addAll(List.of("--port=" + state.port(), "--temp-dir=" + state.temporary()));
    // The head runs no trials.
    command.addAll(List.of("--num-cpus=0", "--num-gpus=0", "--object-store-memory=80000000"));
    command.addAll(List.of("--no-monitor", "--include-dashboard=false"));
    command.addAll(List.of("--include-log-monitor=false", "--disable-usage-stats"));
    ProcessBuilder builder = new ProcessBuilder(HostTools.detached(command));
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.putAll(HostTools.inheritedEnvironment());
    environment.remove("RAY_ADDRESS");
    environment.putAll(RayEnvironment.head(settings.token()));
    environment.put(MARK, mark);
    Path log = PrivateFiles.createFile(settings.log());
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    return builder.start().toHandle();
  }

  /**
   * Kills all processes of the head.
   *
   * @param guard the guard, if it is known
   */
  void kill(Optional<ProcessHandle> guard) {
    Set<Long> leaders = guard.map(ProcessHandle::pid).map(Set::of).orElse(Set.of());
    OwnedProcesses all = new OwnedProcesses(MARK, mark, leaders);
    for (int round = 0; round < 10 && all.isAlive(); round++) {
      all.signal(OwnedProcesses.Signal.KILL);
    }
  }

  /** Returns the end of the log, for messages. */
  String endOfLog() {
    try {
      List<String> lines =
          Files.readString(settings.log(), StandardCharsets.ISO_8859_1)
              .lines()
              .filter(line -> !line.isBlank())
              .toList();
      return String.join(" | ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
    } catch (IOException e) {
      return "no output";
    }
  }
}
