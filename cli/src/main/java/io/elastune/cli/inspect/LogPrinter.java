package io.elastune.cli.inspect;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Prints the lines of several logs, with a header wherever the source changes. */
final class LogPrinter {
  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final boolean headers;
  private final boolean raw;
  private final Map<LogSource, LogTailer> files = new LinkedHashMap<>();
  private final LogMarks marks;
  private Optional<String> last;

  /**
   * Prints to standard output.
   *
   * @param headers whether to print a header with the source
   * @param raw whether to print the bytes of the trials, with everything that terminals execute
   */
  LogPrinter(CliEnvironment cliEnvironment, Output output, boolean headers, boolean raw) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    this.headers = headers;
    this.raw = raw;
    this.marks = new LogMarks(cliEnvironment);
    this.last = marks.lastTitle();
  }

  /** Prints the new lines of one log. */
  void print(LogSource source) {
    files
        .computeIfAbsent(source, some -> new LogTailer(some.path(), marks.printed(some)))
        .readNewLines(line -> line(source, line));
    marks.flush(files, last);
  }

  /** Prints last lines without a line end. */
  void finish() {
    files.forEach((source, file) -> file.readUnfinishedLine(line -> line(source, line)));
    marks.flush(files, last);
  }

  /** Returns whether nothing has been printed. */
  boolean isEmpty() {
    return last.isEmpty();
  }

  private static byte[] shown(byte[] line) {
    String text = new String(line, StandardCharsets.UTF_8);
    return TerminalLog.shown(text).getBytes(StandardCharsets.UTF_8);
  }

  private void line(LogSource source, byte[] line) {
    boolean other = !last.equals(Optional.of(source.title()));
    if (output.json()) {
      output.jsonLine(() -> source.document(new String(line, StandardCharsets.UTF_8)));
    } else {
      if (other && headers) {
        cliEnvironment
            .out()
            .println((last.isPresent() ? "\n" : "") + "==> " + source.title() + " <==");
      }
      cliEnvironment.out().writeBytes(raw ? line : shown(line));
      cliEnvironment.out().println();
    }
    last = Optional.of(source.title());
    marks.line(files, last);
  }
}
