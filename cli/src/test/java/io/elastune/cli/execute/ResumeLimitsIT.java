package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.properties.Tier;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests runs that stopped at a limit and are resumed with a higher one. */
@Execution(ExecutionMode.CONCURRENT)
class ResumeLimitsIT {
  @TempDir Path folder;
  private LauncherProcess elastune;

  @BeforeEach
  void wire() {
    elastune = LauncherProcess.in(folder);
  }

  /** According to the profile it costs $0.18; the actual cost is more than twice that. */
  @Test
  void resumesWithHigherBudget() throws Exception {
    String run = stopped(slow().price(180).with("budget", "{usd: 0.5}"), 11);

    // Without an option, the remaining budget may or may not suffice to continue briefly.
    CommandResult refused = elastune.inProcess("resume", run, "--budget", "0.2").assertExit(11);
    assertThat(refused.err()).contains(run + " cannot be resumed", "$0.20", "--budget USD");

    CommandResult resumed =
        elastune.inProcess("resume", run, "--budget", "5", "--json").assertExit(0);
    assertThat(resumed.lastLine().at("/trials/completed").asInt()).isEqualTo(6);
    assertThat(resumed.lastLine().path("cost_usd").asDouble()).isBetween(0.3, 5.0);
    assertThat(elastune.inProcess("status", run).out()).contains("budget $5.00");
    Leftovers.assertNone(elastune.home(), run);
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void resumesWithLaterDeadline() throws Exception {
    String run = stopped(slow().with("deadline", "8s").with("deadline_miss", "stop"), 13);

    CommandResult refused = elastune.inProcess("resume", run).assertExit(13);
    assertThat(refused.err()).contains(run + " cannot be resumed", "--deadline WHEN");

    CommandResult resumed =
        elastune.inProcess("resume", run, "--deadline", "10h", "--json").assertExit(0);
    assertThat(resumed.lastLine().at("/trials/completed").asInt()).isEqualTo(6);
    assertThat(elastune.inProcess("status", run).out()).contains("deadline   10h00m");
    Leftovers.assertNone(elastune.home(), run);
  }

  private String stopped(TinyJob job, int exit) throws Exception {
    String file = job.write(folder.resolve("jobs")).toString();
    return elastune.inProcess("run", file, "-y", "--json").assertExit(exit).run();
  }

  /** Six trials of one unit each on one instance: 3.8 s according to the profile, 12 s actually. */
  private static TinyJob slow() {
    return new TinyJob("more")
        .search("{algorithm: random, trials: 6, ", "max: 1")
        .trial("1.9", "gpus: 1")
        .profile("[{gpus: 1, seconds: 0.5}]")
        .with(
            "resources",
            "{infra: [local], offers: offers.yaml, instance_types: [solo], max_instances: 1}");
  }
}
