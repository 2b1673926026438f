package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.TinyJob;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs trials that save no checkpoints. */
@Execution(ExecutionMode.CONCURRENT)
class NotResumableIT {
  /** Fails unless the trial starts at unit 0 and its file says that it cannot resume. */
  private static final String SCRIPT =
      """
      . ./lib.sh
      [ "$from" -eq 0 ] || exit 1
      grep -q '"resumable":false' "$ELASTUNE_TRIAL_JSON" || exit 1
      report "$to" "0.$(field trial)"
      """;

  @TempDir Path folder;

  @Test
  void trainsEveryGroupFromTheStartWithoutFaults() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder);
    Path job =
        new TinyJob("fit")
            .fourTrials()
            .script("fit.sh", SCRIPT, ", resumable: false")
            .write(folder.resolve("jobs"));

    CommandResult run = elastune.inProcess("run", job.toString(), "-y", "--json").assertExit(0);

    assertThat(run.err()).contains("not resumable: every group trains its trials from epoch 0");
    assertThat(run.lastLine().at("/best/trial").asInt()).isEqualTo(4);
    try (RunReader journal = RunReader.open(RunFolder.of(elastune.home(), run.run()))) {
      assertThat(journal.faults()).isEmpty();
      assertThat(journal.attempts()).hasSize(6).allMatch(attempt -> attempt.from() == 0);
      assertThat(journal.groups().get(1).predictedS().orElseThrow()).isGreaterThan(2 * 4 * 7.5 / 4);
    }
    Leftovers.assertNone(elastune.home(), run.run());
  }
}
