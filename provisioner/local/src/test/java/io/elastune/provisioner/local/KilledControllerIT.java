package io.elastune.provisioner.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.process.ProcessTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills a controller with {@code kill -9} at several points and checks that no process is left. */
@EnabledOnOs(OS.LINUX)
class KilledControllerIT {
  /** The dead-man time of local instances; guards take about two seconds. */
  private static final Duration DEAD_MAN = Duration.ofSeconds(20);

  private final String run = "killed-20261120-" + UUID.randomUUID().toString().substring(0, 4);
  @TempDir private Path home;

  @Test
  void killAfterReadyLeavesNoProcess() throws Exception {
    Process controller = start();
    try (BufferedReader output = controller.inputReader()) {
      assertThat(output.readLine()).isEqualTo("ready");
    }
    within(DEAD_MAN, () -> processesOfRun().size() >= 14);
    within(DEAD_MAN, () -> escaped().size() == 4);
    kill(controller);

    within(DEAD_MAN, () -> processesOfRun().isEmpty());
    Set<Long> escaped = Set.copyOf(escaped());
    assertThat(ProcessTable.read())
        .extracting(ProcessTable.Entry::pid)
        .doesNotContainAnyElementsOf(escaped);
    nextControllerFindsNothing();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 8})
  void killDuringStartLeavesNoProcess(int processes) throws Exception {
    Process controller = start();
    within(DEAD_MAN, () -> processesOfRun().size() >= processes);
    kill(controller);

    within(DEAD_MAN, () -> processesOfRun().isEmpty());
    Thread.sleep(300); // Processes that were just starting would show up now.
    assertThat(processesOfRun()).isEmpty();
  }

  private void nextControllerFindsNothing() throws InterruptedException {
    RecordedEvents events = new RecordedEvents();
    try (LocalCloud next = new LocalCloud(home, InstantSource.system(), events)) {
      next.list(run);
      within(DEAD_MAN, () -> events.lists().size() == 1);
      assertThat(events.lists().get(0).instances()).isEmpty();
      next.release(run + "-1");
      within(DEAD_MAN, () -> events.has(Terminated.class, run + "-1"));
    }
  }

  /** Returns the processes that are found by their ancestors only. */
  private List<Long> escaped() {
    try {
      return Files.readAllLines(home.resolve("escaped")).stream().map(Long::valueOf).toList();
    } catch (IOException e) {
      return List.of(); // not yet
    }
  }

  private Process start() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            java,
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            ControllerToKill.class.getName(),
            home.toString(),
            run)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static void kill(Process controller) throws InterruptedException {
    controller.destroyForcibly().waitFor();
  }

  private List<Long> processesOfRun() {
    return ProcessTable.read().stream()
        .map(ProcessTable.Entry::pid)
        .filter(pid -> ProcessTable.variable(pid, "ELASTUNE_RUN").filter(run::equals).isPresent())
        .toList();
  }

  private static void within(Duration time, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("still waiting after %s", time).isLessThan(end);
      Thread.sleep(20);
    }
  }
}
