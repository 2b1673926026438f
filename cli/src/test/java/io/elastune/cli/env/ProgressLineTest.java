package io.elastune.cli.env;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private Instant now = Instant.parse("2026-11-20T12:00:00Z");

  @Test
  void showsProgressAndRemainingTime() {
    try (ProgressLine progressLine = countdown(true)) {
      now = now.plusMillis(900);
      progressLine.show(100, 10_000);
      assertThat(shown.toString(StandardCharsets.UTF_8)).isEmpty();

      now = now.plusSeconds(29).plusMillis(100);
      progressLine.show(2_500, 10_000);
      assertThat(shown.toString(StandardCharsets.UTF_8))
          .isEqualTo("2,500 of at most 10,000 samples, 1m30s left" + System.lineSeparator());

      // A late report of another thread must not reduce the progress.
      progressLine.show(2_400, 10_000);
      assertThat(shown.toString(StandardCharsets.UTF_8)).hasLineCount(1);
    }
    assertThat(shown.toString(StandardCharsets.UTF_8)).endsWith("\033[1A\033[2K");
  }

  @Test
  void showsElapsedTimeUntilFirstStep() {
    try (ProgressLine progressLine = countdown(true)) {
      now = now.plusMillis(12_900);
      progressLine.showElapsed("planning");
      assertThat(shown.toString(StandardCharsets.UTF_8))
          .isEqualTo("planning, 12s so far" + System.lineSeparator());

      progressLine.show(5_000, 10_000);
      progressLine.showElapsed("planning");
      assertThat(shown.toString(StandardCharsets.UTF_8))
          .endsWith("5,000 of at most 10,000 samples, 13s left" + System.lineSeparator());
    }
  }

  @Test
  void measuresEachTaskFromItsBeginning() {
    try (ProgressLine progressLine = countdown(true)) {
      now = now.plusSeconds(60); // a search without steps
      progressLine.show(0, 10_000);
      now = now.plusSeconds(10);
      progressLine.show(2_500, 10_000);
      assertThat(shown.toString(StandardCharsets.UTF_8))
          .isEqualTo("2,500 of at most 10,000 samples, 30s left" + System.lineSeparator());

      progressLine.show(10_000, 10_000);
      progressLine.show(0, 800);
      now = now.plusSeconds(2);
      progressLine.showElapsed("planning");
      assertThat(shown.toString(StandardCharsets.UTF_8))
          .endsWith("planning, 1m12s so far" + System.lineSeparator());
      progressLine.show(200, 800);
      assertThat(shown.toString(StandardCharsets.UTF_8))
          .endsWith("200 of at most 800 samples, 6s left" + System.lineSeparator());
    }
  }

  /** Phases of half a second each: the task has an estimated end all the same. */
  @Test
  void showsShortPhasesOfALongTask() {
    try (ProgressLine progressLine = countdown(false)) {
      for (int phase = 1; phase <= 5; phase++) {
        progressLine.show(0, 1_000);
        now = now.plusMillis(100);
        progressLine.show(100, 1_000);
        now = now.plusMillis(400);
        progressLine.show(phase * 100 + 100, 1_000);
      }
    }
    assertThat(shown.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("500 of at most 1,000 samples, 1s left");
  }

  /** Phases of 0.1 s, and the timer of the task at every second. */
  @Test
  void estimatesTheEndOfATaskWithManyShortPhases() {
    try (ProgressLine progressLine = countdown(false)) {
      for (int phase = 1; phase <= 25; phase++) {
        now = now.plusMillis(20);
        progressLine.show(0, 1_000);
        if (phase % 10 == 0) {
          progressLine.showElapsed("planning");
        }
        now = now.plusMillis(50);
        progressLine.show(500, 1_000);
        now = now.plusMillis(30);
        progressLine.show(1_000, 1_000);
      }
    }
    assertThat(shown.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("500 of at most 1,000 samples, 1s left");
  }

  /** Without a terminal, a line is printed after 2 s, and then whenever the time has doubled. */
  @Test
  void printsFewLinesWithoutTerminal() {
    try (ProgressLine progressLine = countdown(false)) {
      for (int second = 0; second < 30; second++) {
        now = now.plusSeconds(1);
        progressLine.show(100 * (second + 1), 10_000);
      }
    }
    assertThat(shown.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "200 of at most 10,000 samples, 1m38s left",
            "400 of at most 10,000 samples, 1m36s left",
            "800 of at most 10,000 samples, 1m32s left",
            "1,600 of at most 10,000 samples, 1m24s left");
  }

  @Test
  void printsNothingOfShortTasksWithoutTerminal() {
    try (ProgressLine progressLine = countdown(false)) {
      now = now.plusMillis(1_900);
      progressLine.show(2_500, 10_000);
      progressLine.showElapsed("planning");
    }
    assertThat(shown.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void printsTheTimeSoFarBeforeTheFirstStep() {
    try (ProgressLine progressLine = countdown(false)) {
      now = now.plusMillis(5_500);
      progressLine.showElapsed("planning");
    }
    assertThat(shown.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("planning, 5s so far");
  }

  /** What is counted identifies the phase, whose remaining time is estimated. */
  @Test
  void anotherUnitBeginsAPhase() {
    try (ProgressLine progressLine = line(true, "planning: %,d of at most %,d %s")) {
      now = now.plusSeconds(4);
      progressLine.show("clusters", 50, 100);
      now = now.plusSeconds(4);
      progressLine.show("clusters", 80, 100);
      progressLine.show("steps", 1, 60);
      now = now.plusSeconds(2);
      progressLine.show("steps", 20, 60);
    }
    assertThat(shown.toString(StandardCharsets.UTF_8))
        .contains("planning: 80 of at most 100 clusters, 1s left")
        .contains("planning: 20 of at most 60 steps, 4s left")
        .doesNotContain("50 of")
        .doesNotContain("1 of");
  }

  private ProgressLine countdown(boolean terminal) {
    return line(terminal, "%,d of at most %,d samples");
  }

  private ProgressLine line(boolean terminal, String text) {
    PrintStream out = new PrintStream(shown, true, StandardCharsets.UTF_8);
    CliEnvironment cliEnvironment =
        new CliEnvironment(
            out,
            out,
            InputStream.nullInputStream(),
            Map.of(),
            Path.of("").toAbsolutePath(),
            () -> now,
            terminal);
    return new ProgressLine(cliEnvironment, new Output(cliEnvironment, false), text);
  }
}
