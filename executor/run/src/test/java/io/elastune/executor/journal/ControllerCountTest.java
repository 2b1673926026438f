package io.elastune.executor.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControllerCountTest {
  @TempDir Path home;

  @Test
  void eachControllerHasTheNextNumber() {
    RunFolder folder = RunFolder.of(home, "tune-20261120-ab12");
    folder.create();

    assertThat(ControllerCount.next(folder)).isEqualTo(1);
    assertThat(ControllerCount.next(folder)).isEqualTo(2);
    assertThat(ControllerCount.next(new RunFolder(folder.path()))).isEqualTo(3);
  }

  @Test
  void corruptNumberIsNotTakenForAFirstController() throws IOException {
    RunFolder folder = RunFolder.of(home, "tune-20261120-ab12");
    folder.create();
    Files.writeString(folder.controllers(), "");

    assertThatThrownBy(() -> ControllerCount.next(folder))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("controllers");
  }
}
