package io.elastune.cli.runs;

import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Prints the lines of several logs, with a header wherever the source changes. */
final class LogPrinter {
  private final World world;
  private final boolean json;
  private final boolean headers;
  private final Map<LogSource, LogFile> files = new LinkedHashMap<>();
  private Optional<LogSource> last = Optional.empty();

  /**
   * Prints to standard output.
   *
   * @param headers whether to print a header with the source
   */
  LogPrinter(World world, Output output, boolean headers) {
    this.world = world;
    this.json = output.json();
    this.headers = headers;
  }

  /** Prints the new lines of one log. */
  void print(LogSource source) {
    files
        .computeIfAbsent(source, some -> new LogFile(some.path()))
        .drain(line -> line(source, line));
  }

  /** Prints last lines without a line end. */
  void finish() {
    files.forEach((source, file) -> file.finish(line -> line(source, line)));
  }

  /** Returns whether nothing has been printed. */
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
