package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** How often trials save checkpoints, on the plan screen and in JSON. */
class CheckpointIntervalTest {
  private static final Path JOBS = ExampleFiles.REPOSITORY.resolve("configs/rehearsal");
  private static final String UNUSED =
      "checkpoints: as the trials save them; trial.checkpoint.every has no effect, because no"
          + " interval is chosen for %s";

  @TempDir private Path folder;

  /** Writes a job of configs/rehearsal whose trials support some intervals. */
  private String job(String name, String every) {
    try {
      String text = Files.readString(JOBS.resolve(name));
      String changed =
          text.replace("  workdir: .\n", "  workdir: .\n  checkpoint: {every: " + every + "}\n")
              .replace("offers: ", "offers: " + JOBS + "/")
              .replace("profile: {file: ", "profile: {file: " + JOBS + "/");
      assertThat(changed).contains("every: " + every);
      return Files.writeString(folder.resolve(name), changed).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a plan as JSON, with the screen on standard error. */
  private InProcessCli.Result plan(String job, String... options) {
    // Without a budget, the spending guard needs many more samples.
    List<String> arguments = new ArrayList<>(List.of("plan", job, "--json", "--budget", "50"));
    arguments.addAll(List.of(options));
    InProcessCli.Result result = new InProcessCli(folder).run(arguments.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }

  @Test
  void planShowsTheIntervalsOfEachGroup() {
    String job = job("storms.yaml", "2..128");

    InProcessCli.Result plan = plan(job);
    JsonNode rows = plan.json().path("plan");

    assertThat(plan.err())
        .containsPattern("checkpoints: (every [0-9]+ epochs|only at the end of a group)")
        .contains("; one takes 1s");
    assertThat(rows.values())
        .hasSize(3)
        .allMatch(row -> row.path("checkpoint_every").isInt())
        .noneMatch(row -> row.path("checkpoint_every").asInt() == 1);
  }

  @Test
  void fixedIntervalIsShown() {
    String job = job("storms.yaml", "4");

    InProcessCli.Result plan = plan(job);

    assertThat(plan.err()).contains("checkpoints: every 4 epochs; one takes 1s");
    assertThat(plan.json().path("plan").values())
        .allMatch(row -> row.path("checkpoint_every").asInt() == 4);
  }

  @Test
  void trialsThatSaveAsTheyLikeHaveNoInterval() {
    String job = JOBS.resolve("halving.yaml").toString();

    InProcessCli.Result plan = plan(job);

    assertThat(plan.err()).contains("Plan for ").doesNotContain("checkpoints:");
    assertThat(plan.json().path("plan").values()).noneMatch(row -> row.has("checkpoint_every"));
  }

  @Test
  void searchWithoutChosenIntervalsSaysThatTheyHaveNoEffect() {
    String asynchronous = job("asha.yaml", "1..16");
    String shared = job("hyperband.yaml", "1..16");

    InProcessCli.Result plan = plan(asynchronous);
    assertThat(plan.err()).contains(UNUSED.formatted("an asynchronous search"));
    assertThat(plan.json().path("plan").values()).noneMatch(row -> row.has("checkpoint_every"));
    assertThat(plan(shared, "--brackets", "shared").err())
        .contains(UNUSED.formatted("instances that brackets share"));
    assertThat(plan(shared, "--brackets", "separate").err())
        .contains("checkpoints: only at the end of a group");
  }
}
