package io.elastune.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Budget;
import io.elastune.core.job.Deadline;
import io.elastune.core.job.Job;
import io.elastune.core.job.MarketChoice;
import io.elastune.core.job.WarmStart;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OverridesTest {
  private static final Overrides ALL =
      Overrides.builder()
          .deadline(Optional.of("90m"))
          .budget(Optional.of("12.5"))
          .confidence(Optional.of("90%"))
          .infra(List.of("local", "simulated"))
          .profiles(List.of("/tmp/a.yaml", "/tmp/b.yaml"))
          .offers(Optional.of("/tmp/o.yaml"))
          .seed(Optional.of("99"))
          .trials(Optional.of("32"))
          .instanceTypes(List.of("g5.xlarge"))
          .gpus(List.of("a10g", "L4"))
          .market(Optional.of("spot"))
          .maxInstances(Optional.of("7"))
          .waitForCapacity(Optional.of("30m"))
          .build();

  @Test
  void overrideFields() {
    Job job = JobFile.parse("job.yaml", ExampleJobFile.JOB, ALL).orThrow();
    assertThat(job.deadline()).contains(new Deadline.Within(Duration.ofMinutes(90)));
    assertThat(job.budget()).contains(new Budget(12.5, 0.8, Budget.OnReach.STOP));
    assertThat(job.confidence()).isEqualTo(0.9);
    assertThat(job.resources().infra()).containsExactly("local", "simulated");
    assertThat(job.resources().maxInstances()).isEqualTo(7);
    assertThat(job.resources().instanceTypes()).containsExactly("g5.xlarge");
    assertThat(job.resources().gpus()).containsExactly("a10g", "L4");
    assertThat(job.resources().market()).isEqualTo(MarketChoice.SPOT);
    assertThat(job.resources().waitForCapacity()).contains(Duration.ofMinutes(30));
    assertThat(job.search().trials()).isEqualTo(32);
    assertThat(job.resources().offers()).contains("/tmp/o.yaml");
    assertThat(job.profile().file()).contains("/tmp/a.yaml");
    assertThat(job.search().seed()).isEqualTo(99);
  }

  @Test
  void addMissingFields() {
    Job job =
        JobFile.parse("job.yaml", ExampleJobFile.SMALLEST.replace("deadline: 90s\n", ""), ALL)
            .orThrow();
    assertThat(job.deadline()).contains(new Deadline.Within(Duration.ofMinutes(90)));
    assertThat(job.budget()).contains(new Budget(12.5, 0.8, Budget.OnReach.STOP));
    assertThat(job.resources().infra()).containsExactly("local", "simulated");
    assertThat(job.profile().file()).contains("/tmp/a.yaml");
  }

  @Test
  void replaceInvalidFields() {
    String text =
        ExampleJobFile.JOB.replace("deadline: 3h", "deadline: 3").replace("{usd: 45,", "{usd: x,");
    assertThat(JobFile.parse("job.yaml", text, ALL).problems()).isEmpty();
    assertThat(JobFile.parse("job.yaml", text, Overrides.NONE).problems()).hasSize(2);
  }

  @Test
  void problemsNameTheOption() {
    Overrides wrong =
        Overrides.builder()
            .deadline(Optional.of("3"))
            .budget(Optional.of("-1"))
            .confidence(Optional.of("95"))
            .infra(List.of("aws"))
            .profiles(List.of(""))
            .offers(Optional.of(" "))
            .seed(Optional.of("1.5"))
            .trials(Optional.of("0"))
            .instanceTypes(List.of("x", "x"))
            .gpus(List.of(""))
            .market(Optional.of("spott"))
            .maxInstances(Optional.of("many"))
            .waitForCapacity(Optional.of("0s"))
            .build();
    assertThat(
            JobFile.parse("job.yaml", ExampleJobFile.JOB.replace("eta: 4", "eta: 1"), wrong)
                .problems())
        .extracting(FileProblem::toString)
        .containsExactlyInAnyOrder(
            "--deadline: must be a duration such as 90s, 45m, 1h30m or 14d (at most 3650d), not 3"
                + " (did you mean 3s, 3m or 3h?)",
            "--budget: must be above 0, not -1",
            "--confidence: must be between 0 and 1, not 95 (did you mean 95%?)",
            "--infra: needs a region: aws/REGION or aws/REGION/ZONE",
            "--profile: must not be empty",
            "--offers: must not be empty",
            "--seed: must be a whole number, not 1.5",
            "--trials: must be a whole number from 1 to 100000, not 0",
            "--instance-types: is given twice",
            "--gpu: must not be empty",
            "--market: must be one of on-demand, spot, auto, not the string \"spott\" (did you mean"
                + " spot?)",
            "--max-instances: must be a whole number from 1 to 10000, not the string \"many\"",
            "--wait-for-capacity: must be at least 1s, not 0s",
            "job.yaml:9: search.eta: must be a whole number of at least 2, not 1");
  }

  @Test
  void keptByOtherSeedAndLocations() {
    Overrides changed = ALL.withoutSeed().withInfra(List.of("local"));
    assertThat(changed.withInfra(ALL.infra()))
        .isEqualTo(OverridesBuilder.builder(ALL).seed(Optional.empty()).build());
  }

  @Test
  void trialsAreRejectedWhereTheSearchHasNone() {
    String text = ExampleJobFile.JOB.replace("algorithm: sha", "algorithm: hyperband");
    Overrides trials = Overrides.builder().trials(Optional.of("9")).build();
    assertThat(JobFile.parse("j", text, trials).problems())
        .extracting(FileProblem::file)
        .contains("--trials");
  }

  @Test
  void problemsNameTheField() {
    Overrides wrong = Overrides.builder().budget(Optional.of("x")).build();
    FileProblem problem = JobFile.parse("j", ExampleJobFile.JOB, wrong).problems().get(0);
    assertThat(problem.file()).isEqualTo("--budget");
    assertThat(problem.line()).isZero();
    assertThat(problem.field()).isEqualTo("budget.usd");
  }

  @Test
  void seedDoesNotHideAMissingSearch() {
    assertThat(JobFile.parse("j", "name: a\n", ALL).problems())
        .extracting(FileProblem::field)
        .containsExactlyInAnyOrder("search", "trial");
  }

  @Test
  void warmStartOverridesTheRunOnly() {
    Overrides run = Overrides.builder().warmStart(Optional.of("other-20261120-x1y2")).build();
    String text = ExampleJobFile.JOB;
    assertThat(JobFile.parse("j", text, run).orThrow().search().warmStart())
        .hasValue(new WarmStart("other-20261120-x1y2", 3, Optional.empty()));
    String own = text.replace("search:\n", "search:\n  warm_start: {run: a, best: 7}\n");
    assertThat(JobFile.parse("j", own, run).orThrow().search().warmStart())
        .hasValue(new WarmStart("other-20261120-x1y2", 7, Optional.empty()));
  }
}
