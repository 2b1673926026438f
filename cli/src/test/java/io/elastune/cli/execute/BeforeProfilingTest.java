package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.cli.testing.TinyJob;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that a job without any possible plan is refused before its program is measured. */
class BeforeProfilingTest {
  private static final String NO_PLAN = "job.yaml:5: resources: no plan is possible: ";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"run", "profile"})
  void policyWithSeveralOffersIsRefused(String command) throws IOException {
    TinyJob job = unmeasured().instanceTypes("solo, duo");

    assertThat(refused(2, command, job, "--policy", "fluid"))
        .contains(
            "--policy: fluid needs a fixed cluster; set resources.instances and one"
                + " instance type (it allows 2 offers: local/solo/on-demand, local/duo/on-demand)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "profile"})
  void trialThatFitsOnNoInstancesIsRefused(String command) throws IOException {
    TinyJob job = unmeasured().trial("0.1", "gpus: 8");

    assertThat(refused(10, command, job))
        .contains(
            NO_PLAN
                + "local/solo/on-demand: no size of 8..8 GPUs per trial is legal on at most 4"
                + " instances of 1 GPUs");
  }

  @Test
  void instanceAboveTheHourlyLimitIsRefused() throws IOException {
    TinyJob job =
        unmeasured()
            .with(
                "resources",
                "{infra: [local], offers: offers.yaml, instance_types: [solo], max_hourly_usd:"
                    + " 0.2}");

    assertThat(refused(10, "run", job)).contains("one instance costs 0.36 USD/h");
  }

  @Test
  void widthsThatFluidMayNotChooseAreRefused() throws IOException {
    TinyJob job =
        unmeasured()
            .instanceTypes("duo")
            .trial("0.1", "gpus: 2")
            .with("policy", "{type: fluid, max_gpus: 1}");

    assertThat(refused(10, "run", job))
        .contains("fluid has no number of GPUs per trial to choose from on local/duo/on-demand");
  }

  @Test
  void bracketsWithoutAnInstanceEachAreRefused() throws IOException {
    TinyJob job =
        unmeasured()
            .search("{algorithm: hyperband, eta: 2, brackets: separate, ", "min: 1, max: 4")
            .with(
                "resources",
                "{infra: [local], offers: offers.yaml, instance_types: [solo], max_instances: 1}");

    assertThat(refused(10, "run", job)).contains("3 chains run concurrently");
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "profile"})
  void passedDeadlineIsRefused(String command) throws IOException {
    assertThat(refused(10, command, unmeasured(), "--deadline", "2020-01-01T00:00:00Z"))
        .contains("deadline: has already passed, so profiling was not started");
  }

  private static TinyJob unmeasured() {
    return new TinyJob("unmeasured").without("profile");
  }

  /** Returns the errors of a command that starts nothing. */
  private String refused(int exit, String command, TinyJob job, String... options)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of(command, job.write(folder).toString(), "-y"));
    arguments.addAll(List.of(options));
    InProcessCli.Result result = new InProcessCli(folder).run(arguments.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isEqualTo(exit);
    assertThat(result.out()).doesNotContain("Profiling");
    assertThat(folder.resolve("home").resolve("runs")).doesNotExist();
    return result.err();
  }
}
