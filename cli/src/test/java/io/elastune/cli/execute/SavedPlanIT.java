package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.TinyJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests saved plans that are run later, unless they are stale. */
@Execution(ExecutionMode.CONCURRENT)
class SavedPlanIT {
  @TempDir Path folder;
  private LauncherProcess elastune;
  private Path job;

  @BeforeEach
  void save() throws Exception {
    elastune = LauncherProcess.in(folder);
    job = new TinyJob("saved").write(folder.resolve("jobs"));
    elastune.inProcess("plan", job.toString(), "-o", "plan.json").assertExit(0);
  }

  @Test
  void runsSavedPlan() throws Exception {
    CommandResult run = elastune.inProcess("run", "plan.json", "-y", "--json").assertExit(0);

    assertThat(run.lastLine().path("instances_left").asInt(-1)).isZero();
    assertThat(run.lastLine().at("/trials/completed").asInt()).isEqualTo(2);
  }

  @Test
  void rejectsChangedJob() throws Exception {
    edit(job, "max_failures: 1", "max_failures: 3");
    stale("the job file", "has changed since the plan was made");
  }

  @Test
  void rejectsPlanOlderThanOneDay() throws Exception {
    Instant then = Instant.now().minus(25, ChronoUnit.HOURS).truncatedTo(ChronoUnit.SECONDS);
    Path plan = folder.resolve("plan.json");
    String text = Files.readString(plan);
    String old = text.replaceAll("(\"created\" *: *)\"[^\"]*\"", "$1\"" + then + "\"");
    assertThat(old).isNotEqualTo(text);
    Files.writeString(plan, old);
    stale("the plan is 25 h old");
  }

  @Test
  void rejectsPriceChangeOfTenPercent() throws Exception {
    edit(folder.resolve("jobs/offers.yaml"), "usd_per_hour: 0.36", "usd_per_hour: 0.396");
    stale("the price of local/solo/on-demand changed from 0.36 to 0.396 USD/h");
  }

  private static void edit(Path file, String was, String is) throws IOException {
    String text = Files.readString(file);
    assertThat(text).contains(was);
    Files.writeString(file, text.replace(was, is));
  }

  private void stale(String... reasons) throws IOException, InterruptedException {
    CommandResult run = elastune.inProcess("run", "plan.json", "-y").assertExit(12);
    assertThat(run.err()).contains(reasons).contains("plan again");
    assertThat(elastune.home().resolve("runs")).doesNotExist();
  }
}
