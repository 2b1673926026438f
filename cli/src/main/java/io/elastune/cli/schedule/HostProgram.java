package io.elastune.cli.schedule;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Runs systemctl or crontab with the variables of the command, and finds them on its PATH. */
final class HostProgram {
  private final CliEnvironment cliEnvironment;

  HostProgram(CliEnvironment cliEnvironment) {
    this.cliEnvironment = cliEnvironment;
  }

  /** The result of a program; {@code out} includes its errors. */
  record Result(int exit, String out) {}

  Optional<Path> find(String program) {
    String path = cliEnvironment.variable("PATH").orElse("/usr/bin:/bin");
    return Arrays.stream(path.split(File.pathSeparator))
        .map(folder -> cliEnvironment.path(folder).resolve(program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Runs a program that must succeed, with {@code input} on its standard input. */
  String run(String input, String program, String... arguments) {
    Result result = result(input, program, arguments);
    if (result.exit() != 0) {
      throw CommandFailure.of(
          ExitCode.USAGE,
          program + " " + String.join(" ", arguments),
          "failed with exit code " + result.exit() + ": " + result.out().strip(),
          "the other timers are --crontab and --systemd");
    }
    return result.out();
  }

  Result result(String input, String program, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(
        find(program)
            .map(Path::toString)
            .orElseThrow(
                () ->
                    CommandFailure.invalid(
                        program,
                        "is not on the PATH",
                        "install it, or choose --crontab or --systemd")));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(cliEnvironment.environment());
    try {
      Process process = builder.start();
      try (var stream = process.getOutputStream()) {
        stream.write(input.getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        // The program ended without reading its input. Its exit code shows whether it succeeded.
      }
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Result(process.waitFor(), out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
