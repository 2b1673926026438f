package io.elastune.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Job;
import io.elastune.core.job.Metric;
import io.elastune.core.job.TrainingResource;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the fields of programs that know nothing of Elastune. */
class ProgramFieldsTest {
  private static String job(String algorithm, String metric, String run) {
    return """
        name: mine
        deadline: 1h
        search:
          algorithm: %s
          metric: {name: loss, goal: minimize%s}
          trials: 4
          space: {lr: {type: uniform, low: 0, high: 1}, hidden: {type: int, low: 1, high: 9}}
        trial:
          run: %s
        """
        .formatted(algorithm, metric, run);
  }

  private static String problems(String text) {
    return JobFile.parse("job.yaml", text, Overrides.NONE).problems().toString();
  }

  @Test
  void trialWithoutResourceIsTrainedAtOnce() {
    Job job = JobFile.parse("job.yaml", job("random", "", "x"), Overrides.NONE).orThrow();

    assertThat(job.search().resource()).isEqualTo(TrainingResource.ONE_SHOT);
    assertThat(job.trial().resumable()).isFalse();
    assertThat(JobFile.parse("job.yaml", JobFile.write(job), Overrides.NONE).orThrow())
        .isEqualTo(job);
  }

  @Test
  void statedResumableIsKept() {
    String text = job("random", "", "x") + "  resumable: true\n";
    Job job = JobFile.parse("job.yaml", text, Overrides.NONE).orThrow();

    assertThat(job.trial().resumable()).isTrue();
    assertThat(JobFile.parse("job.yaml", JobFile.write(job), Overrides.NONE).orThrow())
        .isEqualTo(job);
  }

  @Test
  void searchThatComparesMidwayNeedsResource() {
    assertThat(problems(job("sha", "", "x"))).contains("search.resource", "is missing");
  }

  @Test
  void metricIsFoundInTheOutputOrFile() {
    Job job =
        JobFile.parse(
                "job.yaml",
                job("random", ", pattern: 'loss = (.*)', scope: best", "x"),
                Overrides.NONE)
            .orThrow();
    Metric metric = job.search().metric();

    assertThat(metric.pattern()).contains("loss = (.*)");
    assertThat(metric.takesBest()).isTrue();
    assertThat(problems(job("random", ", pattern: 'loss = .*'", "x")))
        .contains("search.metric.pattern", "must have a group for the value");
    assertThat(problems(job("random", ", pattern: 'loss = (.*'", "x")))
        .contains("must be a regular expression");
    for (String path : List.of("/tmp/m.json", "../m.json", "out/../../m.json")) {
      assertThat(problems(job("random", ", from: " + path, "x")))
          .as(path)
          .contains("search.metric.from", "must be a file in the working folder of the trial");
    }
    assertThat(problems(job("random", ", pattern: '(.*)', from: m.json", "x")))
        .contains("search.metric.from", "cannot be combined with pattern");
  }

  @Test
  void unknownNameInTheCommandIsProblem() {
    assertThat(problems(job("random", "", "train {lr} --hidden={hiden}")))
        .contains(
            "job.yaml:9: trial.run: {hiden} is not a hyperparameter", "did you mean {hidden}?");
    assertThat(problems(job("random", "", "train {args} {foo}"))).contains("write {{foo}}");
    assertThat(problems(job("random", "", "train {args} | awk '{print}'"))).isEqualTo("[]");
    assertThat(problems(job("random", "", "train ${lr} | awk {print}"))).isEqualTo("[]");
  }

  @Test
  void placeholdersOfAllHyperparametersAreReserved() {
    String reserved = job("random", "", "train {args_no_boolean_flags}");
    assertThat(problems(reserved)).isEqualTo("[]");
    for (String name : new String[] {"args", "args_no_boolean_flags"}) {
      String text = reserved.replace("args_no_boolean_flags", name).replace("lr:", name + ":");
      assertThat(problems(text))
          .contains("{%s} stands for all hyperparameters".formatted(name), "rename the");
    }
    assertThat(problems(job("random", "", "train {lr} {args_no_bolean_flags}")))
        .contains("did you mean {args_no_boolean_flags}?");
  }
}
