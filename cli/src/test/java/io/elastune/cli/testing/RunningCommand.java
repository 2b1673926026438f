package io.elastune.cli.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A running command. The launcher replaces itself with Java by exec, so the process is the
 * controller itself.
 *
 * @param out the file of its standard output
 * @param err the file of its standard error
 */
public record RunningCommand(Process process, Path out, Path err) {
  private static final int TIMEOUT_S = 240;
  private static final int POLL_MS = 20;

  /** Starts a command in a folder, without standard input; files of its output are there, too. */
  public static RunningCommand start(ProcessBuilder builder, Path folder) throws IOException {
    Path out = Files.createTempFile(folder, "out", "");
    Path err = Files.createTempFile(folder, "err", "");
    Process process =
        builder
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    process.getOutputStream().close();
    return new RunningCommand(process, out, err);
  }

  /** Waits until its output contains {@code text}. */
  public RunningCommand awaitOutput(String text) throws IOException, InterruptedException {
    for (int i = 0; i < TIMEOUT_S * 1000 / POLL_MS; i++) {
      if (Files.readString(err).contains(text) || Files.readString(out).contains(text)) {
        return this;
      }
      if (!process.isAlive()) {
        break;
      }
      process.waitFor(POLL_MS, TimeUnit.MILLISECONDS);
    }
    throw new AssertionError("no output '" + text + "':\n" + output());
  }

  /** Sends a signal by name, e.g. INT. */
  public RunningCommand signal(String name) throws IOException, InterruptedException {
    ExternalPrograms.signal(process.pid(), name);
    return this;
  }

  /** Waits until it exits. */
  public CommandResult awaitExit() throws IOException, InterruptedException {
    if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("timeout:\n" + output());
    }
    return new CommandResult(process.exitValue(), Files.readString(out), errors());
  }

  /** Returns standard error without the launcher's messages about a build, and the JVM's. */
  private String errors() throws IOException {
    return Files.readString(err)
        .lines()
        .filter(line -> !line.startsWith("elastune: "))
        .filter(line -> !line.startsWith("NOTE: Picked up JDK_JAVA_OPTIONS"))
        .reduce("", (all, line) -> all + line + "\n");
  }

  private String output() throws IOException {
    return Files.readString(out) + Files.readString(err);
  }
}
