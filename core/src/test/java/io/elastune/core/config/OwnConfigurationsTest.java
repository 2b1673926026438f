package io.elastune.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.NullValue;
import io.elastune.core.job.Job;
import io.elastune.core.job.Search;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests own configurations in {@code search.configs}. */
class OwnConfigurationsTest {
  private static final String JOB =
      """
      name: small
      deadline: 90s
      search:
        algorithm: random
        trials: 4
        metric: {name: loss, goal: minimize}
        resource: {unit: step, max: 10}
        configs: CONFIGS
        space:
          optimizer: {type: choice, values: [sgd, adam]}
          lr: {type: loguniform, low: 1e-4, high: 1}
          drop: {type: uniform, low: 0, high: 0.5, step: 0.1}
          layers: {type: int, low: 2, high: 16, step: 2}
          momentum: {type: uniform, low: 0, high: 1, when: {optimizer: sgd}}
          clip: {type: choice, values: [null, 1, "1", true, [64, null]]}
          beta: {type: lognormal, mean: 0, sd: 1}
          seed: {type: constant, value: 3}
      trial: {run: ./train}
      """;

  private static ParseResult<Job> inline(String configs) {
    return JobFile.parse("j", JOB.replace("CONFIGS", configs), Overrides.NONE);
  }

  private static ParseResult<Job> file(String name, String text) {
    return JobFile.parse(
        "j",
        JOB.replace("CONFIGS", name),
        Overrides.NONE,
        path -> new ParseResult.ValidFile<>(new ReferencedFiles.TextFile("dir/" + path, text)));
  }

  private static List<Map<String, Object>> configs(ParseResult<Job> job) {
    return job.orThrow().search().configs();
  }

  private static List<String> problems(ParseResult<Job> job) {
    return job.problems().stream().map(FileProblem::toString).toList();
  }

  @Test
  void valuesHaveTheTypesOfTheSpace() {
    assertThat(
            configs(
                inline(
                    "[{lr: 1, layers: 4.0, clip: null}, {clip: [64, null], drop: 0.3},"
                        + " {clip: \"1\"}, {optimizer: sgd, momentum: 0.5, seed: 3}]")))
        .containsExactly(
            Map.of("lr", 1.0, "layers", 4L, "clip", NullValue.NULL),
            Map.of("clip", List.of(64L, NullValue.NULL), "drop", 0.3),
            Map.of("clip", "1"),
            Map.of("optimizer", "sgd", "momentum", 0.5, "seed", 3L));
  }

  @Test
  void firstTrialsUseThem() {
    Search search = inline("[{lr: 1}, {lr: 0.1}]").orThrow().search();
    assertThat(search.origin(1)).isEqualTo(Search.Origin.OWN);
    assertThat(search.origin(2)).isEqualTo(Search.Origin.OWN);
    assertThat(search.origin(3)).isEqualTo(Search.Origin.DRAWN);
  }

  @Test
  void namesUnknownHyperparametersAndValuesOutsideTheSpace() {
    String list =
        """

            - {lrr: 1}
            - {zebra: 1}
            - {lr: 2}
            - lr: high
              drop: 0.25
              layers: 3
              optimizer: adan
              beta: 0
              seed: 4
        """;
    assertThat(problems(inline(list)))
        .containsExactly(
            "j:9: search.configs[0].lrr: is not a hyperparameter of search.space (did you mean lr?)",
            "j:10: search.configs[1].zebra: is not a hyperparameter of search.space (known: optimizer,"
                + " lr, drop, layers, momentum, clip, beta, seed)",
            "j:11: search.configs[2].lr: must be a number from 1.0E-4 to 1.0, not 2 (change the value,"
                + " or search.space.lr)",
            "j:12: search.configs[3].lr: must be a number from 1.0E-4 to 1.0, not \"high\" (change the"
                + " value, or search.space.lr)",
            "j:13: search.configs[3].drop: must be a number from 0.0 to 0.5 in steps of 0.1, not 0.25"
                + " (change the value, or search.space.drop)",
            "j:14: search.configs[3].layers: must be a whole number from 2 to 16 in steps of 2, not 3"
                + " (change the value, or search.space.layers)",
            "j:15: search.configs[3].optimizer: must be one of [\"sgd\", \"adam\"], not \"adan\" (change"
                + " the value, or search.space.optimizer)",
            "j:16: search.configs[3].beta: must be a number above 0, not 0 (change the value, or"
                + " search.space.beta)",
            "j:17: search.configs[3].seed: must be 3, not 4 (change the value, or search.space.seed)");
  }

  @Test
  void rejectsValuesThatWouldHaveNoEffect() {
    assertThat(problems(inline("[{optimizer: adam, momentum: 0.5}, {momentum: 0.5}]")))
        .containsExactly(
            "j:8: search.configs[0].momentum: is used only when optimizer: [\"sgd\"] (leave it out, or"
                + " change the other value)",
            "j:8: search.configs[1].momentum: is used only when optimizer: [\"sgd\"] (give optimizer"
                + " too)");
  }

  @Test
  void rejectsDuplicatesAndEmptyConfigurations() {
    assertThat(problems(inline("[{lr: 1, layers: 4}, {layers: 4.0, lr: 1.0}]")))
        .containsExactly(
            "j:8: search.configs[1]: is the same as search.configs[0] on line 8 (remove one of them)");
    assertThat(problems(inline("[{}]")))
        .containsExactly("j:8: search.configs[0]: must have at least one entry");
    assertThat(problems(inline("[]")))
        .containsExactly(
            "j:8: search.configs: must not be empty (leave the field out, or list at least one value)");
  }

  @Test
  void rejectsMoreThanTheTrials() {
    String five = "[{lr: 0.1}, {lr: 0.2}, {lr: 0.3}, {lr: 0.4}, {lr: 0.5}]";
    assertThat(problems(inline(five)))
        .containsExactly(
            "j:8: search.configs: has 5 configurations, but the search starts with 4 trials (set"
                + " search.trials to at least 5, or remove 1)");
    assertThat(inline(five.replace(", {lr: 0.5}", "")).problems()).isEmpty();
  }

  @Test
  void gridHasNone() {
    String grid = JOB.replace("random\n", "grid\n").replace("  trials: 4\n", "");
    assertThat(problems(JobFile.parse("j", grid.replace("CONFIGS", "[{seed: 3}]"), Overrides.NONE)))
        .contains(
            "j:7: search.configs: is not used by grid, which trains every combination (leave it out, or"
                + " use random)");
  }

  @Test
  void readsAYamlFile() {
    assertThat(configs(file("own.yaml", "# mine\n- {lr: 0.1}\n- lr: 0.2\n  layers: 4\n")))
        .containsExactly(Map.of("lr", 0.1), Map.of("lr", 0.2, "layers", 4L));
    assertThat(problems(file("own.yaml", "# mine\n- {lr: 0.1}\n- lr: 0.2\n  layers: 5\n")))
        .containsExactly(
            "dir/own.yaml:4: search.configs[1].layers: must be a whole number from 2 to 16 in steps of"
                + " 2, not 5 (change the value, or search.space.layers)");
  }

  @Test
  void readsACsvFile() {
    String csv =
        """
        \uFEFFoptimizer,lr , clip,drop,seed\r
        sgd,1e-2,null,.3,\r
        "adam",,"[64, null]",,3.0\r
        \r
        ,0.5,True,,\r
        ,,1,,\r
        """;
    assertThat(configs(file("own.CSV", csv)))
        .containsExactly(
            Map.of("optimizer", "sgd", "lr", 0.01, "clip", NullValue.NULL, "drop", 0.3),
            Map.of("optimizer", "adam", "clip", List.of(64L, NullValue.NULL), "seed", 3L),
            Map.of("lr", 0.5, "clip", true),
            Map.of("clip", 1L));
  }

  @Test
  void cellsAreStringsWhereTheSpaceHasStrings() {
    ParseResult<Job> job =
        JobFile.parse(
            "j",
            JOB.replace("CONFIGS", "own.csv").replace("[sgd, adam]", "[\"1\", \"no, \\\"x\\\"\"]"),
            Overrides.NONE,
            path ->
                new ParseResult.ValidFile<>(
                    new ReferencedFiles.TextFile(path, "optimizer\n1\n\"no, \"\"x\"\"\"\n")));
    assertThat(job.problems())
        .extracting(FileProblem::field)
        .containsOnly("search.space.momentum"); // its condition names sgd
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          lr,lrr@1,2@|dir/own.csv:1: search.configs: the column "lrr" is not a hyperparameter of search.space (did you mean lr?)
          lr;drop@1;2@|dir/own.csv:1: search.configs: the column "lr;drop" is not a hyperparameter of search.space (separate cells with commas)
          lr,lr@1,1@|dir/own.csv:1: search.configs: the column "lr" is given twice (remove one)
          lr,drop@1,0.1,5@|dir/own.csv:2: search.configs[0]: has 3 cells, but the header has 2 (leave a cell empty to draw its value)
          lr,drop@1@|dir/own.csv:2: search.configs[0]: has 1 cells, but the header has 2 (leave a cell empty to draw its value)
          lr,drop@1,0.1@0.5,high@|dir/own.csv:3: search.configs[1].drop: must be a number from 0.0 to 0.5 in steps of 0.1, not "high" (change the value, or search.space.drop)
          lr,drop@,@|dir/own.csv:2: search.configs[0]: must have at least one entry
          lr@|dir/own.csv:1: search.configs: must not be empty (leave the field out, or list at least one value)
          @|dir/own.csv:1: search.configs: the file is empty (write a header with the names of hyperparameters, and a line for each configuration)
          """)
  void namesProblemsOfCsvFiles(String csv, String problem) {
    assertThat(problems(file("own.csv", csv.replace('@', '\n')))).containsExactly(problem);
  }

  @Test
  void reportsInvalidCsv() {
    assertThat(problems(file("own.csv", "lr,drop\n\"0.1,0.2\n")))
        .singleElement()
        .asString()
        .startsWith("dir/own.csv:")
        .contains("search.configs: is not valid CSV: ");
  }

  @Test
  void reportsUnreadableFiles() {
    ParseResult<Job> missing =
        JobFile.parse(
            "j",
            JOB.replace("CONFIGS", "own.csv"),
            Overrides.NONE,
            path ->
                new ParseResult.InvalidFile<>(
                    List.of(new FileProblem("dir/own.csv", 0, "", "no such file", ""))));
    assertThat(problems(missing))
        .containsExactly(
            "j:8: search.configs: dir/own.csv: no such file (paths are relative to the folder of the job"
                + " file)");
    assertThat(problems(file("own.txt", "")))
        .containsExactly(
            "j:8: search.configs: must be a list, or a file whose name ends with .yaml, .json or .csv,"
                + " not the string \"own.txt\"");
    assertThat(problems(file("own.yaml", "a: 1")))
        .singleElement()
        .asString()
        .startsWith("dir/own.yaml:1: search.configs: must be a list");
  }

  @Test
  void writtenJobContainsTheList() {
    Job job = file("own.csv", "lr,clip\n0.1,null\n0.2,\"[64, null]\"\n").orThrow();
    assertThat(JobFile.parse("j", JobFile.write(job), Overrides.NONE).orThrow()).isEqualTo(job);
  }
}
