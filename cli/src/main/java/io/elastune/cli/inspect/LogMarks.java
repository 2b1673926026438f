package io.elastune.cli.inspect;

import io.elastune.cli.env.CliEnvironment;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Positions in the output of {@code logs -f}, printed as lines of their own for {@code elastune
 * --host}. After a broken connection, the output continues at the last one that has arrived.
 */
public final class LogMarks {
  /** The environment variable with the beginning of the lines; none are printed without it. */
  public static final String PREFIX = "ELASTUNE_LOG_MARKS";

  /** The environment variable with the position to continue at. */
  public static final String POSITION = "ELASTUNE_LOG_POSITION";

  private static final int LINES_PER_MARK = 200;
  private static final String BYTES = "bytes";
  private static final String LAST = "last";

  private final CliEnvironment cliEnvironment;
  private final Optional<String> prefix;
  private final JsonNode begin;
  private int lines;

  LogMarks(CliEnvironment cliEnvironment) {
    this.cliEnvironment = cliEnvironment;
    this.prefix = cliEnvironment.variable(PREFIX);
    this.begin =
        cliEnvironment
            .variable(POSITION)
            .map(JsonMapper.shared()::readTree)
            .orElseGet(JsonNodeFactory.instance::objectNode);
  }

  /** Returns the number of bytes of a log that were already printed. */
  long printed(LogSource source) {
    return begin.path(BYTES).path(name(source)).asLong(0);
  }

  /** Returns the title of the log that the last printed line belongs to. */
  Optional<String> lastTitle() {
    return begin.path(LAST).isString()
        ? Optional.of(begin.path(LAST).asString())
        : Optional.empty();
  }

  private static String name(LogSource source) {
    return String.valueOf(source.path().getFileName());
  }

  /** Counts a line, and prints a mark after some of them. */
  void line(Map<LogSource, LogTailer> files, Optional<String> last) {
    lines++;
    if (lines % LINES_PER_MARK == 0) {
      print(files, last);
    }
  }

  /** Prints a mark, if lines were printed since the last one. */
  void flush(Map<LogSource, LogTailer> files, Optional<String> last) {
    if (lines % LINES_PER_MARK != 0) {
      print(files, last);
    }
    lines = 0;
  }

  private void print(Map<LogSource, LogTailer> files, Optional<String> last) {
    if (prefix.isEmpty()) {
      return;
    }
    ObjectNode position = JsonNodeFactory.instance.objectNode();
    ObjectNode bytes = position.putObject(BYTES);
    files.forEach((source, file) -> bytes.put(name(source), file.emitted()));
    last.ifPresent(title -> position.put(LAST, title));
    ObjectNode mark = JsonNodeFactory.instance.objectNode();
    mark.set("position", position);
    cliEnvironment.out().println(prefix.get() + mark);
  }
}
