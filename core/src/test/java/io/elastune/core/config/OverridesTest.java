package io.elastune.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Budget;
import io.elastune.core.job.Deadline;
import io.elastune.core.job.Job;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OverridesTest {
  private static final Overrides ALL =
      new Overrides(
          Optional.of("90m"),
          Optional.of("12.5"),
          Optional.of("90%"),
          List.of("local", "simulated"),
          List.of("/tmp/a.yaml", "/tmp/b.yaml"),
          Optional.of("/tmp/o.yaml"),
          Optional.of("99"));

  @Test
  void overrideFields() {
    Job job = JobFile.parse("job.yaml", ExampleJobFile.JOB, ALL).orThrow();
    assertThat(job.deadline()).contains(new Deadline.Within(Duration.ofMinutes(90)));
    assertThat(job.budget()).contains(new Budget(12.5, 0.8, Budget.OnReach.STOP));
    assertThat(job.confidence()).isEqualTo(0.9);
    assertThat(job.resources().infra()).containsExactly("local", "simulated");
    assertThat(job.resources().maxInstances()).isEqualTo(12);
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
        new Overrides(
            Optional.of("3"),
            Optional.of("-1"),
            Optional.of("95"),
            List.of("aws"),
            List.of(""),
            Optional.of(" "),
            Optional.of("1.5"));
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
            "job.yaml:9: search.eta: must be a whole number of at least 2, not 1");
  }

  @Test
  void problemsNameTheField() {
    Overrides wrong =
        new Overrides(
            Optional.empty(),
            Optional.of("x"),
            Optional.empty(),
            List.of(),
            List.of(),
            Optional.empty(),
            Optional.empty());
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
}
