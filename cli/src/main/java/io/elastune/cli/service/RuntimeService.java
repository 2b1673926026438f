package io.elastune.cli.service;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.inspect.RunProviders;
import io.elastune.cli.json.RemovedDocument;
import io.elastune.cli.text.TextTable;
import io.elastune.executor.engine.NodeRuntime;
import io.elastune.executor.engine.NodeRuntimes;
import io.elastune.executor.engine.RuntimeSources;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Implements the commands {@code runtime build|list|rm}. */
public final class RuntimeService {
  private static final long BYTES_PER_MB = 1_000_000;

  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final NodeRuntimes runtimes;

  public RuntimeService(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    runtimes = RunProviders.runtimes(cliEnvironment.cloudContext());
  }

  /**
   * Builds a runtime.
   *
   * @param interpreter an archive of the user; empty for the shipped one
   * @param sha256 the SHA-256 of that archive
   * @param wheels a folder with all wheels
   */
  public ExitCode build(Optional<String> interpreter, String sha256, Optional<String> wheels) {
    RuntimeSources sources =
        new RuntimeSources(
            interpreter.map(
                file -> new RuntimeSources.Interpreter(cliEnvironment.path(file), sha256)),
            wheels.map(cliEnvironment::path));
    NodeRuntime built = runtimes.build(sources, output.text()::println);
    output
        .text()
        .printf(
            "Built %s: %s, %d MB, for %s with glibc %s or newer.%n",
            built.version(),
            built.contents(),
            built.bytes() / BYTES_PER_MB,
            built.architecture(),
            built.glibc());
    output.text().println("Its licenses: " + built.folder().resolve("LICENSES.txt"));
    output.jsonDocument(() -> RuntimeDocument.of(built));
    return ExitCode.DONE;
  }

  /** Lists all runtimes, the newest first. */
  public ExitCode list() {
    List<NodeRuntime> all = runtimes.list();
    if (all.isEmpty()) {
      output.text().println("No node runtimes. 'elastune runtime build' creates one.");
    } else {
      TextTable table =
          new TextTable().left("version").left("contents").left("for").right("MB").left("built");
      all.forEach(
          one ->
              table.row(
                  one.version(),
                  one.contents(),
                  one.architecture() + ", glibc " + one.glibc(),
                  one.bytes() / BYTES_PER_MB,
                  one.built()));
      table.lines().forEach(output.text()::println);
    }
    output.jsonDocument(() -> all.stream().map(RuntimeDocument::of).toList());
    return ExitCode.DONE;
  }

  /** Removes a runtime. */
  public ExitCode remove(String version) {
    NodeRuntime removed =
        runtimes
            .remove(version)
            .orElseThrow(
                () ->
                    CommandFailure.invalid(
                        version, "no such node runtime", "see 'elastune runtime list'"));
    output.text().println("Removed " + removed.version() + ".");
    output.jsonDocument(() -> new RemovedDocument(removed.version()));
    return ExitCode.DONE;
  }

  /** A runtime in the documents of {@code runtime build --json} and {@code runtime list --json}. */
  public record RuntimeDocument(
      @JsonPropertyDescription("Its version.") String version,
      @JsonPropertyDescription("Its interpreter and packages.") String contents,
      @JsonPropertyDescription("The processors for which it is.") String architecture,
      @JsonPropertyDescription("The oldest version of the GNU C library with which it runs.")
          String glibc,
      @JsonPropertyDescription("The archive that instances fetch.") String archive,
      @JsonPropertyDescription("The SHA-256 of the archive.") String sha256,
      @JsonPropertyDescription("The size of the archive in bytes.") long bytes,
      @JsonPropertyDescription("When it was built.") Instant built) {
    static RuntimeDocument of(NodeRuntime runtime) {
      return new RuntimeDocument(
          runtime.version(),
          runtime.contents(),
          runtime.architecture(),
          runtime.glibc(),
          runtime.archive().toString(),
          runtime.sha256(),
          runtime.bytes(),
          runtime.built());
    }
  }
}
