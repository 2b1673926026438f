package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.journal.TrialRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests the commands {@code runs list} and {@code runs rm}. */
class RunRemovalTest {
  private static final String OLD = "small-20261120-oldd";
  private static final String NEW = "small-20261123-aaaa";

  @TempDir Path folder;
  private Path home = Path.of("");
  private InProcessCli inProcessCli = new InProcessCli(Path.of(""));

  @BeforeEach
  void world() {
    home = folder.resolve("home");
    inProcessCli = new InProcessCli(folder);
  }

  private RunFolder ended(String run, Duration age) {
    return ended(run, age, SmallTestJob.meta());
  }

  private RunFolder ended(String run, Duration age, RunMeta meta) {
    try (ScriptedRun some = new ScriptedRun(home, run, meta)) {
      some.toTheEnd();
      Path checkpoint = some.folder().checkpoints(1).resolve("3").resolve("weights");
      Files.createDirectories(checkpoint.getParent());
      Files.writeString(checkpoint, "w".repeat(2_000_000));
      Files.setLastModifiedTime(some.folder().lock(), FileTime.from(InProcessCli.NOW.minus(age)));
      return some.folder();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void listsNewestFirst() throws Exception {
    ended(OLD, Duration.ofDays(3));
    try (ScriptedRun run = new ScriptedRun(home, NEW, SmallTestJob.meta())) {
      Files.setLastModifiedTime(run.folder().lock(), FileTime.from(InProcessCli.NOW));
      run.until(8);
      InProcessCli.Result result = inProcessCli.run("runs", "list");
      assertThat(result.exit()).isZero();
      assertThat(result.out().replaceAll("[0-9.]+ [kM]B", "SIZE").replaceAll(" +", " "))
          .isEqualTo(
              """
               run kind state exit started trials cost disk
               small-20261123-aaaa tuning running 2026-11-23 07:00:00Z 4 $0.17 notional SIZE
               small-20261120-oldd tuning finished 0 2026-11-23 07:00:00Z 4 $0.53 notional SIZE
              2 runs, SIZE; to remove one: elastune runs rm RUN
              """);
    }
  }

  @Test
  void listsAsJson() {
    ended(OLD, Duration.ofDays(3));
    JsonNode list = inProcessCli.run("runs", "list", "--json").json();
    assertThat(list).hasSize(1);
    assertThat(list.get(0).propertyNames())
        .containsExactly("run", "kind", "state", "began", "exit", "spent_usd", "bytes");
    assertThat(list.get(0).path("state").asString()).isEqualTo("finished");
    assertThat(list.get(0).path("bytes").asLong()).isGreaterThan(2_000_000);
  }

  @Test
  void corruptJournalHidesNoOtherRun() throws Exception {
    ended(OLD, Duration.ofDays(3));
    Files.writeString(ended(NEW, Duration.ZERO).journal(), "not a database, but long enough");
    assertThat(inProcessCli.run("runs", "list", "--json").json())
        .extracting(run -> run.path("state").asString())
        .containsExactly("unreadable", "finished");
  }

  @Test
  void removesFinishedRun() {
    RunFolder run = ended(OLD, Duration.ofDays(3));
    InProcessCli.Result result = inProcessCli.run("runs", "rm", OLD, "-y");
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isZero();
    assertThat(result.out()).endsWith("Removed 1 run, 2.1 MB.\n");
    assertThat(run.path()).doesNotExist();
    assertThat(home.resolve("removed")).isEmptyDirectory();
    assertThat(inProcessCli.run("status", OLD).exit()).isEqualTo(2);
  }

  @Test
  void removesRunNamedTwiceOnce() {
    ended(OLD, Duration.ofDays(3));
    InProcessCli.Result result =
        inProcessCli.run("runs", "rm", OLD, OLD.substring(0, 14), "-y", "--json");
    assertThat(result.err()).contains("Removed 1 run, 2.1 MB.");
    assertThat(result.json().path("removed")).extracting(JsonNode::asString).containsExactly(OLD);
  }

  @Test
  void reportNamesBestCheckpoint() throws Exception {
    Path store = folder.resolve("store");
    RunFolder run = ended(OLD, Duration.ofDays(3), SmallTestJob.meta("checkpoints", store));
    TrialRow best = RunRecord.read(run).best().orElseThrow();
    Path kept = store.resolve("trial-" + best.trial()).resolve("" + best.checkpoint());
    Files.createDirectories(kept);
    assertThat(inProcessCli.run("report", OLD).out())
        .contains("checkpoint    " + kept)
        .contains("next         continue from the best checkpoint, or retrain with the best");
  }

  @Test
  void removesNothingWithoutConfirmation() {
    RunFolder run = ended(OLD, Duration.ofDays(3));
    InProcessCli.Result result = inProcessCli.run("runs", "rm", OLD);
    assertThat(result.exit()).isEqualTo(3);
    assertThat(result.err()).contains("nothing was removed");
    assertThat(run.journal()).exists();
  }

  @Test
  void runInProgressIsNotRemoved() {
    try (ScriptedRun run = new ScriptedRun(home, NEW, SmallTestJob.meta())) {
      run.until(8);
      InProcessCli.Result result = inProcessCli.run("runs", "rm", NEW, "-y");
      assertThat(result.exit()).isEqualTo(2);
      assertThat(result.err()).contains(NEW + ": is running (stop it first: elastune stop " + NEW);
      assertThat(run.folder().journal()).exists();
    }
  }

  @Test
  void crashedRunIsCheckedWithTheCloud() {
    try (ScriptedRun run = new ScriptedRun(home, NEW, SmallTestJob.meta())) {
      run.until(8);
    }
    InProcessCli.Result result = inProcessCli.run("runs", "rm", NEW, "-y");
    assertThat(result.exit()).isZero();
    assertThat(result.out()).contains("(can be resumed until it is removed)");
    assertThat(RunFolder.of(home, NEW).path()).doesNotExist();
  }

  @Test
  void removesCheckpointsOnly() {
    RunFolder run = ended(OLD, Duration.ofDays(3));
    InProcessCli.Result result = inProcessCli.run("runs", "rm", OLD, "--checkpoints", "-y");
    assertThat(result.exit()).isZero();
    assertThat(result.out()).endsWith("Removed the checkpoints of 1 run, 2.0 MB.\n");
    assertThat(run.checkpointStore()).doesNotExist();
    assertThat(inProcessCli.run("report", OLD).out())
        .contains("checkpoint    no longer exists")
        .contains("next         retrain with the best configuration");
    assertThat(inProcessCli.run("runs", "rm", OLD, "--checkpoints", "-y").out())
        .endsWith("Removed the checkpoints of 1 run, 0 B.\n");
    assertThat(inProcessCli.run("runs", "list", "--json").json().get(0).path("bytes").asLong())
        .isLessThan(1_000_000);
  }

  @Test
  void removesRunsOlderThanAge() {
    ended(OLD, Duration.ofDays(31));
    ended(NEW, Duration.ofDays(29));
    InProcessCli.Result result =
        inProcessCli.run("runs", "rm", "--older-than", "30d", "-y", "--json");
    assertThat(result.json().path("removed")).extracting(JsonNode::asString).containsExactly(OLD);
    assertThat(RunFolder.of(home, NEW).journal()).exists();
    assertThat(inProcessCli.run("runs", "rm", "--older-than", "30d").out())
        .isEqualTo("No finished run is that old. Nothing to remove.\n");
  }

  @Test
  void removesCheckpointsStoredElsewhere() throws Exception {
    Path store = folder.resolve("store");
    Path own = Files.createDirectories(store.resolve(OLD).resolve("trial-1"));
    Path other = Files.createDirectories(store.resolve(NEW).resolve("trial-1"));
    ended(OLD, Duration.ofDays(3), SmallTestJob.meta("checkpoints", store.resolve(OLD)));
    assertThat(inProcessCli.run("runs", "rm", OLD, "-y").exit()).isZero();
    assertThat(own).doesNotExist();
    assertThat(other).exists();
  }

  @Test
  void keepsSharedCheckpointFolder() throws Exception {
    Path store = Files.createDirectories(folder.resolve("store"));
    ended(OLD, Duration.ofDays(3), SmallTestJob.meta("checkpoints", store));
    assertThat(inProcessCli.run("runs", "rm", OLD, "-y").exit()).isZero();
    assertThat(store).exists();
  }

  @Test
  void removesLinkButNotItsTarget() throws Exception {
    Path precious = Files.writeString(folder.resolve("data.txt"), "precious");
    RunFolder run = ended(OLD, Duration.ofDays(3));
    Files.createSymbolicLink(run.path().resolve("link"), folder);
    assertThat(inProcessCli.run("runs", "rm", OLD, "-y").exit()).isZero();
    assertThat(precious).exists();
  }

  @Test
  void rejectsCommandWithoutRuns() {
    InProcessCli.Result result = inProcessCli.run("runs", "rm");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("specify runs or --older-than");
  }
}
