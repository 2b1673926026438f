package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.journal.AttemptRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how {@code status} shows the GPUs of trials on a cluster that a policy divides. */
class PolicyStatusTest {
  private static final String RUN = "small-20261123-aaaa";

  @TempDir Path folder;

  @Test
  void showsTheGpusOfRunningTrials() {
    InProcessCli cli = new InProcessCli(folder);
    try (ScriptedRun run =
        new ScriptedRun(folder.resolve("home"), RUN, SmallTestJob.metaWithFluid())) {
      run.until(8);
      assertThat(cli.run("status", RUN).out()).contains("\n GPUs       1 for trials 1, 2, 3, 4\n");
      assertThat(cli.run("status", RUN, "--json").json().path("widths").get(0).toString())
          .isEqualTo("{\"trial\":1,\"gpus\":1,\"trials_per_gpu\":1}");

      run.toTheEnd();
      String page = folder.resolve("report.html").toString();
      cli.run("report", RUN, "--html", page);
      assertThat(read(page))
          .contains("trial 1, group 1, epoch 0 to 1, 1 GPU: ")
          .contains(">GPUs</th>");
      assertThat(cli.run("status", RUN).out()).doesNotContain("GPUs");
      assertThat(cli.run("status", RUN, "--json").json().has("widths")).isFalse();
    }
  }

  @Test
  void countsTrialsThatShareAGpu() {
    List<AttemptRow> running =
        List.of(attempt(3, 0, 1), attempt(1, 2), attempt(2, 2), attempt(4, 3));

    assertThat(TrialWidth.of(running))
        .extracting(TrialWidth::width)
        .containsExactly("1/2", "1/2", "2", "1");
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static AttemptRow attempt(int trial, int... gpus) {
    return new AttemptRow(
        trial + "-1-1",
        trial,
        "1",
        0,
        1,
        IntStream.of(gpus).mapToObj(gpu -> new GpuSlot("lease-1", gpu)).toList(),
        Instant.EPOCH,
        Optional.empty(),
        OptionalInt.empty());
  }
}
