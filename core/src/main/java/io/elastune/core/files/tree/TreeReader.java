package io.elastune.core.files.tree;

import io.elastune.core.files.tree.MapNode.Entry;
import io.elastune.core.files.tree.ScalarNode.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.dataformat.yaml.YAMLFactory;

/**
 * Parses YAML, which includes JSON, into a tree. Constructs that parsers may interpret differently
 * are reported as problems: duplicate names, anchors, aliases, tags and multiple documents.
 */
public final class TreeReader {
  private static final int MAX_DEPTH = 100;
  private static final YAMLFactory YAML =
      YAMLFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
          .build();

  private final String file;
  private final SourceText source;
  private final Problems problems;
  private final JsonParser parser;

  private TreeReader(String file, SourceText source, Problems problems, JsonParser parser) {
    this.file = file;
    this.source = source;
    this.problems = problems;
    this.parser = parser;
  }

  /**
   * Returns the tree of {@code text}; empty if it could not be parsed, after adding the problems.
   */
  public static Optional<Node> read(String file, String text, Problems problems) {
    SourceText source = SourceText.of(text);
    Optional<SourceText.Flaw> flaw = source.flaw();
    if (flaw.isPresent()) {
      problems.add(new Place(file, flaw.get().line()), "", flaw.get().message(), "");
      return Optional.empty();
    }
    try (JsonParser parser = YAML.createParser(ObjectReadContext.empty(), source.text())) {
      return new TreeReader(file, source, problems, parser).rootOrProblem();
    }
  }

  private Optional<Node> rootOrProblem() {
    try {
      return root();
    } catch (JacksonException | YamlEngineException e) {
      SyntaxFault fault = SyntaxFault.of(e, parser.currentLocation().getLineNr(), MAX_DEPTH);
      Place place = new Place(file, source.clampLine(fault.line()));
      problems.add(place, "", fault.message(), fault.hint());
      return Optional.empty();
    }
  }

  private Optional<Node> root() {
    if (parser.nextToken() == null) {
      problems.add(new Place(file, 1), "", "the file is empty", "");
      return Optional.empty();
    }
    Node root = node("", here());
    if (parser.nextToken() != null) {
      problems.add(here(), "", "a second YAML document starts here; only one is allowed", "");
    }
    return Optional.of(root);
  }

  private Place here() {
    return new Place(file, source.clampLine(parser.currentTokenLocation().getLineNr()));
  }

  /**
   * Returns the node that starts at the current token; {@code opened} is the position of its name.
   */
  private Node node(String path, Place opened) {
    rejectUnsupported(path);
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      return map(path, opened);
    }
    if (token == JsonToken.START_ARRAY) {
      return list(path, opened);
    }
    return scalar(path, token, opened);
  }

  private MapNode map(String path, Place opened) {
    Map<String, Entry> entries = new LinkedHashMap<>();
    MapNode empty = new MapNode(opened, path, Map.of());
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      Place place = here();
      parser.nextToken();
      Node value = node(empty.pathOf(name), place);
      Entry first = entries.putIfAbsent(name, new Entry(place, name, value));
      if (first != null) {
        problems.add(
            place, value.path(), "is given twice, first on line " + first.place().line(), "");
      }
    }
    return new MapNode(opened, path, entries);
  }

  private ListNode list(String path, Place opened) {
    List<Node> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(node(path + "[" + items.size() + "]", here()));
    }
    return new ListNode(opened, path, items);
  }

  private ScalarNode scalar(String path, JsonToken token, Place opened) {
    String text = parser.getString();
    if (token == JsonToken.VALUE_NULL && text.isEmpty()) {
      return new ScalarNode(opened, path, Kind.NOTHING, "");
    }
    boolean plain = "\"'|>".indexOf(firstCharacter()) < 0;
    return plain
        ? PlainScalars.parse(here(), path, text)
        : new ScalarNode(here(), path, Kind.TEXT, text);
  }

  private int firstCharacter() {
    return source.codePointAt(parser.currentTokenLocation().getCharOffset());
  }

  /** Reports anchors, aliases and tags. No other unquoted value starts with their characters. */
  private void rejectUnsupported(String path) {
    boolean nothing = parser.currentToken() == JsonToken.VALUE_NULL && parser.getString().isEmpty();
    if (!nothing && "&*!".indexOf(firstCharacter()) >= 0) {
      problems.add(
          here(),
          path,
          "anchors, aliases and tags (&, *, !) are not supported",
          "write the value in full, or quote the string");
    }
  }
}
