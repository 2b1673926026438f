package io.elastune.cli.imports;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.cli.text.JobName;
import io.elastune.executor.journal.SqlConnection;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportTest {
  @TempDir Path folder;

  private InProcessCli.Result run(String... arguments) {
    return new InProcessCli(folder).run(arguments);
  }

  private void copy(String name) throws IOException {
    try (InputStream stream =
        Objects.requireNonNull(ImportTest.class.getResourceAsStream("/imports/" + name))) {
      Files.copy(stream, folder.resolve(name));
    }
  }

  /** Imports a file, and returns the lines of the job. */
  private List<String> imported(String name, String... options) throws IOException {
    copy(name);
    String[] arguments = new String[options.length + 2];
    arguments[0] = "import";
    arguments[1] = name;
    System.arraycopy(options, 0, arguments, 2, options.length);
    InProcessCli.Result result = run(arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    return Files.readAllLines(folder.resolve("job.yaml")).stream().map(String::strip).toList();
  }

  @Test
  void sweepOfWandbIsRead() throws IOException {
    assertThat(imported("sweep.yaml"))
        .contains(
            "# Imported from sweep.yaml, a W&B sweep.",
            "name: digits-cnn",
            "metric: {name: val/acc, goal: maximize}",
            "trials: 40",
            "target: 0.98",
            "lr: {type: loguniform, low: 1e-5, high: 1e-1}",
            "old_lr: {type: loguniform, low: " + Math.exp(-9) + ", high: 1}",
            "batch: {type: int, low: 32, high: 256, log: true, step: 8}",
            "width: {type: int, low: 16, high: 128, step: 16}",
            "layers: {type: int, low: 1, high: 4}",
            "drop: {type: uniform, low: 0.0, high: 0.5}",
            "sd: {type: normal, mean: 0, sd: 2}",
            "act: {type: choice, values: [relu, gelu, null]}",
            "sizes: {type: choice, values: [[64, 64], [128]]}",
            "flag: {type: choice, values: [true, false]}",
            "epochs: {type: constant, value: 10}",
            "same: {type: constant, value: 3}",
            "opt.name: {type: choice, values: [sgd, adam]}",
            "opt.momentum: {type: loguniform, low: 0.5, high: 0.99}",
            "opt.decay: {type: loguniform, low: " + Math.exp(-3) + ", high: 1}",
            "run: python src/train.py --data=$DATA {args_no_boolean_flags}");
  }

  @Test
  void whatHasNoCounterpartIsNamedWithItsLine() throws IOException {
    copy("sweep.yaml");
    InProcessCli.Result result = run("import", "sweep.yaml", "--json");

    assertThat(result.err())
        .contains(
            "sweep.yaml:4: method: configurations are random here",
            "sweep.yaml:5: project: belongs to the pages of W&B",
            "sweep.yaml:8: early_terminate: ",
            "sweep.yaml:20: old_lr: min and max are exponents",
            "sweep.yaml:26: parameters.act.probabilities: all values are equally likely here",
            "opt.decay: min and max are exponents",
            "parameters.opt.parameters.options.value: a map is no value");
    assertThat(result.json().path("trials").asInt()).isEqualTo(40);
    assertThat(result.json().path("goal").asString()).isEqualTo("maximize");
    assertThat(result.json().path("notes").path(0).path("line").asInt()).isEqualTo(4);
    assertThat(run("plan", "job.yaml").err()).as("it is a valid job").startsWith("profile: ");
  }

  @Test
  void gridOfWandbWithALimitIsDrawnWithoutReplacement() throws IOException {
    String sweep = "method: grid\nparameters: {a: {values: [1, 2]}, b: {values: [3, 4]}}\n";
    Files.writeString(folder.resolve("s.yaml"), sweep);
    Files.writeString(folder.resolve("limited.yaml"), sweep + "run_cap: 3\n");

    assertThat(run("import", "s.yaml", "-o", "a.yaml").exit()).isZero();
    assertThat(run("import", "limited.yaml", "-o", "b.yaml").exit()).isZero();
    assertThat(folder.resolve("a.yaml"))
        .content()
        .contains("algorithm: grid")
        .doesNotContain("trials");
    assertThat(folder.resolve("b.yaml")).content().contains("algorithm: random", "trials: 3\n");
  }

  @Test
  void searchSpaceOfRayIsRead() throws IOException {
    assertThat(imported("ray.json"))
        .contains(
            "metric: {name: acc, goal: maximize}",
            "trials: 100",
            "lr: {type: loguniform, low: 1e-4, high: 1e-1}",
            "momentum: {type: uniform, low: 0.1, high: 0.9}",
            "layers: {type: int, low: 1, high: 8}",
            "hidden: {type: int, low: 32, high: 256, step: 32}",
            "opt: {type: choice, values: [sgd, adam]}",
            "act: {type: choice, values: [relu, tanh]}",
            "model/dropout: {type: uniform, low: 0.0, high: 0.5}",
            "model/depth: {type: int, low: 2, high: 7, log: true}",
            "wd: {type: loguniform, low: 1e-4, high: 1e-1, step: 5e-5}",
            "noise: {type: normal, mean: 0, sd: 1}",
            "epochs: {type: constant, value: 10}",
            "layers_list: {type: choice, values: [[64, 64], [128]]}")
        .anyMatch(line -> line.startsWith("#   line 13: param_space.f: is a program"));
  }

  @Test
  void gridOfRayTriesEachCombinationSeveralTimes() throws IOException {
    String space = "{\"param_space\": {\"a\": {\"grid_search\": [1, 2]}}, \"num_samples\": 3}";
    Files.writeString(folder.resolve("r.json"), space);

    assertThat(run("import", "r.json").exit()).isZero();
    assertThat(folder.resolve("job.yaml")).content().contains("algorithm: grid", "repeat: 3 ");
  }

  @Test
  void listOfRayHasNames() throws IOException {
    String space =
        "[{\"name\": \"w\", \"distribution\": \"uniform\", \"lower\": 0, \"upper\": 20},"
            + " {\"name\": \"depth\", \"distribution\": \"constant\", \"value\": 3},"
            + " {\"name\": \"act\", \"_type\": \"choice\", \"_value\": [\"relu\", \"elu\"]}]";
    Files.writeString(folder.resolve("r.json"), space);

    assertThat(run("import", "r.json").exit()).isZero();
    assertThat(folder.resolve("job.yaml"))
        .content()
        .contains(
            "w: {type: uniform, low: 0, high: 20}",
            "depth: {type: constant, value: 3}",
            "act: {type: choice, values: [relu, elu]}");
  }

  @Test
  void tuningJobOfSageMakerIsRead() throws IOException {
    assertThat(imported("tuning-job.json"))
        .contains(
            "name: xgb-tune",
            "deadline: 7200s",
            "metric: {name: \"validation:auc\", goal: maximize, pattern: 'auc=([0-9.]+)'}",
            "trials: 20",
            "seed: 7",
            "target: 0.95",
            "patience: {trials: 5}",
            "max_depth: {type: int, low: 1, high: 10}",
            "eta: {type: uniform, low: 0, high: 1}",
            "lr: {type: loguniform, low: 1e-5, high: 0.1}",
            "tree_method: {type: choice, values: [auto, hist]}",
            "opt: {type: choice, values: [sgd, Adam]}",
            "bs: {type: choice, values: [32, 64]}",
            "num_round: {type: constant, value: 100}")
        .anyMatch(line -> line.startsWith("#   line 6: eta: SageMaker chooses the scale (Auto)"));
  }

  @Test
  void journalOfOptunaIsRead() throws IOException {
    assertThat(imported("study.log", "--study", "Second Study"))
        .contains(
            "name: second-study",
            "metric: {name: val_loss, goal: minimize}",
            "trials: 3",
            "opt: {type: choice, values: [sgd, adam, null]}",
            "momentum: {type: uniform, low: 0.0, high: 0.9, when: {opt: [sgd]}}",
            "lr: {type: loguniform, low: 0.0001, high: 0.5, when: {opt: [adam, null]}}",
            "old: {type: int, low: 2, high: 8, step: 2, when: {opt: [adam]}}",
            "#   lr: its range differs between trials: the job has the widest one");
    assertThat(run("import", "study.log", "-o", "b.yaml").err())
        .isEqualTo("study.log: has 2 studies: select one with --study: Unused, Second Study\n");
  }

  @Test
  void databaseOfOptunaIsRead() throws IOException, SQLException {
    Path file = folder.resolve("study.db");
    try (SqlConnection database =
        SqlConnection.open(file, false, (verb, cause) -> new IllegalStateException(cause))) {
      database.runAll(
          """
          CREATE TABLE studies (study_id INTEGER PRIMARY KEY, study_name TEXT);
          CREATE TABLE study_directions (direction TEXT, study_id INTEGER, objective INTEGER);
          CREATE TABLE study_system_attributes (study_id INTEGER, key TEXT, value_json TEXT);
          CREATE TABLE trials (trial_id INTEGER PRIMARY KEY, study_id INTEGER, state TEXT);
          CREATE TABLE trial_params (param_id INTEGER PRIMARY KEY, trial_id INTEGER,
            param_name TEXT, param_value FLOAT, distribution_json TEXT);
          INSERT INTO studies VALUES (4, 'tuned');
          INSERT INTO study_directions VALUES ('MAXIMIZE', 4, 0), ('MINIMIZE', 4, 1);
          INSERT INTO trials VALUES (7, 4, 'COMPLETE'), (8, 4, 'FAIL');
          INSERT INTO trial_params VALUES (1, 7, 'width', 32, '{"name": "IntDistribution", "attributes": {"log": true, "step": 1, "low": 16, "high": 256}}');
          INSERT INTO trial_params VALUES (2, 7, 'drop', 0.1, '{"name": "FloatDistribution", "attributes": {"step": 0.1, "low": 0.0, "high": 0.5, "log": false}}');
          """);
    }
    InProcessCli.Result result = run("import", "study.db");

    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .contains(
            "study.db: directions: the study has 2 objectives", "metric: the study has no name");
    assertThat(folder.resolve("job.yaml"))
        .content()
        .contains(
            "name: tuned",
            "{name: value, goal: maximize}",
            "trials: 2\n",
            "width: {type: int, low: 16, high: 256, log: true}",
            "drop: {type: uniform, low: 0.0, high: 0.5, step: 0.1}");
  }

  /** A file of {@code rllib train}, with the algorithm and the environment beside the space. */
  @Test
  void experimentOfRllibIsRead() throws IOException {
    Files.writeString(
        folder.resolve("pole.yaml"),
        """
        pole-ppo:
            env: CartPole-v0
            run: PPO
            num_samples: 3
            stop: {episode_reward_mean: 200}
            config:
                num_workers: 2
                num_sgd_iter:
                    grid_search: [1, 4]
                sgd_minibatch_size:
                    grid_search: [128, 256, 512]
        """);

    InProcessCli.Result result = run("import", "pole.yaml");

    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(Files.readString(folder.resolve("job.yaml")))
        .contains("name: pole-ppo\n", "algorithm: grid", "repeat: 3")
        .contains("num_sgd_iter: {type: choice, values: [1, 4]}")
        .contains("sgd_minibatch_size: {type: choice, values: [128, 256, 512]}")
        .contains("env: {type: constant, value: CartPole-v0}")
        .contains("#   line 3: pole-ppo.run: ", "#   line 5: pole-ppo.stop: ");
  }

  /** As PyYAML reads it, by which sweeps and experiments are read. */
  @Test
  void aliasesOfYamlAreResolved() throws IOException {
    Files.writeString(
        folder.resolve("sweep.yaml"),
        """
        program: my train.py
        method: random
        metric: {name: acc, goal: Maximize}
        log: &log {distribution: log_uniform_values, min: 1e-5, max: 1e-1}
        parameters:
          lr: *log
          wd: {<<: *log, max: 1e-2}
          flag: {values: [yes, no]}
          size: {min: 1_000, max: 4_000}
          a b: {min: 0.5, max: 1}
          a&b: {min: 0.25, max: 1}
          skew: {distribution: beta, a: 2, b: 5}
          twice: {min: 0.1, max: 1}
          twice: {min: 0.2, max: 1}
        command: ["${interpreter}", "${program}", --text=a b, "${args}"]
        """);

    InProcessCli.Result result = run("import", "sweep.yaml");

    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .contains(
            "sweep.yaml:12: skew: a beta distribution has no counterpart: left out",
            "sweep.yaml:14: parameters.twice: is given twice, first on line 13: the last one"
                + " counts")
        .doesNotContain("anchors");
    assertThat(Files.readString(folder.resolve("job.yaml")))
        .contains(
            "metric: {name: acc, goal: maximize}",
            "    lr: {type: loguniform, low: 1e-5, high: 1e-1}\n",
            "    wd: {type: loguniform, low: 1e-5, high: 1e-2}\n",
            "    flag: {type: choice, values: [true, false]}\n",
            "    size: {type: int, low: 1000, high: 4000}\n",
            "    a_b: {type: uniform, low: 0.5, high: 1}\n",
            "    a_b_2: {type: uniform, low: 0.25, high: 1}\n",
            "    twice: {type: uniform, low: 0.2, high: 1}\n",
            "    python 'my train.py' '--text=a b' {args}");
  }

  /** What Python would compute is named, and is no constant. */
  @Test
  void programsInASpaceOfRayAreLeftOut() throws IOException {
    Files.writeString(
        folder.resolve("space.json"),
        """
        {"param_space": {
          "a": {"eval": "spec.config.workers"},
          "b": "lambda spec: 2",
          "c": "tune.choice([2 ** i for i in range(4)])",
          "d": "tune.choice(list(range(4)))",
          "e": {"_type": "normal", "_value": [0, 1]},
          "f": "tune.uniform(1_000, 2_000)",
          "g": "tune.choice(['v1_0', 'relu(6)', \\"None\\", None])"},
         "tune_config": {"metric": "loss", "mode": "min", "num_samples": -1}}
        """);

    InProcessCli.Result result = run("import", "space.json");

    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("with 2 hyperparameters")
        .contains(
            "space.json:2: param_space.a: is a program",
            "space.json:3: param_space.b: is a program",
            "space.json:4: param_space.c: is a program",
            "space.json:5: param_space.d: is a program",
            "space.json:6: param_space.e: is no distribution",
            "space.json:9: tune_config.num_samples: has no end in Ray");
    assertThat(Files.readString(folder.resolve("job.yaml")))
        .contains(
            "    f: {type: uniform, low: 1000, high: 2000}\n",
            "    g: {type: choice, values: [v1_0, \"relu(6)\", None, null]}\n");
  }

  @Test
  void objectiveOfRangesAloneIsReadOrNamedAsMissing() throws IOException {
    String ranges =
        "{\"ParameterRanges\": {\"IntegerParameterRanges\":"
            + " [{\"Name\": \"k\", \"MinValue\": 1, \"MaxValue\": 10}]}";
    Files.writeString(
        folder.resolve("with.json"),
        ranges + ", \"ObjectiveMetric\": {\"Name\": \"Precision\", \"Type\": \"Maximize\"}}");
    Files.writeString(folder.resolve("without.json"), ranges + "}");

    assertThat(run("import", "with.json").out()).doesNotContain("metric");
    assertThat(Files.readString(folder.resolve("job.yaml")))
        .contains("metric: {name: Precision, goal: maximize}");
    assertThat(run("import", "without.json", "-o", "other.yaml").out())
        .contains("without.json: metric: is not in the file: set search.metric");
  }

  /** A writer that was killed leaves a part of a line. */
  @Test
  void journalOfOptunaMayEndWithinALine() throws IOException {
    copy("study.log");
    Files.write(
        folder.resolve("study.log"),
        new byte[] {'{', '"', (byte) 0xe5, (byte) 0xff},
        StandardOpenOption.APPEND);

    assertThat(run("import", "study.log", "--study", "Second Study").exit()).isZero();
  }

  @Test
  void valuesThatNoJobHasAreNamedWithTheirLines() throws IOException {
    Files.writeString(
        folder.resolve("sweep.yaml"),
        """
        method: random
        metric: {name: loss, goal: minimize}
        run_cap: -5
        parameters: {lr: {min: 0.1, max: 1}}
        """);
    Files.writeString(
        folder.resolve("many.yaml"),
        "method: random\nrun_cap: many\nparameters: {lr: {min: 0.1, max: 1.5}}\n");

    assertThat(run("import", "sweep.yaml").err()).startsWith("sweep.yaml:3: search.trials: ");
    assertThat(run("import", "many.yaml").out()).contains("many.yaml:2: run_cap: is no number");
  }

  /** Each is refused in a line, soon, and with bounded memory. */
  @Test
  void hostileFilesAreRefused() throws IOException {
    Files.writeString(folder.resolve("cycle.yaml"), "parameters: &a {lr: *a}\nmethod: random\n");
    Files.writeString(folder.resolve("nul.yaml"), "method: random\0\nparameters: {a: {min: 1}}\n");
    Files.writeString(folder.resolve("deep.json"), "[".repeat(200_000));
    Files.writeString(
        folder.resolve("deep.yaml"), "{a: ".repeat(50_000) + "1" + "}".repeat(50_000));
    Files.write(folder.resolve("binary.log"), new byte[1 << 20]);
    Files.writeString(folder.resolve("large.json"), " ".repeat((16 << 20) + 1));
    Files.createDirectory(folder.resolve("folder"));

    for (String file :
        List.of(
            "cycle.yaml",
            "nul.yaml",
            "deep.json",
            "deep.yaml",
            "binary.log",
            "large.json",
            "folder")) {
      InProcessCli.Result result = run("import", file);
      assertThat(result.exit()).as(file + ": " + result.err()).isEqualTo(2);
      assertThat(result.err()).as(file).startsWith(file + ":").doesNotContain("Exception");
    }
    assertThat(folder.resolve("job.yaml")).doesNotExist();
  }

  @Test
  void databaseThatAnotherProgramWritesIsNotCalledForeign() {
    assertThat(new OptunaDatabase.ReadException(new SQLException("locked", "", 5)))
        .hasMessageContaining("another program writes it");
    assertThat(new OptunaDatabase.ReadException(new SQLException("no such table", "", 1)))
        .hasMessageContaining("is no database of Optuna: no such table");
  }

  /** The rule for names of jobs is the same for folders and for files. */
  @Test
  void namesAreCutWithoutAHyphenAtTheEnd() {
    String name = "--" + "a".repeat(39) + " b.yaml";
    assertThat(JobName.of(name, "x")).isEqualTo("a".repeat(39));
    assertThat(JobName.of("--", "x")).isEqualTo("x");
    assertThat(JobName.of("My Job", "x")).isEqualTo("my-job");
  }

  @Test
  void otherFilesAreRefused() throws IOException {
    Files.writeString(folder.resolve("x.yaml"), "a: 1\nb: two\n");
    Files.writeString(
        folder.resolve("bad.yaml"),
        "method: random\nparameters: {lr: {distribution:"
            + " log_uniform_values, min: 0, max: 1}}\n");
    Files.writeString(folder.resolve("x.db"), "SQLite format 3\0 and no more");

    assertThat(run("import", "none.yaml").err()).isEqualTo("none.yaml: no such file\n");
    assertThat(run("import", "x.yaml").err())
        .isEqualTo("x.yaml: has no hyperparameter to tune, read as a search space of Ray Tune\n");
    assertThat(run("import", "bad.yaml").err())
        .startsWith("bad.yaml:2: search.space.lr.low: must be above 0, not 0");
    assertThat(run("import", "x.db").err()).startsWith("x.db: is no database of Optuna: ");
    assertThat(run("import", "x.yaml", "--study", "a").err()).startsWith("--study: is used with ");
    assertThat(folder.resolve("job.yaml")).doesNotExist();
  }

  @Test
  void anExistingFileStays() throws IOException {
    copy("sweep.yaml");
    Files.writeString(folder.resolve("job.yaml"), "mine");

    assertThat(run("import", "sweep.yaml").err())
        .isEqualTo("job.yaml: already exists (nothing was written; -o names another file)\n");
    assertThat(folder.resolve("job.yaml")).hasContent("mine");
  }
}
