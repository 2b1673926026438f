package io.elastune.cli.env;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class VersionTest {
  @Test
  void namesCommitAndBuild() {
    assertThat(Version.withBuild("0.1.0", Optional.of("1b821a57aa01"), Optional.of("release")))
        .isEqualTo("0.1.0 (commit 1b821a57aa01, release)");
    assertThat(Version.withBuild("0.1.0", Optional.of("1b821a57aa01-dirty"), Optional.of("")))
        .isEqualTo("0.1.0 (commit 1b821a57aa01, dirty, checkout)");
  }

  @Test
  void worksWithoutGitAndWithoutLauncher() {
    assertThat(Version.withBuild("0.1.0", Optional.of(""), Optional.of("release")))
        .isEqualTo("0.1.0 (commit unknown, release)");
    assertThat(Version.withBuild("development", Optional.empty(), Optional.empty()))
        .isEqualTo("development (commit unknown, checkout)");
  }
}
