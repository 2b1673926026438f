package io.elastune.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Job;
import org.junit.jupiter.api.Test;

class JobRoundTripTest {
  @Test
  void writtenJobsReadBackEqual() {
    for (int seed = 0; seed < 1000; seed++) {
      Job job = new RandomJobFiles(seed).next();
      String text = JobFile.write(job);
      ParseResult<Job> parseResult = JobFile.parse("job.yaml", text, Overrides.NONE);
      assertThat(parseResult.problems()).as("seed %s:%n%s", seed, text).isEmpty();
      assertThat(parseResult.orThrow()).as("seed %s:%n%s", seed, text).isEqualTo(job);
      assertThat(JobFile.write(parseResult.orThrow())).as("seed %s", seed).isEqualTo(text);
    }
  }
}
