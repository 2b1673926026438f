package io.elastune.provisioner.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstanceFolderTest {
  @TempDir private Path home;

  /**
   * The descendants of process 1, and the group of number 1 for {@code kill}, are all processes.
   */
  @Test
  void registeredAreProcessIdsOnly() throws IOException {
    InstanceFolder folder = InstanceFolder.of(home, "run-1");
    Files.createDirectories(folder.workersFolder());
    folder.register(4711);
    for (String name : new String[] {"0", "1", "00", "12x", "99999999999999999999", "4712"}) {
      Files.createFile(folder.workersFolder().resolve(name));
    }

    assertThat(folder.registered()).containsExactly(4711L, 4712L);
  }
}
