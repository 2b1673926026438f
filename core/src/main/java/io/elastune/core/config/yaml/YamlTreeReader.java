package io.elastune.core.config.yaml;

import io.elastune.core.config.yaml.MapNode.MapEntry;
import io.elastune.core.config.yaml.ScalarNode.ScalarType;
import io.elastune.core.text.VisibleText;
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
public final class YamlTreeReader {
  /** For which programs a text was written. */
  public enum Dialect {
    /** A file of Elastune. */
    STRICT,
    /** A file for {@link PythonYamlReader}, which resolves aliases and takes the last duplicate. */
    PYTHON
  }

  private static final int MAX_DEPTH = 100;
  private static final YAMLFactory YAML =
      YAMLFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
          .build();

  private final String file;
  private final String rootPath;
  private final SourceText source;
  private final ProblemCollector problemCollector;
  private final Dialect dialect;
  private final JsonParser parser;

  private YamlTreeReader(
      String file,
      String rootPath,
      SourceText source,
      ProblemCollector problemCollector,
      Dialect dialect,
      JsonParser parser) {
    this.file = file;
    this.dialect = dialect;
    this.rootPath = rootPath;
    this.source = source;
    this.problemCollector = problemCollector;
    this.parser = parser;
  }

  /**
   * Returns the tree of {@code text}; empty if it could not be parsed, after adding the problems.
   */
  public static Optional<YamlNode> read(
      String file, String text, ProblemCollector problemCollector) {
    return read(file, "", text, problemCollector);
  }

  /** The same with a text that another program may have written. */
  public static Optional<YamlNode> read(
      String file, String text, Dialect dialect, ProblemCollector problemCollector) {
    return read(file, "", text, dialect, problemCollector);
  }

  /**
   * Returns the tree of a file that contains the value of a field of another file; empty if it
   * could not be parsed, after adding the problems.
   *
   * @param rootPath path of that field
   */
  public static Optional<YamlNode> read(
      String file, String rootPath, String text, ProblemCollector problemCollector) {
    return read(file, rootPath, text, Dialect.STRICT, problemCollector);
  }

  private static Optional<YamlNode> read(
      String file,
      String rootPath,
      String text,
      Dialect dialect,
      ProblemCollector problemCollector) {
    SourceText source = SourceText.of(text);
    Optional<SourceText.TextFlaw> textFlaw = source.flaw();
    if (textFlaw.isPresent()) {
      problemCollector.add(
          new SourcePosition(file, textFlaw.get().line()), "", textFlaw.get().message(), "");
      return Optional.empty();
    }
    try (JsonParser parser =
        YAML.createParser(ObjectReadContext.empty(), new SurrogatePairReader(source.text()))) {
      return new YamlTreeReader(file, rootPath, source, problemCollector, dialect, parser)
          .rootOrProblem();
    }
  }

  private Optional<YamlNode> rootOrProblem() {
    try {
      return root();
    } catch (JacksonException | YamlEngineException e) {
      YamlSyntaxError fault =
          YamlSyntaxError.of(e, parser.currentLocation().getLineNr(), MAX_DEPTH);
      SourcePosition sourcePosition = new SourcePosition(file, source.clampLine(fault.line()));
      problemCollector.add(sourcePosition, "", fault.message(), fault.hint());
      return Optional.empty();
    }
  }

  private Optional<YamlNode> root() {
    if (parser.nextToken() == null) {
      problemCollector.add(new SourcePosition(file, 1), "", "the file is empty", "");
      return Optional.empty();
    }
    YamlNode root = node(rootPath, here());
    if (parser.nextToken() != null) {
      problemCollector.add(
          here(), "", "a second YAML document starts here; only one is allowed", "");
    }
    return Optional.of(root);
  }

  private SourcePosition here() {
    return new SourcePosition(file, source.clampLine(parser.currentTokenLocation().getLineNr()));
  }

  /**
   * Returns the node that starts at the current token; {@code opened} is the position of its name.
   */
  private YamlNode node(String path, SourcePosition opened) {
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

  private MapNode map(String path, SourcePosition opened) {
    Map<String, MapEntry> mapEntries = new LinkedHashMap<>();
    MapNode empty = new MapNode(opened, path, Map.of());
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      SourcePosition sourcePosition = here();
      rejectInvisible(empty.pathOf(name), name);
      parser.nextToken();
      YamlNode value = node(empty.pathOf(name), sourcePosition);
      MapEntry first = mapEntries.putIfAbsent(name, new MapEntry(sourcePosition, name, value));
      if (first != null) {
        problemCollector.add(
            sourcePosition,
            value.path(),
            "is given twice, first on line "
                + first.place().line()
                + (dialect == Dialect.PYTHON ? ": the last one counts" : ""),
            "");
      }
    }
    return new MapNode(opened, path, mapEntries);
  }

  private void rejectInvisible(String path, String name) {
    VisibleText.firstInvisible(name, "")
        .ifPresent(
            found ->
                problemCollector.add(
                    here(),
                    path,
                    "the name must not contain the character " + VisibleText.name(found),
                    "screens cannot show it"));
  }

  private ListNode list(String path, SourcePosition opened) {
    List<YamlNode> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(node(path + "[" + items.size() + "]", here()));
    }
    return new ListNode(opened, path, items);
  }

  private ScalarNode scalar(String path, JsonToken token, SourcePosition opened) {
    String text = parser.getString();
    if (token == JsonToken.VALUE_NULL && text.isEmpty()) {
      return new ScalarNode(opened, path, ScalarType.EMPTY, "");
    }
    boolean plain = "\"'|>".indexOf(firstCharacter()) < 0;
    return plain
        ? UnquotedScalars.parse(here(), path, text)
        : new ScalarNode(here(), path, ScalarType.STRING, text);
  }

  private int firstCharacter() {
    return source.codePointAt(parser.currentTokenLocation().getCharOffset());
  }

  /** Reports anchors, aliases and tags. No other unquoted value starts with their characters. */
  private void rejectUnsupported(String path) {
    if (dialect == Dialect.PYTHON) {
      return;
    }
    boolean nothing = parser.currentToken() == JsonToken.VALUE_NULL && parser.getString().isEmpty();
    if (!nothing && "&*!".indexOf(firstCharacter()) >= 0) {
      problemCollector.add(
          here(),
          path,
          "anchors, aliases and tags (&, *, !) are not supported",
          "write the value in full, or quote the string");
    }
  }
}
