package io.elastune.cli.env;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class AtomicFileWriterTest {
  @Test
  @EnabledOnOs(OS.LINUX)
  void fullDiskNamesTheFile() {
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> AtomicFileWriter.write(Path.of("/dev/full"), "text"))
        .withCause(new FileSystemException("/dev/full", null, "No space left on device"));
  }
}
