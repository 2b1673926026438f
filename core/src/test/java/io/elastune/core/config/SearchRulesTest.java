package io.elastune.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Job;
import io.elastune.core.search.TrialGroups;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the rules of each search algorithm for the other fields. */
class SearchRulesTest {
  private static final String GRID =
      """
      name: small
      deadline: 90s
      search:
        algorithm: grid
        metric: {name: loss, goal: minimize}
        resource: {unit: step, max: 10}
        space:
          x: {type: choice, values: [1, 2]}
          y: {type: int, low: 1, high: 3}
      trial: {run: ./train}
      """;

  private static List<String> problems(String text) {
    return JobFile.parse("j", text, Overrides.NONE).problems().stream()
        .map(FileProblem::toString)
        .toList();
  }

  private static String with(String algorithm, String line) {
    return GRID.replace("grid\n", algorithm + "\n" + line);
  }

  @Test
  void gridSizeFollowsFromSpace() {
    assertThat(problems(GRID)).isEmpty();
    assertThat(problems(with("grid", "  trials: 6\n"))).isEmpty();
    assertThat(problems(with("grid", "  trials: 7\n")))
        .containsExactly("j:5: search.trials: the grid has 6 points (leave trials out)");
    assertThat(problems(with("grid", "  eta: 3\n")))
        .containsExactly("j:5: search.eta: is not used by grid (leave it out)");
  }

  @Test
  void repeatCountsTrials() {
    assertThat(problems(with("grid", "  repeat: 2\n  trials: 12\n"))).isEmpty();
    assertThat(problems(with("grid", "  repeat: 2\n  trials: 6\n")))
        .containsExactly(
            "j:6: search.trials: the grid has 12 trials, 2 of each point (leave trials out)");
    assertThat(problems(with("random", "  trials: 30\n  repeat: 2\n"))).isEmpty();
    assertThat(problems(with("random", "  trials: 4\n  repeat: 2\n  configs: [{x: 1}, {x: 2}]\n")))
        .isEmpty();
    assertThat(problems(with("random", "  trials: 2\n  repeat: 2\n  configs: [{x: 1}, {x: 2}]\n")))
        .containsExactly(
            "j:7: search.configs: has 2 configurations, but the search starts with 2 trials, 2 of"
                + " each (set search.trials to at least 4, or remove 1)");
    assertThat(problems(with("pbt", "  trials: 4\n  repeat: 2\n")))
        .anyMatch(problem -> problem.startsWith("j:6: search.repeat: is not used by pbt"));
    assertThat(problems(with("random", "  trials: 4\n  repeat: 2\n  sampler: {type: optuna}\n")))
        .containsExactly(
            "j:6: search.repeat: is not used with a sampler, which proposes each configuration"
                + " (leave it out)");
    assertThat(problems(with("random", "  trials: 4\n  repeat: 0\n"))).hasSize(1);
  }

  /** Runs of earlier versions, whose jobs have no such field, drew with replacement. */
  @Test
  void storedJobsOfEarlierVersionsDrawWithReplacement() {
    String random = with("random", "  trials: 30\n");
    Job job = JobFile.parse("j", random, Overrides.NONE).orThrow();
    assertThat(JobFile.parseStored("j", JobFile.write(job), Overrides.NONE).orThrow())
        .isEqualTo(job);
    Job earlier = JobFile.parseStored("j", random, Overrides.NONE).orThrow();
    assertThat(earlier.search().drawsWithReplacement()).isTrue();
    assertThat(JobFile.parseStored("j", JobFile.write(earlier), Overrides.NONE).orThrow())
        .isEqualTo(earlier);
    assertThat(TrialGroups.of(earlier.search()).trials()).isEqualTo(30);
    assertThat(TrialGroups.of(job.search()).trials()).isEqualTo(6);
  }

  @Test
  void ashaNeedsTrialsAndAtLeastTwoRungs() {
    assertThat(problems(with("asha", "  trials: 6\n  stop: {trained: 2}\n"))).isEmpty();
    assertThat(problems(with("asha", "")))
        .hasSize(1)
        .first()
        .asString()
        .contains("asha needs trials, stop.trained or stop.time");
    assertThat(problems(with("asha", "  trials: 6\n  asha: {start_rung: 3}\n")))
        .hasSize(1)
        .first()
        .asString()
        .contains("search.asha: leaves asha a single rung");
    assertThat(problems(with("random", "  trials: 6\n  stop: {trained: 2}\n")))
        .containsExactly(
            "j:6: search.stop.trained: is used by asha only (use target, or leave it out)");
  }

  @Test
  void patienceNeedsTrialsOrTime() {
    String some = "  trials: 6\n  stop: {patience: {%s}}\n";
    assertThat(problems(with("random", some.formatted("trials: 3, min_gain: 0.1")))).isEmpty();
    assertThat(problems(with("random", some.formatted("time: 1h")))).isEmpty();
    assertThat(problems(with("random", some.formatted("min_gain: 0.1"))))
        .containsExactly(
            "j:6: search.stop.patience: needs trials or time ({trials: 20} or {time: 1h})");
    assertThat(problems(with("random", some.formatted("trials: 3, min_gain: -1")))).hasSize(1);
  }

  @Test
  void gridNeedsStepsForContinuousDimensions() {
    String text =
        GRID.replace("{type: int, low: 1, high: 3}", "{type: uniform, low: 1, high: 3}")
            .replace("{type: choice, values: [1, 2]}", "{type: loguniform, low: 1, high: 3}");
    assertThat(problems(text))
        .containsExactly(
            "j:8: search.space.x: needs steps for a grid search (e.g. steps: 5, or type: choice)",
            "j:9: search.space.y: needs steps for a grid search (e.g. steps: 5, or type: choice)");
    assertThat(problems(text.replace("high: 3}", "high: 3, steps: 4}"))).isEmpty();
  }

  @Test
  void reportsProblemsOfAllDimensions() {
    String text =
        GRID.replace("{type: int, low: 1, high: 3}", "{type: uniform, low: 1, high: 3}")
            .replace("values: [1, 2]", "values: [1, 1]");
    assertThat(problems(text))
        .containsExactly(
            "j:8: search.space.x.values[1]: is given twice",
            "j:9: search.space.y: needs steps for a grid search (e.g. steps: 5, or type: choice)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "low: 1, high: 50001",
        "low: -9223372036854775808, high: 9223372036854775807",
        "low: 1, high: 9223372036854775807",
        "low: -1, high: 9223372036854775807"
      })
  void limitsGridSize(String ends) {
    assertThat(problems(GRID.replace("low: 1, high: 3", ends)))
        .containsExactly(
            "j:7: search.space: results in more than 100000 trials with grid (use fewer values, or"
                + " random)");
  }

  @Test
  void limitsGridSizeOverManyDimensions() {
    StringBuilder space = new StringBuilder();
    for (int i = 0; i < 70; i++) {
      space.append("    z").append(i).append(": {type: choice, values: [1, 2]}\n");
    }
    assertThat(problems(GRID.replace("trial:", space + "trial:"))).hasSize(1);
  }

  @Test
  void limitsStepsOfWholeNumbers() {
    assertThat(problems(GRID.replace("high: 3}", "high: 3, steps: 4}")))
        .containsExactly(
            "j:9: search.space.y.steps: exceeds the number of whole numbers from low to high");
  }

  @Test
  void randomRequiresTrialsAndRejectsEta() {
    assertThat(problems(with("random", "")))
        .containsExactly("j:3: search.trials: is missing: random needs it");
    assertThat(problems(with("random", "  trials: 4\n  eta: 2\n")))
        .containsExactly("j:6: search.eta: is not used by random (leave it out)");
  }

  @Test
  void shaRequiresTrials() {
    assertThat(problems(with("sha", "")))
        .containsExactly("j:3: search.trials: is missing: sha needs it");
    assertThat(problems(with("sha", "  trials: 4\n"))).isEmpty();
  }

  @Test
  void hyperbandComputesItsTrials() {
    assertThat(problems(with("hyperband", "  eta: 3\n"))).isEmpty();
    assertThat(problems(with("hyperband", "  trials: 4\n")))
        .containsExactly(
            "j:5: search.trials: is not used by hyperband, which computes it from min, max and eta"
                + " (leave it out)");
    assertThat(problems(with("hyperband", "").replace("max: 10", "max: 2147483647")))
        .containsExactly(
            "j:6: search.resource: results in more than 100000 trials with hyperband (use fewer"
                + " values, or random)");
  }

  @Test
  void limitsTheComparisonsOfAPopulation() {
    String pbt = with("pbt", "  trials: 4\n");
    assertThat(problems(pbt.replace("max: 10", "max: 1000"))).isEmpty();
    assertThat(problems(pbt.replace("max: 10", "max: 2147483647")))
        .containsExactly(
            "j:7: search.resource: compares the trials of pbt after each 1 of 2,147,483,647 units:"
                + " more than 1,000 times (raise min to at least 2147484)");
  }

  @Test
  void gridUsesStepsOfEveryFamily() {
    String text =
        GRID.replace("{type: int, low: 1, high: 3}", "{type: uniform, low: 0, high: 1, step: 0.25}")
            .replace("{type: choice, values: [1, 2]}", "{type: int, low: 1, high: 9, step: 2}");
    assertThat(problems(text)).isEmpty();
    assertThat(problems(text.replace("grid\n", "grid\n  trials: 25\n"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"normal", "lognormal"})
  void gridRejectsNormalDistributions(String type) {
    String normal = "{type: " + type + ", mean: 0, sd: 1}";
    String text = GRID.replace("{type: int, low: 1, high: 3}", normal);
    assertThat(problems(text))
        .containsExactly(
            "j:9: search.space.y: a normal distribution cannot be used by grid, which needs a fixed"
                + " set of values (e.g. type: uniform with steps: 5, or type: choice)");
    assertThat(problems(text.replace("grid\n", "random\n  trials: 3\n"))).isEmpty();
  }

  @Test
  void gridCountsConditionalConfigurationsOnce() {
    String text = GRID.replace("high: 3}", "high: 3, when: {x: 2}}");
    assertThat(problems(text.replace("grid\n", "grid\n  trials: 4\n"))).isEmpty();
    assertThat(problems(text.replace("high: 3,", "high: 200000,")))
        .containsExactly(
            "j:7: search.space: results in more than 100000 trials with grid (use fewer values, or"
                + " random)");
  }

  /** A hint that is followed must not lead to a hint that takes it back. */
  @ParameterizedTest
  @ValueSource(strings = {"uniform, low: 1, high: 2", "loguniform, low: 1, high: 2"})
  void hintForStepsIsValid(String type) {
    String text =
        with("sha", "  trials: 4\n")
            .replace("{type: int, low: 1, high: 3}", "{type: " + type + ", stap: 0.1}");
    assertThat(problems(text)).singleElement().asString().contains("did you mean step?");
    assertThat(problems(text.replace("stap", "step"))).isEmpty();
    assertThat(problems(text.replace("stap: 0.1", "steps: 3")))
        .singleElement()
        .asString()
        .contains("use step, the distance between values");
  }
}
