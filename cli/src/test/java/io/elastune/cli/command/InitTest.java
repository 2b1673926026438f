package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.cli.testing.InProcessCli;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Dimension;
import io.elastune.core.job.Job;
import io.elastune.core.job.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InitTest {
  @TempDir Path folder;

  @Test
  void writesJobThatNeedsOnlyProfile() {
    InProcessCli.Result written = new InProcessCli(folder).run("init", "My First Job");

    assertThat(written.exit()).as(written.err()).isZero();
    assertThat(written.out()).contains("elastune run 'My First Job/job.yaml'");
    InProcessCli.Result planned = new InProcessCli(folder).run("plan", "My First Job/job.yaml");
    assertThat(planned.err()).startsWith("profile: ");
    assertThat(planned.out()).contains("my-first-job", "local/core/on-demand");
  }

  @Test
  void doesNotOverwriteExistingFile() throws IOException {
    Path mine = Files.writeString(folder.resolve("train.sh"), "mine");

    InProcessCli.Result result = new InProcessCli(folder).run("init");

    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).isEqualTo("train.sh: already exists (nothing was written)\n");
    assertThat(mine).hasContent("mine");
    assertThat(folder.resolve("job.yaml")).doesNotExist();
  }

  @Test
  void rejectsAnotherPythonLibrary() {
    InProcessCli.Result result = new InProcessCli(folder).run("init", "--python", "jax");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).startsWith("--python: must be numpy or torch, not 'jax' (see ");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void listsWrittenFilesAsJson() {
    InProcessCli.Result result = new InProcessCli(folder).run("init", "job", "--json");
    assertThat(result.json().path("written").path(0).asString()).isEqualTo("job/job.yaml");
    assertThat(result.err()).contains("Next:");
  }

  @Test
  void writesJobFromCommand() throws IOException {
    InProcessCli.Result written =
        new InProcessCli(folder)
            .run(
                "init",
                "--command",
                "OMP_NUM_THREADS=1 torchrun --nproc_per_node 1 train.py --lr 0.01 --depth=3"
                    + " model.drop=0.5 --batch-size '64' --opt adam --seed 7 --epochs 5 --layers 32"
                    + " 16 -w 1e-4 --augment --data data/x.csv | tee log 2>&1",
                "--metric",
                "val_acc");

    assertThat(written.exit()).as(written.err()).isZero();
    String text = Files.readString(folder.resolve("job.yaml"));
    Job job = JobFile.parse("job.yaml", text, Overrides.NONE).orThrow();
    assertThat(job.trial().run())
        .isEqualTo(
            "OMP_NUM_THREADS=1 torchrun --nproc_per_node 1 train.py --lr {lr} --depth={depth}"
                + " model.drop={model.drop} --batch-size '{batch-size}' --opt {opt} --seed 7"
                + " --epochs 5 --layers 32 16 -w {w} --augment --data data/x.csv | tee log 2>&1");
    assertThat(job.search().metric().goal()).isEqualTo(Metric.Goal.MAXIMIZE);
    assertThat(job.search().space())
        .containsOnlyKeys("lr", "depth", "model.drop", "batch-size", "opt", "w");
    assertThat(text)
        .contains(
            "lr: {type: loguniform, low: 0.001, high: 0.1}",
            "depth: {type: int, low: 1, high: 6}",
            "model.drop: {type: uniform, low: 0.25, high: 1.0}",
            "batch-size: {type: choice, values: [32, 64, 128]}",
            "opt: {type: choice, values: [adam, adamw, sgd, rmsprop]}",
            "w: {type: loguniform, low: 1.0e-5, high: 0.001}");
    assertThat(job.search().configs())
        .containsExactly(
            Map.of(
                "lr",
                0.01,
                "depth",
                3L,
                "model.drop",
                0.5,
                "batch-size",
                64L,
                "opt",
                "adam",
                "w",
                1e-4));
  }

  @Test
  void flagOfCommandIsTuned() throws IOException {
    Job job = jobOf("python train.py --use-bn --lr 0.1");
    assertThat(job.trial().run()).isEqualTo("python train.py {args_no_boolean_flags}");
    assertThat(job.search().configs()).containsExactly(Map.of("use-bn", true, "lr", 0.1));
    Dimension flag = job.search().space().get("use-bn");
    assertThat(flag.find(true)).contains(true);
    assertThat(flag.find(false)).contains(false);

    assertThat(jobOf("python train.py --verbose --lr 0.1 \\\n --use-cuda \\\n --augment\nls --a\n"))
        .extracting(it -> it.trial().run())
        .isEqualTo("python train.py --verbose {args_no_boolean_flags} \\\n --use-cuda\nls --a");
    assertThat(jobOf("python train.py --x {y} --augment --epochs 9 --hidden=64 > log"))
        .extracting(it -> it.trial().run())
        .isEqualTo("python train.py --x {{y}} {args_no_boolean_flags} --epochs 9 > log");
    // Only options of one program with two dashes can become {args_no_boolean_flags}:
    assertThat(jobOf("python train.py -w 1e-4 --augment").trial().run())
        .isEqualTo("python train.py -w {w} --augment");
    assertThat(jobOf("python a.py --lr 0.1 && python b.py --augment").trial().run())
        .isEqualTo("python a.py --lr {lr} && python b.py --augment");
  }

  private Job jobOf(String command) throws IOException {
    Files.deleteIfExists(folder.resolve("job.yaml"));
    InProcessCli.Result written = new InProcessCli(folder).run("init", "--command", command);
    assertThat(written.exit()).as(written.err()).isZero();
    String text = Files.readString(folder.resolve("job.yaml"));
    return JobFile.parse("job.yaml", text, Overrides.NONE).orThrow();
  }

  @Test
  void jobOfCommandRunsWhereTheCommandDoes() throws IOException {
    new InProcessCli(folder).run("init", "jobs/a", "--command", "python -m x.y --lr 0.1 {print}");

    Job job =
        JobFile.parse(
                "job.yaml", Files.readString(folder.resolve("jobs/a/job.yaml")), Overrides.NONE)
            .orThrow();
    assertThat(job.trial().workdir()).isEqualTo("../..");
    assertThat(job.trial().run()).isEqualTo("python -m x.y --lr {lr} {{print}}");
    assertThat(job.name()).isEqualTo("a");
  }

  @Test
  void rejectsCommandWithoutOptionsToTune() {
    InProcessCli.Result result =
        new InProcessCli(folder).run("init", "--command", "python train.py --seed 3");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).startsWith("--command: has no option with a value to tune");
    assertThat(folder).isEmptyDirectory();
    assertThat(new InProcessCli(folder).run("init", "--metric", "x").exit()).isEqualTo(2);
    assertThat(
            new InProcessCli(folder)
                .run("init", "--python", "--command", "python train.py --lr 1")
                .exit())
        .isEqualTo(2);
  }

  @Test
  void exampleTrialTrainsAndResumes() throws Exception {
    assumeTrue(
        ExternalPrograms.isInstalled("sh") && ExternalPrograms.isInstalled("awk"),
        "needs sh and awk");
    new InProcessCli(folder).run("init", "job");

    String whole = trial("whole", 0, 4);
    String first = trial("parts", 0, 1);
    String second = trial("parts", 1, 4);

    assertThat(whole.lines()).hasSize(4).allMatch(line -> line.startsWith("ELASTUNE {\"unit\": "));
    assertThat(first + second).isEqualTo(whole);
    assertThat(folder.resolve("parts/4/weights"))
        .hasSameTextualContentAs(folder.resolve("whole/4/weights"));
    assertThat(Files.readString(folder.resolve("parts/4/manifest.json")))
        .contains("\"unit\": 4", ExternalPrograms.sha256(folder.resolve("parts/4/weights")));
  }

  private String trial(String name, int from, int to) throws Exception {
    Path checkpoints = Files.createDirectories(folder.resolve(name));
    Path json = folder.resolve(name + ".json");
    Files.writeString(
        json,
        """
        {"trial": 7, "config": {"lr": 0.001, "decay": 0}, "unit": "epoch", "from": %d, "to": %d,
         "checkpoint_dir": "%s", "rank": 0, "world_size": 1, "seed": -4611686018427387904}
        """
            .formatted(from, to, checkpoints));
    return ExternalPrograms.output(
        folder.resolve("job"),
        Map.of(
            "ELASTUNE_TRIAL_JSON",
            json.toString(),
            "ELASTUNE_CHECKPOINT_DIR",
            checkpoints.toString()),
        "sh",
        "train.sh");
  }
}
