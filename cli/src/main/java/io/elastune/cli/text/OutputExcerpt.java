package io.elastune.cli.text;

import io.elastune.executor.decision.model.FailureCause;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Shortens a message that ends with a program's output to one line: the event, and the last line of
 * output that names an exception, or else its last line. Standard output and standard error may
 * arrive in another order than they were written.
 */
public final class OutputExcerpt {
  /** What introduces the output of an engine, and that of the boot of a rented node. */
  private static final Pattern OUTPUT_FOLLOWS =
      Pattern.compile("; (last lines|end of its output):$");

  /** Enough for a cause and its remedy. */
  private static final int MOST_LETTERS = 400;

  private OutputExcerpt() {}

  /** Returns the first line of the message and, if output follows, a line of the output. */
  public static String of(String message) {
    List<String> lines = message.lines().map(String::strip).filter(l -> !l.isEmpty()).toList();
    if (lines.isEmpty()) {
      return "";
    }
    String first = lines.get(0);
    Matcher introduction = OUTPUT_FOLLOWS.matcher(first);
    String text =
        introduction.find() && lines.size() > 1
            ? first.substring(0, introduction.start()) + ": " + line(lines.subList(1, lines.size()))
            : first;
    return text.length() <= MOST_LETTERS ? text : text.substring(0, MOST_LETTERS) + " …";
  }

  private static String line(List<String> output) {
    return output.stream()
        .filter(FailureCause::isException)
        .reduce((first, second) -> second)
        .orElse(output.get(output.size() - 1));
  }
}
