package io.elastune.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Brackets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BracketsFieldTest {
  private static final String SHORT =
      """
      name: small
      deadline: 1h
      search:
        algorithm: hyperband
        metric: {name: loss, goal: minimize}
        resource: {unit: step, max: 9}
        space: {x: {type: uniform, low: 0, high: 1}}
      %s
      trial: {run: ./train}
      """;

  @Test
  void acceptsEveryWord() {
    for (Brackets brackets : Brackets.values()) {
      assertThat(problems("  brackets: " + brackets.word())).isEmpty();
    }
  }

  @Test
  void refusesConcurrentBracketsWithASampler() {
    for (String concurrent : List.of("separate", "shared")) {
      assertThat(problems("  brackets: " + concurrent + "\n  sampler: {type: optuna}"))
          .containsExactly(
              "job.yaml:8: search.brackets: must be sequential with a sampler, so that later"
                  + " brackets use earlier results (leave it out)");
    }
    assertThat(problems("  brackets: separate\n  sampler: {type: random}")).isEmpty();
    assertThat(problems("  brackets: auto\n  sampler: {type: optuna}")).isEmpty();
  }

  @Test
  void anOptionOverridesTheField() {
    Overrides overrides = Overrides.builder().brackets(Optional.of("sequential")).build();

    assertThat(
            JobFile.parse("job.yaml", SHORT.formatted("  brackets: separate"), overrides)
                .orThrow()
                .search()
                .brackets())
        .contains(Brackets.SEQUENTIAL);
  }

  private static List<String> problems(String field) {
    return JobFile.parse("job.yaml", SHORT.formatted(field), Overrides.NONE).problems().stream()
        .map(FileProblem::toString)
        .toList();
  }
}
