package io.elastune.executor.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.runtime.ControllerLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {
  @TempDir Path home;

  @Test
  void newRunIsPrivate() throws IOException, SQLException {
    RunFolder folder = RunFolder.of(home, "r");
    folder.create();
    try (ControllerLock lock = ControllerLock.tryAcquire(folder).orElseThrow();
        SqlConnection journal = Journal.open(folder.journal(), false)) {
      assertThat(lock).isNotNull();
      journal.run("CREATE TABLE t (x INTEGER)");
      journal.commit();
      for (String file : List.of("journal.db", "journal.db-wal", "journal.db-shm")) {
        assertThat(permissions(folder, file)).as(file).isEqualTo("rw-------");
      }
    }

    assertThat(permissions(folder, "controller.lock")).isEqualTo("rw-------");
    for (String path : List.of("", "logs", "checkpoints")) {
      assertThat(permissions(folder, path)).as(path).isEqualTo("rwx------");
    }
  }

  @Test
  void openedAgainBecomesPrivate() throws IOException {
    RunFolder folder = RunFolder.of(home, "r");
    folder.create();
    Files.createFile(folder.journal());
    Files.createFile(folder.trialLog(1));
    for (String path : List.of("", "logs", "checkpoints", "journal.db", "logs/trial-1.log")) {
      Files.setPosixFilePermissions(
          folder.path().resolve(path), PosixFilePermissions.fromString("rwxrwxr-x"));
    }
    folder.create();

    for (String path : List.of("", "logs", "checkpoints", "journal.db", "logs/trial-1.log")) {
      assertThat(permissions(folder, path)).as(path).isEqualTo("rwx------");
    }
  }

  private static String permissions(RunFolder folder, String path) throws IOException {
    return PosixFilePermissions.toString(
        Files.getPosixFilePermissions(folder.path().resolve(path)));
  }
}
