package io.elastune.cli.action;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CountdownTest {
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private Instant now = Instant.parse("2026-11-20T12:00:00Z");

  @Test
  void showsProgressAndRemainingTime() {
    try (Countdown countdown = countdown(true)) {
      now = now.plusMillis(900);
      countdown.accept(100);
      assertThat(shown.toString(StandardCharsets.UTF_8)).isEmpty();

      now = now.plusSeconds(29).plusMillis(100);
      countdown.accept(2_500);
      assertThat(shown.toString(StandardCharsets.UTF_8))
          .isEqualTo("2,500 of at most 10,000 samples, 1m30s left" + System.lineSeparator());

      // A late report of another thread must not reduce the progress.
      countdown.accept(2_400);
      assertThat(shown.toString(StandardCharsets.UTF_8)).hasLineCount(1);
    }
    assertThat(shown.toString(StandardCharsets.UTF_8)).endsWith("\033[1A\033[2K");
  }

  @Test
  void showsNothingWithoutTerminal() {
    try (Countdown countdown = countdown(false)) {
      now = now.plusSeconds(30);
      countdown.accept(2_500);
    }
    assertThat(shown.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  private Countdown countdown(boolean terminal) {
    PrintStream out = new PrintStream(shown, true, StandardCharsets.UTF_8);
    World world =
        new World(
            out,
            out,
            InputStream.nullInputStream(),
            Map.of(),
            Path.of("").toAbsolutePath(),
            () -> now,
            terminal);
    return new Countdown(world, new Output(world, false), "%,d of at most %,d samples", 10_000);
  }
}
