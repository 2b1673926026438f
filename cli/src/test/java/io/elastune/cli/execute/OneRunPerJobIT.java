package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.properties.Tier;
import io.elastune.executor.journal.RunFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that one run of a job is in progress at a time, with a process for each start. */
class OneRunPerJobIT {
  private static final int STARTS = Tier.runs(3, 10);

  @TempDir Path folder;

  @Test
  void oneOfManyStartsRuns() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder);
    String job = job("5");
    List<RunningCommand> started = new ArrayList<>();
    for (int i = 0; i < STARTS; i++) {
      started.add(elastune.start("run", job, "-y", "--json"));
    }
    List<Integer> exits = new ArrayList<>();
    for (RunningCommand command : started) {
      CommandResult end = command.awaitExit();
      exits.add(end.exit());
      if (end.exit() != 0) {
        assertThat(end.err()).contains("of job single", "to start anyway: --parallel");
      }
    }
    assertThat(exits).containsOnlyOnce(0).allMatch(exit -> exit == 0 || exit == 3);
    assertThat(RunFolder.all(elastune.home())).hasSize(1);
  }

  @Test
  void parallelRunStartsAndAnEndedRunBlocksNothing() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder);
    String job = job("0.5");
    RunningCommand first = elastune.start("run", job, "-y", "--json").awaitOutput("\"ready\"");
    elastune.inProcess("run", job, "-y", "--parallel").assertExit(0);
    first.awaitExit().assertExit(0);
    elastune.inProcess("run", job, "-y").assertExit(0);
  }

  private String job(String pause) throws Exception {
    return new TinyJob("single")
        .with("deadline", "30m")
        .search("{algorithm: random, trials: 1, ", "max: 1")
        .trial(pause, "gpus: 1")
        .write(folder.resolve("jobs"))
        .toString();
  }
}
