package io.elastune.cli.service;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.text.JobName;
import io.elastune.core.ShellWord;
import io.elastune.core.field.Word;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Implements the command {@code init}: writes the files of a first job. */
public final class InitService {
  private static final int COMMAND_WIDTH = 32;
  private static final String DEFAULT_NAME = "my-job";
  private static final String JOB = "job.yaml";
  private static final String RUN = "profiles, plans, asks for confirmation, and tunes";

  private final CliEnvironment cliEnvironment;
  private final Output output;

  /** The trial that {@code init} writes. */
  public enum Example implements Word {
    SHELL("train.sh", "train.sh", "sh", ""),
    NUMPY("train.py", "train-numpy.py", "python3", "elastune_trial.py"),
    TORCH("train.py", "train-torch.py", "python3", "elastune_trial.py");

    private final String script;
    private final String template;
    private final String interpreter;

    /** The file that the script needs beside it; empty if none. */
    private final String library;

    Example(String script, String template, String interpreter, String library) {
      this.script = script;
      this.template = template;
      this.interpreter = interpreter;
      this.library = library;
    }

    /** Returns the names of the files to write, each with the name of its template. */
    private Map<String, String> files() {
      Map<String, String> files = new LinkedHashMap<>();
      files.put(JOB, JOB);
      files.put("offers.yaml", "offers.yaml");
      files.put(script, template);
      if (!library.isEmpty()) {
        files.put(library, library);
      }
      return files;
    }
  }

  public InitService(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
  }

  /**
   * Writes the job file of a command that runs in the current folder.
   *
   * @param command the command with values of its options
   * @param metric the name of the metric
   */
  public ExitCode writeCommand(String folder, String command, String metric) {
    CommandJob job = new CommandJob(command.strip());
    if (job.isEmpty()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          List.of(
              ErrorDetail.of(
                  "--command",
                  "has no option with a value to tune: " + command.strip(),
                  "for example \"python train.py --lr 0.1 --depth 3\"")));
    }
    Path target = cliEnvironment.path(folder);
    refuseExisting(target, List.of(JOB));
    Path current = cliEnvironment.path(".").toAbsolutePath().normalize();
    String workdir = target.toAbsolutePath().normalize().relativize(current).toString();
    try {
      Files.createDirectories(target);
      Files.writeString(
          target.resolve(JOB),
          job.text(jobName(target.toAbsolutePath()), metric, workdir.isEmpty() ? "." : workdir),
          StandardOpenOption.CREATE_NEW);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String written = cliEnvironment.displayPath(target.resolve(JOB));
    output.text().println("Wrote " + written + ".");
    output.text().println("Next:");
    next("edit " + ShellWord.of(written), "adapt the metric, and the ranges in search.space");
    next("elastune run " + ShellWord.of(written), RUN);
    output.jsonDocument(() -> new WrittenFiles(List.of(written)));
    return ExitCode.DONE;
  }

  /** Writes all files into {@code folder}, or none if one of them already exists. */
  public ExitCode write(String folder, Example example) {
    Path target = cliEnvironment.path(folder);
    Map<String, String> files = example.files();
    refuseExisting(target, files.keySet());
    try {
      Files.createDirectories(target);
      for (Map.Entry<String, String> file : files.entrySet()) {
        Files.writeString(
            target.resolve(file.getKey()),
            content(file.getValue(), target, example),
            StandardOpenOption.CREATE_NEW);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    showNextSteps(target, files.keySet());
    return ExitCode.DONE;
  }

  private void refuseExisting(Path target, Collection<String> files) {
    List<ErrorDetail> taken =
        files.stream()
            .map(target::resolve)
            .filter(Files::exists)
            .map(
                file ->
                    ErrorDetail.inFile(
                        cliEnvironment.displayPath(file),
                        0,
                        "",
                        "already exists",
                        "nothing was written"))
            .toList();
    if (!taken.isEmpty()) {
      throw new CommandFailure(ExitCode.USAGE, taken);
    }
  }

  private String content(String file, Path target, Example example) throws IOException {
    return template(file)
        .replace("${name}", jobName(target))
        .replace("${script}", example.script)
        .replace("${interpreter}", example.interpreter)
        .replace(
            "${date}",
            LocalDate.ofInstant(cliEnvironment.clock().instant(), ZoneOffset.UTC).toString());
  }

  private static String template(String file) throws IOException {
    String resource = "/io/elastune/cli/init/" + file;
    try (InputStream stream = InitService.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalStateException(resource + " is missing from the class path");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Returns the folder's name, reduced to the characters of a job name. */
  private static String jobName(Path folder) {
    Path last = folder.getFileName();
    return JobName.of(last == null ? "" : last.toString(), DEFAULT_NAME);
  }

  private void showNextSteps(Path target, Collection<String> files) {
    List<String> written =
        files.stream().map(file -> cliEnvironment.displayPath(target.resolve(file))).toList();
    output.text().println("Wrote " + String.join(", ", written) + ".");
    output.text().println("Next:");
    next("elastune run " + ShellWord.of(written.get(0)), RUN);
    next("edit " + ShellWord.of(written.get(2)), "replace the example with your own training");
    output.jsonDocument(() -> new WrittenFiles(written));
  }

  private void next(String command, String what) {
    output.text().println(String.format("  %-" + COMMAND_WIDTH + "s  %s", command, what));
  }

  /** The document of {@code init --json}. */
  public record WrittenFiles(
      @JsonPropertyDescription("The files that were written.") List<String> written) {}
}
