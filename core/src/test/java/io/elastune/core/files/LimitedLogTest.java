package io.elastune.core.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LimitedLogTest {
  private static final LimitedLog.Limits SMALL = new LimitedLog.Limits(100, 1000);

  @TempDir private Path folder;
  private Path path;

  @BeforeEach
  void name() {
    path = folder.resolve("logs/trial-1.log");
  }

  @Test
  void keepsAShortLog() throws IOException {
    write(0, 90);

    assertThat(Files.readString(path)).startsWith("line 0000\n").endsWith("line 0089\n");
    assertThat(cut().omittedBytes()).isZero();
    assertThat(cut().position(500)).isEqualTo(500);
  }

  @Test
  void keepsHeadAndTailOfALongLog() throws IOException {
    write(0, 5000);
    List<String> lines = Files.readAllLines(path);

    assertThat(Files.size(path)).isBetween(500L, 1000L);
    assertThat(lines).startsWith("line 0000", "line 0001").endsWith("line 4998", "line 4999");
    assertThat(lines.get(11)).matches("\\[elastune: \\d{16} bytes of this log are left out here]");
    assertThat(lines.get(12)).matches("line 4\\d{3}");
    long kept = Files.size(path) - lines.get(11).length() - 2;
    assertThat(cut().omittedBytes()).isEqualTo(50_000 - kept);
  }

  @Test
  void continuesAfterARestart() throws IOException {
    for (int i = 0; i < 5000; i += 100) {
      write(i, i + 100);
    }
    Path once = path;
    path = folder.resolve("other.log");
    write(0, 5000);

    assertThat(Files.readString(once)).isEqualTo(Files.readString(path));
  }

  /** A reader finds every position that is left at the same text. */
  @Test
  void keepsPositions() throws IOException {
    write(0, 3000);
    LogCut cut = cut();
    String text = Files.readString(path);
    int last = text.lastIndexOf("line 2990");

    assertThat(cut.position(last)).isEqualTo(29_900);
    assertThat(cut.offset(29_900)).isEqualTo(last);
    assertThat(cut.offset(50)).isEqualTo(50);
    assertThat(cut.offset(500)).as("left out").isEqualTo(SMALL.headBytes());
    assertThat(cut.offset(cut.position(text.length()))).isEqualTo(text.length());
  }

  /** A trial may print lines that are longer than the limit. */
  @Test
  void keepsALongLine() throws IOException {
    byte[] line = "x".repeat(5000).getBytes(StandardCharsets.UTF_8);
    try (LimitedLog log = new LimitedLog(path, SMALL)) {
      for (int i = 0; i < 10; i++) {
        log.line(line);
      }
    }

    assertThat(Files.size(path)).isLessThan(2 * 5001);
    assertThat(cut().omittedBytes()).isPositive();
  }

  private LogCut cut() throws IOException {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      return LogCut.read(file, SMALL.headBytes());
    }
  }

  private void write(int from, int to) throws IOException {
    try (LimitedLog log = new LimitedLog(path, SMALL)) {
      for (int i = from; i < to; i++) {
        log.line("line ".getBytes(StandardCharsets.UTF_8), number(i));
      }
    }
  }

  private static byte[] number(int i) {
    return String.format("%04d", i).getBytes(StandardCharsets.UTF_8);
  }
}
