package io.elastune.cli.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A command that has been started. The launcher has become Java by exec, so that the process is the
 * controller itself.
 *
 * @param out what it prints, so far
 * @param err what it says, so far
 */
public record Started(Process process, Path out, Path err) {
  private static final int LONGEST_S = 240;
  private static final int LOOK_MS = 20;

  /** Waits until it has said something. */
  public Started says(String text) throws IOException, InterruptedException {
    for (int i = 0; i < LONGEST_S * 1000 / LOOK_MS; i++) {
      if (Files.readString(err).contains(text) || Files.readString(out).contains(text)) {
        return this;
      }
      if (!process.isAlive()) {
        break;
      }
      process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS);
    }
    throw new AssertionError("it has not said '" + text + "':\n" + said());
  }

  /** Sends it a signal by name, e.g. INT. */
  public Started signal(String name) throws IOException, InterruptedException {
    Programs.signal(process.pid(), name);
    return this;
  }

  /** Waits for its end. */
  public Ended end() throws IOException, InterruptedException {
    if (!process.waitFor(LONGEST_S, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("it has not ended:\n" + said());
    }
    return new Ended(process.exitValue(), Files.readString(out), told());
  }

  /** The launcher may have to build first, which it tells. */
  private String told() throws IOException {
    return Files.readString(err)
        .lines()
        .filter(line -> !line.startsWith("elastune: "))
        .reduce("", (all, line) -> all + line + "\n");
  }

  private String said() throws IOException {
    return Files.readString(out) + Files.readString(err);
  }
}
