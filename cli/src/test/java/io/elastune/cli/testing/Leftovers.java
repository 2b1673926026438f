package io.elastune.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds what a run must not leave behind: its processes and the folders of its instances. */
public final class Leftovers {
  private static final int POLL_MS = 100;

  private Leftovers() {}

  /** Returns the processes of {@code run}. */
  public static List<Long> processesOf(String run) {
    return ProcessTable.read().stream()
        .map(ProcessTable.Entry::pid)
        .filter(pid -> ProcessTable.variable(pid, "ELASTUNE_RUN").equals(Optional.of(run)))
        .toList();
  }

  /** Asserts that nothing is left of {@code run}. */
  public static void assertNone(Path home, String run) throws IOException {
    assertThat(processesOf(run)).as("processes of " + run).isEmpty();
    Path instances = home.resolve("local");
    if (Files.isDirectory(instances)) {
      try (Stream<Path> folders = Files.list(instances)) {
        assertThat(folders.map(folder -> String.valueOf(folder.getFileName())))
            .noneMatch(name -> name.startsWith(run));
      }
    }
  }

  /** Asserts that all processes of {@code run} end within {@code most}. */
  public static void assertGoneWithin(String run, Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    while (!processesOf(run).isEmpty() && System.nanoTime() < end) {
      Thread.sleep(POLL_MS);
    }
    assertThat(processesOf(run).stream().map(Leftovers::describe))
        .as("processes of " + run)
        .isEmpty();
  }

  /** Returns what a process is and does: the kind of process that is left explains why. */
  private static String describe(long pid) {
    String command =
        ProcessHandle.of(pid).flatMap(process -> process.info().commandLine()).orElse("ended");
    return pid + " in state " + state(pid) + ": " + command;
  }

  private static String state(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return stat.substring(stat.lastIndexOf(')') + 2).substring(0, 1);
    } catch (IOException e) {
      return "?";
    }
  }
}
