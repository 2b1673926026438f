package io.elastune.cli.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.core.config.FileProblem;
import io.elastune.core.config.FileProblemsException;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.journal.JournalException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExceptionMapperTest {
  private static final Instant NOW = Instant.parse("2026-11-23T08:00:00Z");

  @TempDir Path folder;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void internalErrorIsOneLineAndAFile() throws IOException {
    Failure failure = failures("plan", "job.yaml").map(new IllegalStateException("no offer x"));

    Path file = folder.resolve("home/crash-20261123T080000.000Z.log");
    assertThat(failure.exit()).isEqualTo(ExitCode.INTERNAL_ERROR);
    assertThat(failure.problems())
        .singleElement()
        .hasToString(
            "internal error (a bug in Elastune): java.lang.IllegalStateException: no offer x"
                + (" (report it with the file " + file + ")"));
    assertThat(Files.readString(file)).contains("arguments: plan job.yaml", "\tat io.elastune");
    assertThat(err.size()).isZero();
  }

  @Test
  void verboseShowsStackTrace() {
    failures("plan", "-v").map(new IllegalStateException("no offer x"));
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("\tat io.elastune");
  }

  @Test
  void unwritableHomeHidesNoInternalError() throws IOException {
    Files.writeString(folder.resolve("home"), "not a folder");
    Failure failure = failures("plan").map(new IllegalStateException("no offer x"));
    assertThat(failure.exit()).isEqualTo(ExitCode.INTERNAL_ERROR);
    assertThat(failure.problems().get(0).toString()).contains("-v");
  }

  @Test
  void fullDiskLeavesCleanupUnconfirmed() {
    Failure failure =
        failures("run", "job.yaml")
            .map(new JournalException("cannot write the journal: disk is full", new IOException()));
    assertThat(failure.exit()).isEqualTo(ExitCode.of(RunOutcome.CLEANUP_UNCONFIRMED));
    assertThat(failure.problems().get(0).toString())
        .contains("journal: disk is full", "free disk space in");
  }

  @Test
  void missingFileIsNoInternalError() {
    Failure failure =
        failures("plan").map(new UncheckedIOException(new NoSuchFileException("a/b.json")));
    assertThat(failure.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(failure.problems()).singleElement().hasToString("a/b.json: no such file or folder");
  }

  @Test
  void fullDiskIsNoInternalError() {
    Failure failure =
        failures("init", "new")
            .map(new UncheckedIOException(new IOException("No space left on device")));
    assertThat(failure.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(failure.problems())
        .singleElement()
        .hasToString(
            "cannot write a file: No space left on device (free disk space, then try again)");
  }

  @Test
  void fileNameThatTheLocaleCannotEncodeIsNoInternalError() {
    Failure failure =
        failures("run").map(new InvalidPathException("h\u00e9", "unmappable characters"));
    assertThat(failure.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(failure.problems())
        .singleElement()
        .hasToString(
            "h\u00e9: the locale cannot represent this file name: unmappable characters"
                + " (set a locale with UTF-8, e.g. export LC_ALL=C.UTF-8)");
  }

  /** A command reads the sections that it needs, one after the other. */
  @Test
  void problemsOfSettingsAreThoseOfAllSections() throws IOException {
    Path settings = Files.createDirectories(folder.resolve("home")).resolve("clouds.yaml");
    Files.writeString(
        settings,
        """
        rented_nodes: {head_prot: 1}
        ray: {lab: {address: lab-head}}
        gcp: {regions: {us-cnetral1: {image: a/b}}}
        aws: {us-esat-2: {launch_template: lt-0f}}
        """);
    FileProblem first = new FileProblem(settings.toString(), 4, "aws", "as one section says", "");
    Failure failure = failures("run").map(new FileProblemsException(List.of(first)));
    assertThat(failure.exit()).isEqualTo(ExitCode.USAGE);
    assertThat(failure.problems())
        .extracting(problem -> problem.line().getAsInt() + " " + problem.field().orElse(""))
        .containsExactly(
            "1 rented_nodes.head_prot",
            "2 ray.lab.address",
            "3 gcp.regions.us-cnetral1",
            "4 aws",
            "4 aws.us-esat-2");
  }

  /** Each part of the installation knows other sections, and all refuse such a file alike. */
  @Test
  void settingsThatAreNoMapAreOneProblem() throws IOException {
    Path settings = Files.createDirectories(folder.resolve("home")).resolve("clouds.yaml");
    Files.writeString(settings, "- aws\n");
    FileProblem first =
        new FileProblem(settings.toString(), 1, "", "must be a map, not a list", "");
    Failure failure = failures("run").map(new FileProblemsException(List.of(first)));
    assertThat(failure.problems())
        .singleElement()
        .hasToString(settings + ":1: must be a map, not a list");
  }

  @Test
  void problemsOfOtherFilesAreNotCompleted() throws IOException {
    Path settings = Files.createDirectories(folder.resolve("home")).resolve("clouds.yaml");
    Files.writeString(settings, "ray: {lab: {address: lab-head}}");
    FileProblem job = new FileProblem("job.yaml", 4, "name", "is missing", "");
    assertThat(failures("run").map(new FileProblemsException(List.of(job))).problems())
        .singleElement()
        .hasToString("job.yaml:4: name: is missing");
  }

  private ExceptionMapper failures(String... arguments) {
    CliEnvironment cliEnvironment =
        new CliEnvironment(
            System.out,
            new PrintStream(err, true, StandardCharsets.UTF_8),
            new ByteArrayInputStream(new byte[0]),
            Map.of("ELASTUNE_HOME", folder.resolve("home").toString()),
            folder,
            InstantSource.fixed(NOW),
            false);
    return new ExceptionMapper(cliEnvironment, List.of(arguments));
  }
}
