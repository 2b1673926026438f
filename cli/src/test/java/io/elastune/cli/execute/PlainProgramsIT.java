package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.cli.testing.LauncherProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Runs programs as people have them: with progress bars, logging, arguments and odd metrics. */
class PlainProgramsIT {
  @TempDir Path folder;

  @BeforeAll
  static void needsPython() {
    assumeTrue(ExternalPrograms.isInstalled("python3"), "python3 is not installed");
  }

  /** Every report counts, wherever it begins in a line. */
  @ParameterizedTest
  @CsvSource({
    "progress-bar, 2, 3",
    "progress-bar-stdout, 2, 3",
    "dots, 2, 3",
    "prefixed, 3, 2",
  })
  void readsReportsAmongOtherOutput(String program, int trials, double score) throws IOException {
    JsonNode report = run(program, List.of());

    assertThat(report.at("/trials/completed").asInt()).isEqualTo(trials);
    assertThat(report.at("/best/metric").asDouble()).isEqualTo(score);
    assertThat(report.path("faults")).isEmpty();
  }

  @Test
  void oddMetricsVoidNoReport() throws IOException {
    JsonNode report = run("nested-metrics", List.of());

    assertThat(report.at("/trials/completed").asInt()).isEqualTo(3);
    assertThat(report.at("/best/metric").asDouble()).isEqualTo(0.5);
    assertThat(report.path("faults").valueStream().map(it -> it.path("message").asString()))
        .containsExactlyInAnyOrder(
            "the metric best_model is text, not a number: left out",
            "the metric confusion is a list, not a number: left out");
    assertThat(report.toString()).contains("\"val/acc\":0.5");
  }

  /** The script knows nothing of Elastune. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "loss     | ~~                                              | 2.25",
        "loss     | ~, pattern: 'val loss = (.*)'~                  | 1.25",
        "loss     | ~, pattern: 'val loss = (.*)', scope: best~     | 0.25",
        "val/loss | ~, from: out/metrics.json~                      | 3.25",
      })
  void findsTheMetricOfPlainScript(String name, String where, double best) throws IOException {
    JsonNode report =
        run(
            "arguments",
            List.of(
                "{name: loss, goal: minimize}",
                "{name: " + name + ", goal: minimize" + where + "}"));

    assertThat(report.at("/trials/completed").asInt()).isEqualTo(2);
    assertThat(report.at("/best/metric").asDouble()).isEqualTo(best);
    assertThat(report.at("/best/config/note").asString()).isEqualTo("it's $HOME");
    assertThat(report.path("faults")).isEmpty();
  }

  @Test
  void missingMetricIsExplained() throws IOException {
    LauncherProcess elastune =
        copy("arguments", List.of("name: loss, goal", "name: accuracy, goal"));
    CommandResult run = elastune.inProcess("run", "one/two/program/job.yaml", "-y").assertExit(16);

    assertThat(run.out() + run.err())
        .contains("exited 0 without the report for unit 1; found no report on its standard output;")
        .contains("no JSON line with accuracy; the last JSON object has loss");
  }

  private JsonNode run(String program, List<String> change) throws IOException {
    LauncherProcess elastune = copy(program, change);
    CommandResult run =
        elastune.inProcess("run", "one/two/program/job.yaml", "-y", "--json").assertExit(0);
    return elastune.inProcess("report", run.run(), "--json").assertExit(0).json();
  }

  /** Copies the program, in whose job file the first text of {@code change} becomes the second. */
  private LauncherProcess copy(String program, List<String> change) throws IOException {
    Path target = ProgramFiles.copy(program, folder.resolve("one/two/program"));
    if (!change.isEmpty()) {
      ProgramFiles.change(target, change.get(0), change.get(1));
    }
    return LauncherProcess.in(folder);
  }
}
