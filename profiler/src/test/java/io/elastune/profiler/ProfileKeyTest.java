package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Tests which changes of a job need a new profile. */
class ProfileKeyTest {
  private static String key(String trial) {
    String job =
        """
        name: small
        deadline: 90s
        search:
          algorithm: random
          metric: {name: loss, goal: minimize}
          trials: 4
          resource: {unit: step, max: 10}
          space: {x: {type: uniform, low: 0, high: 1}}
        trial: {run: python train.py%s}
        """
            .formatted(trial);
    return ProfileKey.of(
        JobFile.parse("job.yaml", job, Overrides.NONE).orThrow(), Path.of("/code"), "A10G");
  }

  @Test
  void programHasItsOwnProfile() {
    assertThat(key("")).startsWith("small-A10G-").isEqualTo(key(", max_failures: 7"));
    assertThat(key(", python: a/bin/python"))
        .isNotEqualTo(key(""))
        .isNotEqualTo(key(", python: b/bin/python"));
    assertThat(key(", image: 'torch:1'"))
        .isNotEqualTo(key(""))
        .isNotEqualTo(key(", image: 'torch:2'"));
  }
}
