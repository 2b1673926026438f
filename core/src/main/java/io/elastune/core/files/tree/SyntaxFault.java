package io.elastune.core.files.tree;

import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;

/** What a parser's exception says, in our words. */
record SyntaxFault(int line, String message, String hint) {
  /**
   * What {@code e} says.
   *
   * @param reached the line that had been reached, for exceptions that name none
   */
  static SyntaxFault of(RuntimeException e, int reached, int deepest) {
    if (e instanceof StreamConstraintsException) {
      String what = "is nested more than " + deepest + " deep, or has an endless name";
      return new SyntaxFault(reached, what, "");
    }
    if (e.getCause() instanceof MarkedYamlEngineException marked) {
      return of(marked);
    }
    if (e instanceof MarkedYamlEngineException marked) {
      return of(marked);
    }
    String said = e instanceof JacksonException jackson ? jackson.getOriginalMessage() : "";
    return new SyntaxFault(reached, "is not YAML: " + firstLine(said), "");
  }

  private static SyntaxFault of(MarkedYamlEngineException e) {
    int start = line(e.getContextMark());
    int line = line(e.getProblemMark());
    String problem = firstLine(e.getProblem()).replaceFirst("\\.? \\(Do not use .*\\)", "");
    boolean unclosed = problem.contains("end of stream") || problem.contains("<stream end>");
    if (unclosed && start > 0) {
      return new SyntaxFault(start, "what is opened here is never closed", "");
    }
    String since = start > 0 && start != line ? ", in what starts in line " + start : "";
    return new SyntaxFault(line, "is not YAML: " + problem + since, hint(problem));
  }

  private static int line(Optional<Mark> mark) {
    return mark.map(there -> there.getLine() + 1).orElse(0);
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("cannot be read");
  }

  private static String hint(String problem) {
    if (problem.contains("TAB")) {
      return "indent with spaces";
    }
    if (problem.contains("mapping values are not allowed")) {
      return "check the indentation, or put quotes around a text with ': ' in it";
    }
    if (problem.contains("cannot start any token")) {
      return "put quotes around the text";
    }
    return "";
  }
}
