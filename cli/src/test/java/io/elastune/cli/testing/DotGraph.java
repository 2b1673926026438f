package io.elastune.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the subset of the Graphviz language that Elastune writes: statements in nested boxes,
 * quoted or plain names, attribute lists. Other input fails the test.
 *
 * @param labels the labels by node
 * @param attributes the attribute lists by node or edge
 * @param edges the edges, as {@code a -> b}
 * @param boxes the labels of all boxes
 */
public record DotGraph(
    Map<String, String> labels,
    Map<String, String> attributes,
    List<String> edges,
    List<String> boxes) {
  private static final String NAME = "(?:\"(?:[^\"\\\\\n]|\\\\.)*\"|[a-zA-Z_][a-zA-Z0-9_]*)";
  private static final String VALUE = "(?:" + NAME + "|[0-9.]+)";
  private static final String LIST =
      "\\[(" + NAME + "=" + VALUE + "(?:, " + NAME + "=" + VALUE + ")*)\\]";
  private static final Pattern OPEN = Pattern.compile("(?:digraph|subgraph) " + NAME + " \\{");
  private static final Pattern STYLE = Pattern.compile("(?:graph|node|edge) " + LIST + ";");
  private static final Pattern TITLE = Pattern.compile("label=(" + NAME + ");");
  private static final Pattern NODE = Pattern.compile("(n[0-9]+) " + LIST + ";");
  private static final Pattern EDGE = Pattern.compile("(n[0-9]+) -> (n[0-9]+)(?: " + LIST + ")?;");
  private static final Pattern LABEL = Pattern.compile("label=(" + NAME + ")");

  /** Parses {@code text}. */
  public static DotGraph parse(String text) {
    DotGraph graph =
        new DotGraph(
            new LinkedHashMap<>(), new LinkedHashMap<>(), new ArrayList<>(), new ArrayList<>());
    int depth = 0;
    for (String line : text.lines().toList()) {
      String statement = line.strip();
      depth += OPEN.matcher(statement).matches() ? 1 : 0;
      depth -= statement.equals("}") ? 1 : 0;
      assertThat(depth).as(line).isNotNegative();
      boolean known =
          OPEN.matcher(statement).matches()
              || statement.equals("}")
              || STYLE.matcher(statement).matches()
              || graph.take(statement);
      assertThat(known).as("not a statement: %s", line).isTrue();
    }
    assertThat(depth).isZero();
    assertThat(text).endsWith("}\n");
    return graph;
  }

  private boolean take(String statement) {
    Matcher title = TITLE.matcher(statement);
    if (title.matches()) {
      boxes.add(plain(title.group(1)));
      return true;
    }
    Matcher node = NODE.matcher(statement);
    if (node.matches()) {
      Matcher label = LABEL.matcher(node.group(2));
      assertThat(label.find()).isTrue();
      assertThat(labels).doesNotContainKey(node.group(1));
      labels.put(node.group(1), plain(label.group(1)));
      attributes.put(node.group(1), node.group(2));
      return true;
    }
    Matcher edge = EDGE.matcher(statement);
    if (edge.matches()) {
      assertThat(labels).containsKeys(edge.group(1), edge.group(2));
      String name = edge.group(1) + " -> " + edge.group(2);
      edges.add(name);
      attributes.put(name, edge.group(3) == null ? "" : edge.group(3));
      return true;
    }
    return false;
  }

  private static String plain(String quoted) {
    return quoted
        .substring(1, quoted.length() - 1)
        .replace("\\n", "\n")
        .replace("\\\"", "\"")
        .replace("\\\\", "\\");
  }
}
