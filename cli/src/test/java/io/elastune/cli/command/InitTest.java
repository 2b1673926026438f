package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.cli.testing.InProcessCli;
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
