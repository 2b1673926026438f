package io.elastune.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * Tests every rule of the job file: one replacement in the example, and the one problem that
 * results.
 */
class JobFileProblemsTest {
  @ParameterizedTest(name = "{1}")
  @CsvFileSource(
      resources = "job-problems.csv",
      delimiter = '|',
      quoteCharacter = '`',
      numLinesToSkip = 1)
  void reportsProblemOnItsLine(String part, String replacement, String problem) {
    String with = replacement == null ? "" : replacement.replace("\\n", "\n");
    assertThat(ExampleJobFile.problems(part.replace("\\n", "\n"), with))
        .containsExactly(
            "job.yaml:" + ExampleJobFile.line(part.replace("\\n", "")) + ": " + problem);
  }

  @Test
  void reportsAllProblemsAtOnce() {
    String text =
        """
        name: Digits
        deadlin: 3h
        budget:
          usd: 45
        search:
          algorithm: sha
          metric: {name: val_acc, goal: maximise}
          trials: 4.5
          eta: "4"
          resource: {unit: epoch, min: 1, max: 64}
          space:
            lr:
              type: loguniform
              low: 1e-1
              high: 1e-4
            batch: {type: chioce, values: [64]}
          eta: 3
        trial:
          run: python train.py
          gpus: 8..1
        resources:
          infra: [aws]
        """;
    assertThat(JobFile.parse("job.yaml", text, Overrides.NONE).problems())
        .extracting(FileProblem::toString)
        .containsExactly(
            "job.yaml:1: name: must be a name of 1 to 40 of a-z, 0-9 and '-', not \"Digits\"",
            "job.yaml:2: deadlin: unknown field (did you mean deadline?)",
            "job.yaml:7: search.metric.goal: must be one of maximize, minimize, not the string"
                + " \"maximise\" (did you mean maximize?)",
            "job.yaml:8: search.trials: must be a whole number from 1 to 100000, not 4.5",
            "job.yaml:9: search.eta: must be a whole number of at least 2, not the string \"4\""
                + " (did you mean 4 without quotes?)",
            "job.yaml:15: search.space.lr.high: must be above low: 0.0001 <= 0.1",
            "job.yaml:16: search.space.batch.type: must be one of uniform, loguniform, int, normal,"
                + " lognormal, choice, constant, not the string \"chioce\" (did you mean choice?)",
            "job.yaml:17: search.eta: is given twice, first on line 9",
            "job.yaml:20: trial.gpus: the range 8..1 is empty (did you mean 1..8?)",
            "job.yaml:22: resources.infra[0]: needs a region: aws/REGION or aws/REGION/ZONE");
  }

  @Test
  void reportsMissingFieldsAtTheirSection() {
    String text = "# a comment\nname: a\nsearch:\n  metric: {name: x}\ntrial:\n  setup: x\n";
    assertThat(JobFile.parse("j", text, Overrides.NONE).problems())
        .extracting(FileProblem::toString)
        .containsExactly(
            "j:2: deadline: at least one of deadline and budget is required",
            "j:3: search.algorithm: is missing (sha | hyperband | asha | pbt | random | grid)",
            "j:3: search.space: is missing (map, each value a hyperparameter)",
            "j:4: search.metric.goal: is missing (maximize | minimize)",
            "j:5: trial.run: is missing (string)");
  }

  @Test
  void rejectsFilesThatAreNotMaps() {
    assertThat(JobFile.parse("j", "- 1\n", Overrides.NONE).problems()).hasSize(1);
    assertThat(JobFile.parse("j", "hello\n", Overrides.NONE).problems()).hasSize(1);
    assertThat(JobFile.parse("j", "", Overrides.NONE).problems())
        .containsExactly(new FileProblem("j", 1, "", "the file is empty", ""));
  }

  @Test
  void formatsEachProblemOnOneLine() {
    FileProblem problem = new FileProblem("j", 3, "a\nb", "x\r\ny", "z\u2028");
    assertThat(problem).hasToString("j:3: a b: x y (z)");
    assertThat(new FileProblem("j", 3, "", "x", "")).hasToString("j:3: x");
    assertThat(new FileProblem("j", 0, "f", "x", "")).hasToString("j: f: x");
    assertThat(new FileProblem("--seed", 0, "", "x", "y")).hasToString("--seed: x (y)");
  }
}
