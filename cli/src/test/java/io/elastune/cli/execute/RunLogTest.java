package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.files.PrivateFiles;
import io.elastune.provisioner.SecretMask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLogTest {
  private static final SecretMask SECRETS = SecretMask.of(List.of("hunter2-and-more"));

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = folder.resolve("warnings.log");
  }

  @Test
  void hasWarningsAndErrorsOfEveryComponentUntilItIsClosed() throws IOException {
    Logger logger = Logger.getLogger("io.elastune.some.RunLogTestComponent");
    try (RunLog log = new RunLog(file, SECRETS)) {
      assertThat(log.isLoggable(new LogRecord(Level.INFO, "tick"))).isFalse();
      assertThat(file).doesNotExist();
      logger.warning("Listing failed: ExpiredToken");
    }
    logger.warning("after its end");

    assertThat(Files.readString(file))
        .containsPattern("20\\d\\d-.*Z WARN RunLogTestComponent: Listing failed: ExpiredToken\n")
        .doesNotContain("after its end");
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  /** A logger may still publish to a handler that has just been removed. */
  @Test
  void writesNothingOnceItIsClosed() {
    RunLog log = new RunLog(file, SECRETS);
    log.close();
    log.publish(new LogRecord(Level.WARNING, "too late"));

    assertThat(file).doesNotExist();
  }

  @Test
  void hasStackTracesOfExceptions() throws IOException {
    try (RunLog log = new RunLog(file, SECRETS)) {
      LogRecord entry = new LogRecord(Level.SEVERE, "a call failed");
      entry.setLoggerName("Caller");
      entry.setThrown(new IllegalStateException("no answer"));
      log.publish(entry);
    }
    assertThat(Files.readString(file))
        .contains(" ERROR Caller: a call failed\n")
        .contains("IllegalStateException: no answer\n\tat ");
  }

  @Test
  void hasNoSecrets() throws IOException {
    try (RunLog log = new RunLog(file, SECRETS)) {
      log.publish(new LogRecord(Level.WARNING, "the value hunter2-and-more is wrong"));
      log.publish(
          new LogRecord(
              Level.WARNING, "GET https://b/key?X-Amz-Signature=0a1b2c&X-Amz-Expires=60 failed"));
      log.publish(new LogRecord(Level.WARNING, "sent Authorization: Bearer ya29.abc-def"));
    }
    assertThat(Files.readString(file))
        .contains("the value *** is wrong", "X-Amz-Signature=***&X-Amz-Expires=60", "Bearer ***")
        .doesNotContain("hunter2", "0a1b2c", "ya29");
  }

  @Test
  void staysWithinItsLimit() throws IOException {
    PrivateFiles.createFile(file);
    Files.writeString(file, "x".repeat(RunLog.MAX_BYTES - 5));
    try (RunLog log = new RunLog(file, SECRETS)) {
      log.publish(new LogRecord(Level.WARNING, "newest"));
    }
    assertThat(Files.readString(file)).endsWith("newest\n").hasSizeLessThan(100);
    assertThat(folder.resolve("warnings.log.1")).hasSize(RunLog.MAX_BYTES - 5);
  }

  @Test
  void doesNotDisturbARunWhoseFolderWasRemoved() {
    try (RunLog log = new RunLog(folder.resolve("gone").resolve("warnings.log"), SECRETS)) {
      log.publish(new LogRecord(Level.WARNING, "without a folder"));
    }
    assertThat(folder).isEmptyDirectory();
  }
}
