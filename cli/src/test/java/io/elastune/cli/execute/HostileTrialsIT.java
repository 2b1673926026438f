package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.properties.Tier;
import io.elastune.core.text.VisibleText;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.journal.TrialRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/**
 * Runs hostile trials on two instances, together with ordinary ones: the others lose nothing, each
 * hostile one loses at most one attempt, and nothing is left. {@code hostile.sh} has what they do.
 */
@Execution(ExecutionMode.CONCURRENT)
@EnabledOnOs(OS.LINUX)
class HostileTrialsIT {
  private static final String SECRET = "s3cr3tTOKEN99";

  /** Some of them, for every day: they take no time limit. */
  private static final List<String> SAMPLE =
      List.of("orphan", "orphaned", "listed_pipe", "log_pipe", "attempt_files", "escapes");

  private static final List<String> ALL =
      List.of(
          "child",
          "children",
          "grandchild",
          "session",
          "cleared",
          "orphan",
          "holder",
          "offspring",
          "heir",
          "orphaned",
          "orphaned2",
          "orphaned3",
          "suspended_keeper",
          "suspended",
          "suspended_guard",
          "unguarded",
          "group",
          "segment",
          "deaf",
          "stubborn",
          "silent",
          "memory",
          "nul",
          "huge",
          "deep",
          "pipe",
          "folder",
          "device",
          "listed_pipe",
          "outside",
          "descriptor",
          "loop",
          "sparse",
          "many",
          "names",
          "units",
          "nested",
          "socket",
          "link",
          "file",
          "denied",
          "renamed",
          "hard_links",
          "overwrite",
          "attempt_files",
          "forged_exit",
          "log_pipe",
          "log_device",
          "output",
          "line",
          "noise",
          "reports",
          "channel",
          "thief",
          "no_channel",
          "metrics",
          "escapes",
          "secret_file",
          "numbers",
          "again");

  /** They fail in every attempt, or are not tried again. */
  private static final Set<String> HOPELESS = Set.of("again", "memory");

  private static final double USD_PER_S = 0.36 / 3600;

  @TempDir Path folder;

  /** The seconds that processes sleep which the trials of this test leave. */
  private final String mark = UUID.randomUUID().toString().replaceAll("[^1-9]", "").substring(0, 7);

  @Test
  void othersLoseNothing() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder).with("MYSEC", SECRET);
    List<String> hostile = Tier.isNightly() ? ALL : SAMPLE;
    List<String> values = new ArrayList<>();
    for (int i = 0; i < hostile.size(); i++) {
      if (i % 6 == 0) {
        values.add("well" + i);
      }
      values.add(hostile.get(i));
    }
    TinyJob.copy("hostile.sh", Files.createDirectories(folder.resolve("jobs")));
    Path job =
        new TinyJob("hostile")
            .search(
                "{algorithm: grid, ",
                "max: 2",
                "does: {type: choice, values: [" + String.join(", ", values) + "]}")
            .with(
                "trial",
                "{run: exec sh hostile.sh, envs: {MARK: \""
                    + mark
                    + "\"}, secrets: [MYSEC], max_failures: 1}")
            .with(
                "resources",
                "{infra: [local], offers: offers.yaml, instance_types: [solo], instances: 2}")
            .profile("[{gpus: 1, seconds: 0.1}]")
            .with("notify", "[{command: \"cat >> " + folder + "/notes\", on: [finished]}]")
            .with("deadline", "60m")
            .write(folder.resolve("jobs"));

    CommandResult run = elastune.inProcess("run", job.toString(), "-y", "--json").assertExit(0);

    JsonNode end = run.lastLine();
    assertThat(end.path("instances_left").asInt(-1)).isZero();
    assertThat(left()).isEmpty();
    Leftovers.assertNone(elastune.home(), run.run());
    try (RunReader journal = RunReader.open(RunFolder.of(elastune.home(), run.run()))) {
      check(journal);
    }
    String report = elastune.inProcess("report", run.run()).assertExit(0).out();
    String csv = elastune.inProcess("report", run.run(), "--csv", "-").out().replace("\r\n", "\n");
    JsonNode document = elastune.inProcess("report", run.run(), "--json").assertExit(0).json();
    Path page = folder.resolve("page.html");
    elastune.inProcess("report", run.run(), "--html", page.toString()).assertExit(0);
    String notes = Files.readString(folder.resolve("notes"));
    for (String shown :
        List.of(
            run.out(),
            run.err(),
            report,
            csv,
            notes,
            document.toString(),
            Files.readString(page))) {
      assertThat(shown).doesNotContain(SECRET);
      assertThat(VisibleText.firstInvisible(shown, "\n\t")).isEmpty();
    }
    assertThat(withSecret(elastune.home())).isEmpty();
    checkCost(document);
  }

  /** The instances are released within the grace period, whatever files the trials have left. */
  @Test
  @Tag(Tier.NIGHTLY)
  void stopAtTheDeadlineReleases() throws Exception {
    LauncherProcess elastune = LauncherProcess.in(folder);
    TinyJob.copy("hostile.sh", Files.createDirectories(folder.resolve("jobs")));
    Path job =
        new TinyJob("late")
            .search(
                "{algorithm: grid, ",
                "max: 2",
                "does: {type: choice, values: [nul, huge, deep, pipe, sparse, many, units, link]}")
            .with("trial", "{run: exec sh hostile.sh, envs: {MARK: \"" + mark + "\", LATE: \"1\"}}")
            .instanceTypes("hall")
            .profile("[{gpus: 1, seconds: 0.1}]")
            .with("deadline", "15s")
            .with("deadline_miss", "stop")
            .write(folder.resolve("jobs"));

    CommandResult run = elastune.inProcess("run", job.toString(), "-y", "--json").assertExit(13);

    assertThat(left()).isEmpty();
    Leftovers.assertNone(elastune.home(), run.run());
    JsonNode document = elastune.inProcess("report", run.run(), "--json").assertExit(0).json();
    for (JsonNode lease : document.path("leases")) {
      Instant requested = Instant.parse(lease.path("requested").asString());
      Instant released = Instant.parse(lease.path("released").asString());
      assertThat(Duration.between(requested, released)).isLessThan(Duration.ofSeconds(15 + 45));
    }
  }

  private static void check(RunReader journal) {
    SoftAssertions softly = new SoftAssertions();
    for (TrialRow row : journal.trials()) {
      String does = String.valueOf(row.config().get("does"));
      if (does.startsWith("well")) {
        softly.assertThat(row.status()).as(does).isEqualTo(TrialState.Status.COMPLETED);
        softly.assertThat(row.failures()).as(does).isZero();
        softly.assertThat(row.attempts()).as(does).isEqualTo(1);
      } else if (HOPELESS.contains(does)) {
        softly.assertThat(row.status()).as(does).isEqualTo(TrialState.Status.FAILED);
      } else {
        softly.assertThat(row.status()).as(does).isEqualTo(TrialState.Status.COMPLETED);
        softly.assertThat(row.attempts()).as(does).isBetween(1, 2);
      }
    }
    softly.assertAll();
  }

  /**
   * The cost of each lease is its price for its whole seconds, and their sum is that of the run.
   */
  private static void checkCost(JsonNode document) {
    double sum = 0;
    for (JsonNode lease : document.path("leases")) {
      Instant running = Instant.parse(lease.path("running").asString());
      Instant released = Instant.parse(lease.path("released").asString());
      double usd = Math.ceil(Duration.between(running, released).toMillis() / 1e3) * USD_PER_S;
      assertThat(lease.path("usd").asDouble()).as(lease.toString()).isCloseTo(usd, offset(1e-9));
      sum += usd;
    }
    assertThat(document.path("cost_usd").asDouble()).isCloseTo(sum, offset(1e-9));
  }

  private List<String> left() {
    return ProcessHandle.allProcesses()
        .flatMap(process -> process.info().commandLine().stream())
        .filter(command -> command.contains(mark))
        .toList();
  }

  private static List<Path> withSecret(Path home) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        boolean isOfTrial = file.toString().contains("/trials/");
        if (!isOfTrial && Files.size(file) < 200_000_000) {
          String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
          if (text.contains(SECRET)) {
            found.add(file);
          }
        }
      }
    }
    return found;
  }
}
