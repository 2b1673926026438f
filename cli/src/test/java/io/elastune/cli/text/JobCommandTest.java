package io.elastune.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the commands that messages suggest for a job. */
class JobCommandTest {
  private static final String OF_DICT = "/home/me/work/.elastune-my-search-4711-2.yaml";

  @Test
  void jobFileIsAnArgument() {
    assertThat(JobCommand.of("profile", "job.yaml")).isEqualTo("elastune profile job.yaml");
    assertThat(JobCommand.of("run", "my jobs/job.yaml"))
        .isEqualTo("elastune run 'my jobs/job.yaml'");
    assertThat(JobCommand.simulated("job.yaml"))
        .isEqualTo("elastune run job.yaml --infra simulated");
    assertThat(JobCommand.file(".elastune-2.yaml")).contains(".elastune-2.yaml");
  }

  /** Its file no longer exists when a user reads the message. */
  @Test
  void dictIsCalledJob() {
    assertThat(JobCommand.file(OF_DICT)).isEmpty();
    assertThat(JobCommand.of("profile", OF_DICT)).isEqualTo("elastune.profile(job)");
    assertThat(JobCommand.simulated(OF_DICT)).isEqualTo("elastune.run(job, infra=[\"simulated\"])");
  }
}
