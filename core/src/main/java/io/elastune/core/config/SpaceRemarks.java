package io.elastune.core.config;

import io.elastune.core.config.yaml.ListNode;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.MapNode.MapEntry;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.ScalarNode.ScalarType;
import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.config.yaml.YamlTreeReader;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds values of hyperparameters that are strings in YAML 1.2, although another language or an
 * earlier version of YAML reads something else: {@code None}, {@code yes}, {@code 1_000}.
 */
public final class SpaceRemarks {
  private static final Set<String> NULLS = Set.of("None", "NONE", "nil", "Nil", "undefined");
  private static final Set<String> YES = Set.of("yes", "Yes", "YES", "on", "On", "ON");
  private static final Set<String> NO = Set.of("no", "No", "NO", "off", "Off", "OFF");

  private SpaceRemarks() {}

  /** Returns a sentence for each such value without quotes in a job file. */
  public static List<String> of(String file, String text) {
    return YamlTreeReader.read(file, text, new ProblemList())
        .flatMap(root -> child(root, "search"))
        .flatMap(search -> child(search, "space"))
        .map(space -> scalars(space).flatMap(node -> remark(node).stream()).toList())
        .orElse(List.of());
  }

  private static Optional<YamlNode> child(YamlNode node, String name) {
    return node instanceof MapNode map ? map.find(name).map(MapEntry::value) : Optional.empty();
  }

  private static Stream<ScalarNode> scalars(YamlNode node) {
    if (node instanceof MapNode map) {
      return map.entries().values().stream().flatMap(entry -> scalars(entry.value()));
    }
    if (node instanceof ListNode list) {
      return list.items().stream().flatMap(SpaceRemarks::scalars);
    }
    return node instanceof ScalarNode scalar ? Stream.of(scalar) : Stream.empty();
  }

  private static Optional<String> remark(ScalarNode node) {
    boolean candidate = node.plain() && node.kind() == ScalarType.STRING;
    return candidate
        ? meant(node.text())
            .map(
                other ->
                    "%s:%d: %s: %s is a string; did you mean %s? Quotes keep it a string"
                        .formatted(
                            node.place().file(),
                            node.place().line(),
                            node.path(),
                            node.text(),
                            other))
        : Optional.empty();
  }

  private static Optional<String> meant(String text) {
    if (NULLS.contains(text)) {
      return Optional.of("null");
    }
    if (YES.contains(text) || NO.contains(text)) {
      return Optional.of(YES.contains(text) ? "true" : "false");
    }
    if (text.matches("[-+]?[1-9][0-9]{0,2}(_[0-9]+)+")) {
      return Optional.of(text.replace("_", ""));
    }
    return text.matches("0[0-9]+")
        ? Optional.of(text.replaceFirst("^0+(?=.)", ""))
        : Optional.empty();
  }
}
