package io.elastune.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Breaks one rule of {@code search.space} at a time: the message names its field and reason. */
class SpaceChecksTest {
  private static final String SPACE = "search.space.x";
  private static final String LONGEST = "abcdefgh".repeat(8);

  private static List<FileProblem> problems(String dimension) {
    return problemsOf("x: " + dimension);
  }

  private static List<FileProblem> problemsOf(String entry) {
    return JobFile.parse("j", job(entry), Overrides.NONE).problems();
  }

  private static String job(String entry) {
    return """
    name: small
    deadline: 90s
    search:
      algorithm: random
      trials: 4
      metric: {name: loss, goal: minimize}
      resource: {unit: step, max: 10}
      space:
        %s
    trial: {run: ./train}
    """
        .formatted(entry);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {type: int, low: 3, high: 2}                                | .high   | must not be below low: 2 < 3
          {type: int, low: 0, high: 9, log: true}                     | .low    | must be at least 1 on a logarithmic scale, not 0
          {type: int, low: 1, high: 4, step: 4}                       | .step   | must not exceed high - low
          {type: int, low: 1, high: 4, step: 0}                       | .step   | must be a whole number of at least 1, not 0
          {type: int, low: 1, high: 4, steps: 5}                      | .steps  | exceeds the number of whole numbers from low to high
          {type: int, low: 1, high: 4, steps: 2, step: 2}             | .step   | give either step
          {type: int, low: 1, high: 4, steps: 2}                      | ``      | steps is used by grid only
          {type: int, low: 1e1, high: 40}                             | .low    | must be a whole number, not 1e1
          {type: int, low: 1, high: 9223372036854775808}              | .high   | must be a 64-bit whole number
          {type: int, high: 4}                                        | .low    | is missing (whole number)
          {type: uniform, low: 2, high: 2}                            | .high   | must be above low: 2 <= 2
          {type: uniform, low: -1e308, high: 1e308}                   | .high   | high - low must be a finite number
          {type: uniform, low: 0, high: 1, step: 2}                   | .step   | must not exceed high - low
          {type: uniform, low: 0, high: 1, step: 0}                   | .step   | must be above 0, not 0
          {type: uniform, low: 0, high: 1, step: 1e-10}               | .step   | results in more than 1000000000 values
          {type: uniform, low: 1e17, high: 1.00000000000001e17, step: 1} | .step | is below the precision of numbers near 1
          {type: uniform, low: 0, high: 1, steps: 2, step: 0.5}       | .step   | give either step
          {type: uniform, low: .nan, high: 1}                         | .low    | must be a finite number, not .nan
          {type: uniform, low: 0, high: 1, log: true}                 | .log    | is not a field of uniform
          {type: loguniform, low: 0, high: 1}                         | .low    | must be above 0, not 0
          {type: loguniform, low: 2, high: 1}                         | .high   | must be above low: 1 <= 2
          {type: loguniform, low: 1e-4, high: 1e400}                  | .high   | must be a finite number, not 1e400
          {type: normal, mean: 0, sd: 0}                              | .sd     | must be above 0, not 0
          {type: normal, mean: 0, sd: 1e308}                          | .sd     | result in numbers that are not finite
          {type: normal, mean: 0, sd: 1, step: 1e-12}                 | .step   | results in more than 1000000000 values
          {type: lognormal, mean: 1000, sd: 1}                        | .mean   | results in numbers from exp(996) to exp(1004), which are not finite
          {type: lognormal, mean: -1000, sd: 1}                       | .mean   | results in numbers from exp(-1004) to exp(-996), which are not finite and above 0
          {type: lognormal, mean: 0, sd: 400}                         | .sd     | results in numbers from exp(-1600) to exp(1600)
          {type: lognormal, mean: 0, sd: 1, step: 1e-9}               | .step   | results in more than 1000000000 values
          {type: choice, values: []}                                  | .values | must not be empty
          {type: choice, values: [1, 1]}                              | .values[1] | is given twice
          {type: choice, values: 3}                                   | .values | must be a list
          {type: choice, values: [{a: 1}]}                            | .values[0] | must be a string, number, true, false, null or list
          {type: constant}                                            | .value  | is missing
          {type: constant, value: }                                   | .value  | must be a string, number, true, false, null or list
          {low: 0, high: 1}                                           | .type   | is missing: one of uniform
          {type: float, low: 0, high: 1}                              | .type   | must be one of uniform
          {type: float, low: 1, high: 2, log: true}                   | .type   | must be a type of Elastune
          []                                                          | ``      | must not be empty
          [1, 1]                                                      | [1]     | is given twice
          5                                                           | ``      | must be a hyperparameter with a type, not 5
          {type: int, low: 1, high: 4, when: {y: 1}}                  | ``      | when: y is not another hyperparameter
          {type: int, low: 1, high: 4, when: {x: 1}}                  | ``      | when: x is not another hyperparameter
          {type: int, low: 1, high: 4, when: {}}                      | .when   | must have at least one entry
          {type: int, low: 1, high: 4, when: {y: []}}                 | .when.y | must not be empty
          """)
  void namesTheFieldAndTheReason(String dimension, String field, String reason) {
    List<FileProblem> problems = problems(dimension);

    assertThat(problems).as("%s", problems).hasSize(1);
    assertThat(problems.get(0).field()).isEqualTo(SPACE + field);
    assertThat(problems.get(0).message()).contains(reason);
    assertThat(problems.get(0).line()).isEqualTo(9);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {type: float, low: 1, high: 2, log: true}    | did you mean loguniform?
          {type: float, low: 1, high: 2}               | did you mean uniform?
          {type: uniform, low: 1, high: 2, log: true}  | did you mean type: loguniform?
          {values: [1, 2]}                             | did you mean type: choice?
          {value: 0.1}                                 | did you mean type: constant?
          {type: int, low: 1e1, high: 40}              | did you mean 10?
          {type: int, low: 1_000, high: 4000}          | did you mean 1000?
          """)
  void hintsAtWhatWasMeant(String dimension, String hint) {
    assertThat(problems(dimension)).hasSize(1).first().asString().contains(hint);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{type: int, low: 0, high: 9223372036854775807}",
        "{type: int, low: 1, high: 9223372036854775807, log: true}",
        "{type: int, low: -9223372036854775808, high: 9223372036854775807}",
        "{type: int, low: 0, high: 9223372036854775807, step: 1000}",
        "{type: int, low: 5, high: 5}",
        "{type: uniform, low: -8e307, high: 8e307}",
        "{type: lognormal, mean: 700, sd: 2}",
        "[adam, sgd]",
        "[null, 3, [1, 2]]",
      })
  void acceptsTheRest(String dimension) {
    assertThat(problems(dimension)).isEmpty();
  }

  @Test
  void namesTheLongestName() {
    assertThat(problemsOf(LONGEST + ": [1, 2]")).isEmpty();
    assertThat(problemsOf(LONGEST + "xy: [1, 2]"))
        .hasSize(1)
        .first()
        .asString()
        .contains("the name has 66 characters, but at most 64 are allowed");
    assertThat(problemsOf(LONGEST + "x ü: [1, 2]"))
        .hasSize(1)
        .first()
        .asString()
        .contains("the name must be letters, digits");
    assertThat(problemsOf("9lives: [1, 2]"))
        .hasSize(1)
        .first()
        .asString()
        .contains("with a letter or '_' first, not \"9lives\"");
  }

  @Test
  void aListIsAChoice() {
    String list = job("x: [adam, 1, null]");
    String choice = job("x: {type: choice, values: [adam, 1, null]}");
    assertThat(JobFile.parse("j", list, Overrides.NONE).orThrow())
        .isEqualTo(JobFile.parse("j", choice, Overrides.NONE).orThrow());
  }

  @Test
  void remarksOnStringsThatLookLikeOtherValues() {
    assertThat(
            SpaceRemarks.of(
                "j", job("x: {type: choice, values: [None, \"None\", no, 1_000, relu, 007]}")))
        .containsExactly(
            "j:9: search.space.x.values[0]: None is a string; did you mean null? Quotes keep it a"
                + " string",
            "j:9: search.space.x.values[2]: no is a string; did you mean false? Quotes keep it a"
                + " string",
            "j:9: search.space.x.values[3]: 1_000 is a string; did you mean 1000? Quotes keep it a"
                + " string",
            "j:9: search.space.x.values[5]: 007 is a string; did you mean 7? Quotes keep it a"
                + " string");
    assertThat(SpaceRemarks.of("j", job("x: [null, relu, 1]"))).isEmpty();
  }
}
