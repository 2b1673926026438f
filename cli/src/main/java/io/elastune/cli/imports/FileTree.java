package io.elastune.cli.imports;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.cli.failure.ExitCode;
import io.elastune.core.config.FileProblem;
import io.elastune.core.config.ProblemList;
import io.elastune.core.config.yaml.ListNode;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.PythonYamlReader;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.config.yaml.YamlTreeReader;
import io.elastune.core.config.yaml.YamlTreeReader.Dialect;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Reads YAML and JSON of other tools, with the lines of all values. */
final class FileTree {
  /** W&B asks for them, because its parser reads 1e-5 as text. They are no problem here. */
  private static final Pattern TAGS = Pattern.compile("!!(?:float|int|str|bool)(?=\\s)");

  private FileTree() {}

  /**
   * Returns the tree of a file, as the programs read it that it is for.
   *
   * @param remarks receives what these programs accept, and a job file does not
   */
  static YamlNode read(String file, String text, Consumer<FileProblem> remarks) {
    ProblemList problems = new ProblemList();
    String readable = readable(text);
    YamlNode strict =
        YamlTreeReader.read(file, readable, problems).orElseThrow(() -> failure(problems));
    Optional<YamlNode> tree = PythonYamlReader.read(file, readable);
    if (tree.isEmpty() && problems.count() > 0) {
      throw failure(problems);
    }
    if (tree.isPresent() && problems.count() > 0) {
      ProblemList remarked = new ProblemList();
      var unused = YamlTreeReader.read(file, readable, Dialect.PYTHON, remarked);
      remarked.sorted().forEach(remarks);
    }
    return tree.orElse(strict);
  }

  private static CommandFailure failure(ProblemList problems) {
    return new CommandFailure(
        ExitCode.USAGE, problems.sorted().stream().map(ErrorDetail::of).toList());
  }

  /** Returns the tree of a text, if it has one. */
  static Optional<YamlNode> find(String text) {
    return YamlTreeReader.read("", readable(text), new ProblemList());
  }

  private static String readable(String text) {
    String tagless = TAGS.matcher(text).replaceAll(found -> " ".repeat(found.group().length()));
    // JSON may be indented with tabs, and has none inside of its strings.
    return text.stripLeading().startsWith("{") ? tagless.replace('\t', ' ') : tagless;
  }

  /** Returns a map of a map, if it has it. */
  static Optional<MapNode> map(MapNode map, String name) {
    return node(map, name).filter(MapNode.class::isInstance).map(MapNode.class::cast);
  }

  /** Returns the items of a list of a map; none if it has no such list. */
  static List<YamlNode> list(MapNode map, String name) {
    return node(map, name)
        .filter(ListNode.class::isInstance)
        .map(found -> ((ListNode) found).items())
        .orElse(List.of());
  }

  /** Returns the text of a value of a map that is no map, list or null. */
  static Optional<String> text(MapNode map, String name) {
    return node(map, name)
        .filter(ScalarNode.class::isInstance)
        .map(ScalarNode.class::cast)
        .filter(found -> found.kind() != ScalarNode.ScalarType.EMPTY)
        .map(ScalarNode::text);
  }

  /** Returns a number of a map. */
  static Optional<FileNumber> number(MapNode map, String name) {
    return node(map, name).flatMap(FileNumber::of);
  }

  /** Returns a value of a map. */
  static Optional<YamlNode> node(MapNode map, String name) {
    return map.find(name).map(MapNode.MapEntry::value);
  }
}
