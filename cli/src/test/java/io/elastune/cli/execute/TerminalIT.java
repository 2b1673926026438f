package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.properties.Tier;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests runs with a user at the terminal. */
@Execution(ExecutionMode.CONCURRENT)
class TerminalIT {
  private static final String CONTROL_C = "\003";
  private static final String START = "Type 'yes' to confirm: ";
  private static final String STOP = "Ctrl-C again stops immediately:";

  @TempDir Path folder;
  private LauncherProcess elastune;

  @BeforeEach
  void wire() {
    assumeTrue(ExternalPrograms.isInstalled("python3"), "python3 makes the terminal");
    elastune = LauncherProcess.in(folder);
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void startsOnlyOnYes() throws Exception {
    type(job(), START, "no\n").assertExit(3);
    assertThat(runs()).isEmpty();
  }

  /** The profiling run before the prompt has restored the handler of Ctrl-C. */
  @Test
  @Tag(Tier.NIGHTLY)
  void controlCAtThePromptAfterProfiling() throws Exception {
    type(job().without("profile"), START, CONTROL_C).assertExit(130);
    assertThat(runs()).hasSize(1);
  }

  @Test
  void controlCPromptsAndContinues() throws Exception {
    CommandResult run =
        type(
                job(), START, "yes\n", "ready", CONTROL_C, STOP, "no\n", "done in", CONTROL_C, STOP,
                "stop\n")
            .assertExit(130);

    assertThat(run.out()).contains("stopped, exit 130");
    String id = runs().get(0).run();
    Leftovers.assertNone(elastune.home(), id);
    try (RunReader journal = RunReader.open(RunFolder.of(elastune.home(), id))) {
      assertThat(journal.trials()).allMatch(trialRow -> trialRow.checkpoint() > 0);
    }
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void secondControlCStopsImmediately() throws Exception {
    type(job(), START, "yes\n", "ready", CONTROL_C, STOP, CONTROL_C).assertExit(130);
    Leftovers.assertNone(elastune.home(), runs().get(0).run());
  }

  /** Returns a job whose last trial trains practically forever, in its own group. */
  private static TinyJob job() {
    return new TinyJob("typed")
        .search("{algorithm: sha, trials: 2, eta: 2, ", "min: 1, max: 5000")
        .profile("[{gpus: 1, seconds: 0.5}]")
        .with("deadline", "10h");
  }

  private CommandResult type(TinyJob job, String... script) throws Exception {
    return elastune.runInTerminal(
        List.of(script), "run", job.write(folder.resolve("jobs")).toString());
  }

  private List<RunFolder> runs() {
    return RunFolder.all(elastune.home());
  }
}
