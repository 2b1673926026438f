package io.elastune.core.files;

import io.elastune.core.files.schema.Section;
import io.elastune.core.files.tree.MapNode;
import io.elastune.core.files.tree.Node;
import io.elastune.core.files.tree.TreeReader;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What reading is the same for all kinds of file. */
public final class Reader {
  private Reader() {}

  /**
   * What the text says, or everything that is wrong with it.
   *
   * @param fileName for messages
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
