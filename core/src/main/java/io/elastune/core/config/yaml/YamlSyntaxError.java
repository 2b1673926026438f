package io.elastune.core.config.yaml;

import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;

/** A syntax error, translated from a parser exception. */
record YamlSyntaxError(int line, String message, String hint) {
  /**
   * Translates {@code e}.
   *
   * @param reached line reached by the parser, for exceptions without a line
   */
  static YamlSyntaxError of(RuntimeException e, int reached, int deepest) {
    if (e instanceof StreamConstraintsException) {
      String what =
          "is nested more than " + deepest + " levels deep, or has a name that is too long";
      return new YamlSyntaxError(reached, what, "");
    }
    if (e.getCause() instanceof MarkedYamlEngineException marked) {
      return of(marked);
    }
    if (e instanceof MarkedYamlEngineException marked) {
      return of(marked);
    }
    String said = e instanceof JacksonException jackson ? jackson.getOriginalMessage() : "";
    return new YamlSyntaxError(reached, "is not valid YAML: " + firstLine(said), "");
  }

  private static YamlSyntaxError of(MarkedYamlEngineException e) {
    int start = line(e.getContextMark());
    int line = line(e.getProblemMark());
    String problem = firstLine(e.getProblem()).replaceFirst("\\.? \\(Do not use .*\\)", "");
    boolean unclosed = problem.contains("end of stream") || problem.contains("<stream end>");
    if (unclosed && start > 0) {
      return new YamlSyntaxError(start, "the quote or bracket opened here is never closed", "");
    }
    String above = start > 0 && start != line ? " that starts on line " + start : "";
    if (problem.startsWith("expected <block end>")) {
      return new YamlSyntaxError(
          line,
          "does not continue the block" + above + ": its indentation or its form differs",
          "indent all fields of a block alike, each as 'name: value'");
    }
    if (problem.startsWith("expected ',' or ")) {
      boolean opens = problem.endsWith("but got {") || problem.endsWith("but got [");
      return new YamlSyntaxError(
          line,
          "a comma or the closing bracket is missing in the list or map" + above,
          opens ? "quote a string that contains brackets, such as 'python train.py {args}'" : "");
    }
    if (problem.startsWith("expected '<document start>'")) {
      return new YamlSyntaxError(line, "the document has ended before this text", "");
    }
    String since = start > 0 && start != line ? ", in the block that starts on line " + start : "";
    return new YamlSyntaxError(line, "is not valid YAML: " + problem + since, hint(problem));
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
      return "check the indentation, or quote a string that contains ': '";
    }
    if (problem.contains("cannot start any token")) {
      return "quote the string";
    }
    return "";
  }
}
