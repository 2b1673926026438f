package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests commands whose output cannot be written. */
class LostOutputIT {
  private static final Path FULL_DISK = Path.of("/dev/full");

  @TempDir Path folder;

  @Test
  void outputOnFullDiskIsAnError() throws Exception {
    assumeTrue(Files.exists(FULL_DISK), "skipped: needs " + FULL_DISK);

    CommandResult list = LauncherProcess.in(folder).runInto(FULL_DISK, "runs", "list");

    assertThat(list.exit()).isEqualTo(2);
    assertThat(list.err()).contains("the output cannot be written");
  }
}
