package io.elastune.executor.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalReserveTest {
  private final JournalException full = error("database or disk is full");

  @TempDir private Path home;
  private RunFolder folder;

  @BeforeEach
  void create() {
    folder = RunFolder.of(home, "r");
    folder.create();
  }

  @Test
  void freesItsSpaceOnceOnAFullDisk() throws IOException {
    JournalReserve reserve = new JournalReserve(folder);

    assertThat(Files.size(folder.reserve())).isEqualTo(4 << 20);
    assertThat(reserve.release(error("disk I/O error"))).isFalse();
    assertThat(reserve.isReleased()).isFalse();
    assertThat(reserve.release(full)).isTrue();
    assertThat(folder.reserve()).doesNotExist();
    assertThat(reserve.release(full)).as("nothing is left to free").isFalse();
    assertThat(reserve.isReleased()).isTrue();
  }

  @Test
  void endsWithTheRun() {
    JournalReserve reserve = new JournalReserve(folder);

    assertThat(reserve.remove()).isTrue();
    assertThat(reserve.isReleased()).isFalse();
    assertThat(folder.reserve()).doesNotExist();
  }

  private static JournalException error(String message) {
    return new JournalException("cannot write the journal: " + message, new SQLException(message));
  }
}
