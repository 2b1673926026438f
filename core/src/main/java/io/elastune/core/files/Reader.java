package io.elastune.core.files;

import io.elastune.core.files.schema.Section;
import io.elastune.core.files.tree.MapNode;
import io.elastune.core.files.tree.Node;
import io.elastune.core.files.tree.TreeReader;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Parses a file of any type with the section that describes it. */
public final class Reader {
  private Reader() {}

  /**
   * Returns the parsed value, or all problems of the text.
   *
   * @param fileName file name used in messages
   */
  public static <T> Parsed<T> parse(String fileName, String text, Section<T> section) {
    return parse(fileName, text, section, root -> root);
  }

  static <T> Parsed<T> parse(
      String fileName, String text, Section<T> section, UnaryOperator<MapNode> change) {
    ProblemList problems = new ProblemList();
    Optional<Node> root = TreeReader.read(fileName, text, problems);
    Optional<T> value =
        root.flatMap(
            node -> section.read(node instanceof MapNode map ? change.apply(map) : node, problems));
    return problems.outcome(value);
  }
}
