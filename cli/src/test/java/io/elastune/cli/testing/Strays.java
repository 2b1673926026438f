package io.elastune.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.host.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a run must not leave behind: its processes and the folders of its instances. */
public final class Strays {
  private static final int LOOK_MS = 100;

  private Strays() {}

  /** The processes that carry the mark of {@code run}. */
  public static List<Long> of(String run) {
    return ProcessTable.read().stream()
        .map(ProcessTable.Entry::pid)
        .filter(pid -> ProcessTable.variable(pid, "ELASTUNE_RUN").equals(Optional.of(run)))
        .toList();
  }

  /** Requires that nothing is left of {@code run}. */
  public static void none(Path home, String run) throws IOException {
    assertThat(of(run)).as("processes of " + run).isEmpty();
    Path instances = home.resolve("local");
    if (Files.isDirectory(instances)) {
      try (Stream<Path> folders = Files.list(instances)) {
        assertThat(folders.map(folder -> String.valueOf(folder.getFileName())))
            .noneMatch(name -> name.startsWith(run));
      }
    }
  }

  /** Requires that no process is left of {@code run} once {@code most} has passed. */
  public static void goneWithin(String run, Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    while (!of(run).isEmpty() && System.nanoTime() < end) {
      Thread.sleep(LOOK_MS);
    }
    assertThat(of(run)).as("processes of " + run).isEmpty();
  }
}
