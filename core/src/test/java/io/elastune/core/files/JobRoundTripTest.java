package io.elastune.core.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Job;
import org.junit.jupiter.api.Test;

class JobRoundTripTest {
  @Test
  void writtenJobsReadBackEqual() {
    for (int seed = 0; seed < 1000; seed++) {
      Job job = new RandomJobs(seed).next();
      String text = JobFile.write(job);
      Parsed<Job> parsed = JobFile.parse("job.yaml", text, Overrides.NONE);
      assertThat(parsed.problems()).as("seed %s:%n%s", seed, text).isEmpty();
      assertThat(parsed.orThrow()).as("seed %s:%n%s", seed, text).isEqualTo(job);
      assertThat(JobFile.write(parsed.orThrow())).as("seed %s", seed).isEqualTo(text);
    }
  }
}
