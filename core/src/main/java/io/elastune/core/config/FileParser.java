package io.elastune.core.config;

import io.elastune.core.config.codec.Section;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.config.yaml.YamlTreeReader;
import java.util.Optional;
import java.util.function.BiFunction;

/** Parses a file of any type with the section that describes it. */
public final class FileParser {
  private FileParser() {}

  /**
   * Returns the parsed value, or all problems of the text.
   *
   * @param fileName file name used in messages
   */
  public static <T> ParseResult<T> parse(String fileName, String text, Section<T> section) {
    return parse(fileName, text, section, (root, problems) -> root);
  }

  /** Parses a file whose tree is changed before the section reads it. */
  static <T> ParseResult<T> parse(
      String fileName,
      String text,
      Section<T> section,
      BiFunction<MapNode, ProblemCollector, MapNode> change) {
    ProblemList problems = new ProblemList();
    Optional<YamlNode> root = YamlTreeReader.read(fileName, text, problems);
    Optional<T> value =
        root.flatMap(
            yamlNode ->
                section.read(
                    yamlNode instanceof MapNode map ? change.apply(map, problems) : yamlNode,
                    problems));
    return problems.outcome(value);
  }
}
