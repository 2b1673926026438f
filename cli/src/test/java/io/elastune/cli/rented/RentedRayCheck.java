package io.elastune.cli.rented;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.executor.journal.RunFolder;
import io.elastune.provisioner.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Checks of runs whose instances are processes that form a real Ray cluster. */
public final class RentedRayCheck {
  private static final AtomicInteger HEADS = new AtomicInteger();

  private RentedRayCheck() {}

  /**
   * Returns the settings of instances that use a Python interpreter, with a new address of the
   * head.
   */
  public static String settings(String python, Path nodes) {
    return section("head_python: %1$s, python: %1$s, ".formatted(python), nodes);
  }

  /** Returns the settings of instances that use the node runtime, with a new head address. */
  public static String settings(Path nodes) {
    return section("", nodes);
  }

  /** The processes have no GPUs, which AcceptedNodesIT emulates. */
  private static String section(String python, Path nodes) {
    return "rented_nodes: {head_address: 127.1.%d.2, %sfolder: %s, acceptance: {skip: [gpus, model, cuda, speed, health]}}%n"
        .formatted(HEADS.incrementAndGet(), python, nodes);
  }

  /** Returns commands that start trials on Ray. */
  public static CloudCommand onRay(CloudCommand elastune) {
    return elastune.withUsersEngines();
  }

  /** Checks that no process, token or folder of a finished run is left. */
  public static void checkNothingIsLeft(
      CloudCommand elastune, CommandResult run, EmulatedNodes nodes) throws IOException {
    assertThat(nodes.processes()).as("processes of instances").isEmpty();
    Path ray = RunFolder.of(elastune.home(), run.run()).path().resolve("ray");
    assertThat(headProcesses(ray)).as("processes of the head").isEmpty();
    try (Stream<Path> files = Files.list(ray)) {
      assertThat(files.map(file -> file.getFileName().toString())).containsExactly("head.log");
    }
  }

  private static List<Long> headProcesses(Path ray) {
    return ProcessTable.read().stream()
        .map(ProcessTable.Entry::pid)
        .filter(
            pid ->
                ProcessTable.variable(pid, "ELASTUNE_RAY_HEAD")
                    .filter(ray.toString()::equals)
                    .isPresent())
        .toList();
  }
}
