package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * Tests one invalid number in the worked example. Commands must report the file, the line, the
 * field and the error, and do nothing else.
 */
class InvalidInputTest {
  private static final String TABLE = "/bad-input.csv";

  @TempDir Path folder;

  @BeforeEach
  void copyTheExample() throws IOException {
    for (String name : List.of("job.yaml", "offers.yaml", "profile.yaml")) {
      Files.copy(ExampleFiles.WORKED.resolve(name), folder.resolve(name));
    }
    Files.copy(ExampleFiles.WORKED.resolve("plan-growing-back.json"), folder.resolve("plan.json"));
  }

  @ParameterizedTest
  @CsvFileSource(resources = TABLE, delimiter = '|', quoteCharacter = '`', commentCharacter = '#')
  void reportsInvalidNumber(String file, String right, String wrong, String line, String problem)
      throws IOException {
    replace(file, right, wrong);

    String said = file + ":" + line + ": " + problem;
    refuses(said, "simulate", "job.yaml", "plan.json");
    if (!file.equals("plan.json")) {
      refuses(said, "plan", "job.yaml");
      refuses(said, "run", "job.yaml", "-y");
    }
  }

  @Test
  void rejectsGpuCountOutsideProfile() throws IOException {
    replace("profile.yaml", "  - {gpus: 8, seconds: 5.359056806002144}\n", "");
    replace("plan.json", "\"gpus_per_trial\": 4", "\"gpus_per_trial\": 8");

    refuses(
        "plan.json:7: plan[3].gpus_per_trial: 8 GPUs per trial are outside the measured range 1..4 of"
            + " V100; choose a size within it, or measure this one",
        "simulate",
        "job.yaml",
        "plan.json");
  }

  @Test
  void reportsProblemsOfAllFilesAtOnce() throws IOException {
    replace("offers.yaml", "gpus: 4", "gpus: .nan");
    replace("profile.yaml", "trial_cv: 0", "trial_cv: 1e160");

    InProcessCli.Result result = new InProcessCli(folder).run("simulate", "job.yaml", "plan.json");

    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err().lines().map(line -> line.substring(0, line.indexOf(": must"))))
        .containsExactlyInAnyOrder("offers.yaml:8: offers[0].gpus", "profile.yaml:13: trial_cv");
  }

  @Test
  void deviceIsTooLarge() throws IOException {
    Files.delete(folder.resolve("job.yaml"));
    Files.createSymbolicLink(folder.resolve("job.yaml"), Path.of("/dev/zero"));

    refuses("job.yaml: is larger than 64 MB", "plan", "job.yaml");
  }

  private void replace(String file, String right, String wrong) throws IOException {
    Path path = folder.resolve(file);
    String text = Files.readString(path);
    int at = text.indexOf(right);
    assertThat(at).as("%s in %s", right, file).isNotNegative();
    Files.writeString(path, text.substring(0, at) + wrong + text.substring(at + right.length()));
  }

  private void refuses(String problem, String... command) {
    InProcessCli.Result result = new InProcessCli(folder).run(command);

    assertThat(result.err()).as(command[0]).isEqualTo(problem + "\n");
    assertThat(result.exit()).as(command[0]).isEqualTo(2);
    assertThat(result.out()).as(command[0]).isEmpty();
    assertThat(folder.resolve("home")).as("nothing was started").doesNotExist();
  }
}
