package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How much of a deadline is left when a plan starts. */
class RemainingLimitsTest {
  private static final Instant START = Instant.parse("2026-11-25T06:00:00Z");

  private static Job job() throws IOException {
    String text =
        Files.readString(ExampleFiles.REPOSITORY.resolve("configs/rehearsal/storms.yaml"));
    return JobFile.parse("storms.yaml", text, Overrides.NONE).orThrow();
  }

  @Test
  void timeOfPlanningCountsInRealRunsOnly() throws IOException {
    RemainingLimits limits = new RemainingLimits(START);

    assertThat(limits.deadlineS(job(), START.plusSeconds(20))).hasValue(3580);
    assertThat(limits.virtualDeadlineS(job())).hasValue(3600);
  }

  @Test
  void timeAtPromptsNeverCounts() throws IOException {
    RemainingLimits limits = new RemainingLimits(START);
    limits.addPromptTime(Duration.ofSeconds(50));

    assertThat(limits.deadlineS(job(), START.plusSeconds(70))).hasValue(3580);
    assertThat(limits.virtualDeadlineS(job())).hasValue(3600);
  }
}
