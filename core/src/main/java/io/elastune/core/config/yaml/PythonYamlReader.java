package io.elastune.core.config.yaml;

import io.elastune.core.config.yaml.MapNode.MapEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Parses YAML as the programs of Python do that wrote it for themselves: anchors, aliases and
 * merges are resolved, the last one of equal names counts, and unquoted values follow YAML 1.1,
 * where {@code yes} is true and {@code 4_000} a number. Other files are read by {@link
 * YamlTreeReader}.
 */
public final class PythonYamlReader {
  private static final int MOST_VALUES = 200_000;
  private static final int MOST_DEPTH = 100;
  private static final Set<String> TRUE = Set.of("yes", "on");
  private static final Set<String> FALSE = Set.of("no", "off");
  private static final Pattern OCTAL = Pattern.compile("([-+]?)0([0-7_]*[0-7])");
  private static final Pattern WITH_UNDERSCORES =
      Pattern.compile("[-+]?[0-9][0-9_]*(?:\\.[0-9_]*(?:[eE][-+][0-9]+)?)?");

  private final String file;
  private final Set<Node> open = Collections.newSetFromMap(new IdentityHashMap<>());
  private int count;

  private PythonYamlReader(String file) {
    this.file = file;
  }

  /**
   * Returns the tree of the first document of a text; empty if it cannot be parsed, an alias
   * contains itself, or aliases make a small text large.
   */
  public static Optional<YamlNode> read(String file, String text) {
    LoadSettings settings =
        LoadSettings.builder()
            .setAllowDuplicateKeys(true)
            .setCodePointLimit(Integer.MAX_VALUE)
            .build();
    try {
      Iterator<Node> documents =
          new Compose(settings).composeAllFromReader(new SurrogatePairReader(text)).iterator();
      return documents.hasNext()
          ? Optional.of(new PythonYamlReader(file).node("", documents.next(), Optional.empty()))
          : Optional.empty();
    } catch (YamlEngineException e) {
      return Optional.empty();
    }
  }

  /** {@code named} is the position of its name, which is that of maps and lists, too. */
  private YamlNode node(String path, Node node, Optional<SourcePosition> named) {
    count++;
    if (count > MOST_VALUES || open.size() > MOST_DEPTH || !open.add(node)) {
      throw new YamlEngineException("too large");
    }
    SourcePosition own = place(node);
    YamlNode result;
    if (node instanceof MappingNode map) {
      result = new MapNode(named.orElse(own), path, entries(path, map));
    } else if (node instanceof SequenceNode list) {
      List<YamlNode> items = new ArrayList<>();
      for (Node item : list.getValue()) {
        items.add(node(path + "[" + items.size() + "]", item, Optional.empty()));
      }
      result = new ListNode(named.orElse(own), path, items);
    } else {
      result = scalar(path, (org.snakeyaml.engine.v2.nodes.ScalarNode) node, named.orElse(own));
    }
    open.remove(node);
    return result;
  }

  private SourcePosition place(Node node) {
    return new SourcePosition(file, node.getStartMark().map(Mark::getLine).orElse(0) + 1);
  }

  private Map<String, MapEntry> entries(String path, MappingNode map) {
    MapNode empty = new MapNode(place(map), path, Map.of());
    Map<String, MapEntry> merged = new LinkedHashMap<>();
    Map<String, MapEntry> own = new LinkedHashMap<>();
    for (NodeTuple tuple : map.getValue()) {
      if (!(tuple.getKeyNode() instanceof org.snakeyaml.engine.v2.nodes.ScalarNode key)) {
        throw new YamlEngineException("a name is no text");
      }
      String name = key.getValue();
      if (name.equals("<<") && key.getScalarStyle() == ScalarStyle.PLAIN) {
        merges(path, tuple.getValueNode())
            .forEach(other -> other.entries().forEach(merged::putIfAbsent));
      } else {
        SourcePosition place = place(key);
        YamlNode value = node(empty.pathOf(name), tuple.getValueNode(), Optional.of(place));
        own.put(name, new MapEntry(place, name, value));
      }
    }
    merged.putAll(own);
    return merged;
  }

  /** Returns the maps to merge. The first one counts. */
  private List<MapNode> merges(String path, Node value) {
    List<Node> sources = value instanceof SequenceNode list ? list.getValue() : List.of(value);
    List<MapNode> maps = new ArrayList<>();
    for (Node source : sources) {
      if (node(path, source, Optional.empty()) instanceof MapNode map) {
        maps.add(map);
      }
    }
    return maps;
  }

  private ScalarNode scalar(
      String path, org.snakeyaml.engine.v2.nodes.ScalarNode node, SourcePosition named) {
    String text = node.getValue();
    if (node.getScalarStyle() != ScalarStyle.PLAIN) {
      return new ScalarNode(place(node), path, ScalarNode.ScalarType.STRING, text);
    }
    return text.isEmpty()
        ? new ScalarNode(named, path, ScalarNode.ScalarType.EMPTY, "")
        : UnquotedScalars.parse(place(node), path, plain(text));
  }

  /** Returns an unquoted value of YAML 1.1 as YAML 1.2 writes it. */
  private static String plain(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (TRUE.contains(lower)) {
      return "true";
    }
    if (FALSE.contains(lower)) {
      return "false";
    }
    Matcher octal = OCTAL.matcher(text);
    if (octal.matches()) {
      return octal.group(1) + Long.parseLong(octal.group(2).replace("_", ""), 8);
    }
    return WITH_UNDERSCORES.matcher(text).matches() ? text.replace("_", "") : text;
  }
}
