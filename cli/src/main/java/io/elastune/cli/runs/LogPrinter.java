package io.elastune.cli.runs;

import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Prints lines of several logs, with a header where another one's begin. */
final class LogPrinter {
  private final World world;
  private final boolean json;
  private final boolean headers;
  private final Map<LogSource, LogFile> files = new LinkedHashMap<>();
  private Optional<LogSource> last = Optional.empty();

  /**
   * Prints to the world's standard output.
   *
   * @param headers whether to say whose lines they are
   */
  LogPrinter(World world, Output output, boolean headers) {
    this.world = world;
    this.json = output.json();
    this.headers = headers;
  }

  /** Prints what is new of one log. */
  void print(LogSource source) {
    files
        .computeIfAbsent(source, some -> new LogFile(some.path()))
        .drain(line -> line(source, line));
  }

  /** Prints last lines that have no end. */
  void finish() {
    files.forEach((source, file) -> file.finish(line -> line(source, line)));
  }

  /** Whether nothing has been printed. */
  boolean silent() {
    return last.isEmpty();
  }

  private void line(LogSource source, String line) {
    boolean other = !last.equals(Optional.of(source));
    if (json) {
      world.out().println(source.key().deepCopy().put("line", line));
    } else {
      if (other && headers) {
        world.out().println((last.isPresent() ? "\n" : "") + "==> " + source.title() + " <==");
      }
      world.out().println(line);
    }
    last = Optional.of(source);
  }
}
