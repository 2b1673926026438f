package io.elastune.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.Ended;
import io.elastune.cli.testing.Launcher;
import io.elastune.cli.testing.Strays;
import io.elastune.cli.testing.TinyJob;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests runs that stopped at a limit and are resumed with a higher one. */
@Execution(ExecutionMode.CONCURRENT)
class ResumeLimitsIT {
  @TempDir Path folder;
  private Launcher elastune;

  @BeforeEach
  void wire() {
    elastune = Launcher.in(folder);
  }

  /** According to the profile it costs $0.18; the actual cost is more than twice that. */
  @Test
  void resumesWithHigherBudget() throws Exception {
    String run = stopped(slow().price(180).with("budget", "{usd: 0.5}"), 11);

    // Without an option, the remaining budget may or may not suffice to continue briefly.
    Ended refused = elastune.run("resume", run, "--budget", "0.2").with(11);
    assertThat(refused.err()).contains(run + " cannot be resumed", "$0.20", "--budget USD");

    Ended resumed = elastune.run("resume", run, "--budget", "5", "--json").with(0);
    assertThat(resumed.last().at("/trials/completed").asInt()).isEqualTo(6);
    assertThat(resumed.last().path("cost_usd").asDouble()).isBetween(0.3, 5.0);
    assertThat(elastune.run("status", run).out()).contains("budget $5.00");
    Strays.none(elastune.home(), run);
  }

  @Test
  void resumesWithLaterDeadline() throws Exception {
    String run = stopped(slow().with("deadline", "8s").with("deadline_miss", "stop"), 13);

    Ended refused = elastune.run("resume", run).with(13);
    assertThat(refused.err()).contains(run + " cannot be resumed", "--deadline WHEN");

    Ended resumed = elastune.run("resume", run, "--deadline", "10h", "--json").with(0);
    assertThat(resumed.last().at("/trials/completed").asInt()).isEqualTo(6);
    assertThat(elastune.run("status", run).out()).contains("deadline   10h00m");
    Strays.none(elastune.home(), run);
  }

  private String stopped(TinyJob job, int exit) throws Exception {
    String file = job.write(folder.resolve("jobs")).toString();
    return elastune.run("run", file, "-y", "--json").with(exit).run();
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
