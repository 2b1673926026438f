package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunProvidersTest {
  @ParameterizedTest
  @ValueSource(strings = {"local", "ray", "aws", "gcp"})
  void runsUseEachProvider(String provider) {
    assertThat(RunProviders.problem(Set.of(provider))).isEmpty();
  }

  @Test
  void oneRunUsesOneProvider() {
    assertThat(RunProviders.problem(Set.of("gcp", "aws")).map(RunProviders.Problem::reason))
        .isEqualTo(
            Optional.of(
                "a run uses instances of one provider, and these offers are of aws and gcp"));
  }

  @Test
  void unknownProviderHasNoRuns() {
    assertThat(RunProviders.problem(Set.of("lambda")).map(RunProviders.Problem::reason))
        .isEqualTo(Optional.of("no run can use instances of lambda"));
  }
}
