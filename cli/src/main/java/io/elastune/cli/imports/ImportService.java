package io.elastune.cli.imports;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.text.Plural;
import io.elastune.core.ShellWord;
import io.elastune.core.config.FileProblem;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.config.yaml.ByteOrderMark;
import io.elastune.core.config.yaml.ListNode;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.files.LimitedFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Implements the command {@code import}: writes the job file of a search of another tool. */
public final class ImportService {
  private static final byte[] SQLITE = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
  private static final int FIRST_LINE = 64 << 10;
  private static final int MOST_TEXT = 16_000_000;

  private final CliEnvironment cliEnvironment;
  private final Output output;

  public ImportService(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
  }

  /**
   * Writes the job file.
   *
   * @param file the file to import
   * @param target the job file
   * @param study the study of Optuna, if the file has several
   */
  public ExitCode write(String file, String target, Optional<String> study) {
    Path written = cliEnvironment.path(target);
    if (Files.exists(written)) {
      throw new CommandFailure(
          ExitCode.USAGE,
          List.of(
              ErrorDetail.inFile(
                  cliEnvironment.displayPath(written),
                  0,
                  "",
                  "already exists",
                  "nothing was written; -o names another file")));
    }
    ImportedSearch search = read(cliEnvironment.path(file), file, study);
    if (search.isConstant()) {
      throw CommandFailure.usage(
          file, "", "has no hyperparameter to tune, read as " + search.kind());
    }
    ImportedJob job = new ImportedJob(search, file);
    check(file, search, job);
    try {
      if (written.toAbsolutePath().getParent() != null) {
        Files.createDirectories(written.toAbsolutePath().getParent());
      }
      Files.writeString(written, job.text(), StandardOpenOption.CREATE_NEW);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    show(cliEnvironment.displayPath(written), file, search, job);
    return ExitCode.DONE;
  }

  /** Refuses a file with values that no job has, and names their lines in the imported file. */
  private static void check(String file, ImportedSearch search, ImportedJob job) {
    List<FileProblem> problems =
        JobFile.parse(file, job.text(), Overrides.NONE).match(valid -> List.of(), found -> found);
    if (problems.isEmpty()) {
      return;
    }
    throw new CommandFailure(
        ExitCode.USAGE,
        problems.stream()
            .map(
                problem ->
                    ErrorDetail.inFile(
                        file,
                        search.line(problem.field()),
                        problem.field(),
                        problem.message(),
                        problem.hint()))
            .toList());
  }

  private void show(String written, String file, ImportedSearch search, ImportedJob job) {
    output
        .text()
        .println(
            file
                + " is "
                + search.kind()
                + " with "
                + Plural.counted(search.space().size(), "hyperparameter")
                + ".");
    output.text().println("Wrote " + written + ".");
    if (!search.notes().isEmpty()) {
      output.text().println("What has no counterpart in it, or is to be checked:");
      search.notes().forEach(note -> output.text().println("  " + note.text(file)));
    }
    output.text().println("Next:");
    output.text().println("  elastune plan " + ShellWord.of(written));
    output.jsonDocument(
        () ->
            new ImportDocument(
                written,
                search.kind(),
                job.name(),
                job.metric(),
                job.goal(),
                search.isGrid() ? "grid" : "random",
                search.trials(),
                search.space().keySet().stream().toList(),
                search.notes()));
  }

  private ImportedSearch read(Path path, String file, Optional<String> study) {
    try {
      if (isDatabase(path)) {
        return OptunaImport.read(OptunaImport.select(file, OptunaDatabase.read(path), study));
      }
      if (isJournal(path)) {
        return OptunaImport.read(OptunaImport.select(file, OptunaJournal.read(path), study));
      }
      if (study.isPresent()) {
        throw CommandFailure.invalid(
            "--study", "is used with studies of Optuna only", "leave it out");
      }
      List<FileProblem> remarks = new ArrayList<>();
      ImportedSearch search =
          read(file, FileTree.read(file, ByteOrderMark.strip(text(path, file)), remarks::add));
      remarks.forEach(it -> search.note(it.line(), it.field(), it.message()));
      return search;
    } catch (OptunaDatabase.ReadException e) {
      throw CommandFailure.usage(file, "", String.valueOf(e.getMessage()));
    } catch (CharacterCodingException e) {
      throw unknown(file);
    } catch (IOException e) {
      throw CommandFailure.usage(
          file, "", Files.exists(path) ? "cannot be read: " + e.getMessage() : "no such file");
    }
  }

  private static ImportedSearch read(String file, YamlNode root) {
    if (root instanceof ListNode list && !list.items().isEmpty()) {
      return RaySpaceImport.read(list);
    }
    if (!(root instanceof MapNode map) || map.entries().isEmpty()) {
      throw unknown(file);
    }
    if (TuningJobImport.accepts(map)) {
      return TuningJobImport.read(map);
    }
    return SweepImport.accepts(map) ? SweepImport.read(map) : RaySpaceImport.read(map);
  }

  private static CommandFailure unknown(String file) {
    return CommandFailure.usage(
        file,
        "",
        "is no study of Optuna (SQLite or journal file), sweep of W&B, search space of Ray Tune"
            + " (JSON) or tuning job of SageMaker (JSON)");
  }

  private static boolean isDatabase(Path path) throws IOException {
    try (InputStream stream = Files.newInputStream(path)) {
      return Arrays.equals(stream.readNBytes(SQLITE.length), SQLITE);
    }
  }

  /** The first operation of a journal creates a study, in a short line. */
  private static boolean isJournal(Path path) throws IOException {
    try (InputStream stream = Files.newInputStream(path)) {
      String begin = new String(stream.readNBytes(FIRST_LINE), StandardCharsets.UTF_8);
      return begin.lines().findFirst().filter(OptunaJournal::accepts).isPresent();
    }
  }

  private static String text(Path path, String file) throws IOException {
    try {
      byte[] bytes = LimitedFile.read(path, MOST_TEXT);
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (LimitedFile.TooLargeException e) {
      throw CommandFailure.usage(
          file, "", e.getMessage() + ", which no search is, and no database of SQLite");
    }
  }

  /** The document of {@code import --json}. */
  public record ImportDocument(
      @JsonPropertyDescription("The job file that was written.") String written,
      @JsonPropertyDescription("What the imported file is.") String kind,
      @JsonPropertyDescription("The name of the job.") String name,
      @JsonPropertyDescription("The name of the metric.") String metric,
      @JsonPropertyDescription("Whether higher or lower values are better.") String goal,
      @JsonPropertyDescription("The search algorithm.") String algorithm,
      @JsonPropertyDescription("The number of trials in the imported file; null if it has none.")
          Optional<Integer> trials,
      @JsonPropertyDescription("The names of the hyperparameters.") List<String> parameters,
      @JsonPropertyDescription("What has no counterpart in the job, or is to be checked.")
          List<ImportNote> notes) {}
}
