package io.elastune.cli.fuzz;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Mutates a file that is read as a tree: sets fields to values that its JSON Schema allows ({@link
 * #change}), or breaks it in its types, its structure or its text ({@link #spoil}, {@link
 * #spoilText}).
 */
final class FileMutations {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Texts that a field without a rule may have. Many are valid names, units or commands. */
  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "a",
          "a b",
          "é",
          "ä€😀",
          "a\u0301",
          "مرحبا",
          "true",
          "null",
          "~",
          "-",
          "0x1F",
          "07",
          "1e3",
          "a: b",
          "a #b",
          "'",
          "\"",
          "\\",
          "{x}",
          "$(id)",
          "`id`",
          "%s",
          "../..",
          "/dev/null",
          "a\tb",
          "a\nb",
          "\u00A0",
          "\u200B",
          "\u202Eabc",
          "\u009B31m",
          "\u001B[31m",
          "\uFEFFa",
          "=1+1",
          "<b>x</b>",
          "epoch",
          "local",
          "x".repeat(300));

  /** Texts of kinds that a schema describes by a pattern or not at all. */
  private static final List<String> DURATIONS =
      List.of("0.001s", "1s", "90s", "45m", "3h", "1h30m", "14d", "3650d", "0.5h");

  private static final List<String> DATES =
      List.of(
          "2026-11-23",
          "2026-11-23T09:00:00Z",
          "2026-11-23T23:59:59.999+14:00",
          "2026-12-31T00:00:00-12:00",
          "1970-01-01T00:00:00Z",
          "2096-02-29T12:00:00Z");

  /** Samples of the other patterns: each is used where it matches. */
  private static final List<String> SAMPLES =
      List.of(
          "a",
          "z9-9",
          "lr",
          "A_1",
          "x.y/z-1",
          "0%",
          "12.5%",
          "100%",
          "1..1",
          "1..2",
          "1..8",
          "2..4",
          "500MB",
          "1",
          "2T",
          "HF_*",
          "*",
          "g5.xlarge",
          "A10G",
          "./a b/python3",
          "ghcr.io:443/a/b:1",
          "0f".repeat(32));

  /** Values where no schema allows them. */
  private static final List<Supplier<JsonNode>> WRONG =
      List.of(
          NODES::nullNode,
          () -> NODES.booleanNode(true),
          () -> NODES.numberNode(0),
          () -> NODES.numberNode(-1),
          () -> NODES.numberNode(-0.5),
          () -> NODES.numberNode(4.5),
          () -> NODES.numberNode(Double.NaN),
          () -> NODES.numberNode(Double.POSITIVE_INFINITY),
          () -> NODES.numberNode(Double.MIN_VALUE),
          () -> NODES.numberNode(1e308),
          () -> NODES.numberNode(Integer.MAX_VALUE),
          () -> NODES.numberNode(Long.MIN_VALUE),
          () -> NODES.numberNode(BigInteger.TEN.pow(30)),
          () -> NODES.numberNode(BigInteger.TEN.pow(5_000)),
          () -> NODES.numberNode(new BigDecimal("1e-999")),
          () -> NODES.numberNode(new BigDecimal("1e999999")),
          () -> NODES.stringNode(""),
          () -> NODES.stringNode("-5m"),
          () -> NODES.stringNode("1d".repeat(40)),
          () -> NODES.stringNode("9".repeat(400) + "h"),
          () -> NODES.stringNode("2026-02-30T25:61:00Z"),
          () -> NODES.stringNode("+999999999-12-31T23:59:59Z"),
          () -> NODES.stringNode("8..1"),
          () -> NODES.stringNode("1..99999999999"),
          () -> NODES.stringNode("-3%"),
          () -> NODES.stringNode("1e400%"),
          () -> NODES.stringNode("\u0000"),
          () -> NODES.stringNode("\u001B]0;x\u0007"),
          () -> NODES.stringNode("\u202E\u2066"),
          () -> NODES.stringNode("x".repeat(100_000)),
          NODES::objectNode,
          NODES::arrayNode,
          () -> nested(20),
          () -> nested(450),
          () -> NODES.objectNode().put("usd", "NaN"),
          () -> NODES.arrayNode().add(1).addNull().add("x"));

  /** Pieces of YAML, of which some make a document with features that the files do not need. */
  private static final List<String> PIECES =
      List.of(
          "\n",
          " ",
          "\t",
          ":",
          ": ",
          "- ",
          "[",
          "]",
          "{",
          "}",
          "\"",
          "'",
          "#",
          "&a ",
          "*a",
          "&a [*a]",
          "!",
          "!!binary ",
          "!!java.lang.Object ",
          "!!timestamp ",
          "!!set ",
          "|\n",
          ">-\n",
          "? ",
          "---\n",
          "...\n",
          "%YAML 1.1\n",
          "%TAG ! x:\n",
          "<<: ",
          "<<: *a\n",
          "\u0000",
          "\uFFFD",
          "😀",
          "\uFEFF",
          "\r",
          "\u2028",
          "\u0085",
          "@",
          "`",
          "\\",
          "\\u0000",
          "\\ud800",
          "..",
          "99999999999999999999",
          ".inf",
          ".nan",
          "0o17",
          "1_000",
          "12:30:45",
          "2026-13-45",
          "yes",
          "null",
          "~",
          "name: a\n",
          ",",
          "[]",
          "{}",
          "4.5",
          "[".repeat(50_000),
          "{a: ".repeat(5_000),
          "- ".repeat(20_000),
          "x".repeat(1_000_000));

  private final SplittableRandom random;

  FileMutations(SplittableRandom random) {
    this.random = random;
  }

  /** Sets one field, which may be a new one, to a value that the schema allows. */
  void change(ObjectNode file, JsonNode schema) {
    changeObject(file, schema);
  }

  private void changeObject(ObjectNode node, JsonNode schema) {
    List<String> known = List.copyOf(schema.path("properties").propertyNames());
    JsonNode other = schema.path("additionalProperties");
    if (known.isEmpty() && other.isObject()) {
      List<String> names = List.copyOf(node.propertyNames());
      Pattern rule = Pattern.compile(schema.path("propertyNames").path("pattern").asString(".*"));
      String name = random.nextInt(3) > 0 && !names.isEmpty() ? pick(names) : matching(rule);
      set(node, name, other);
      return;
    }
    List<String> present = known.stream().filter(node::has).collect(Collectors.toList());
    // Mostly existing ones, which matter to the job.
    String name = random.nextInt(4) > 0 && !present.isEmpty() ? pick(present) : pick(known);
    if (random.nextInt(8) == 0 && !contains(schema.path("required"), name)) {
      node.remove(name);
    } else {
      set(node, name, schema.path("properties").path(name));
    }
  }

  private void set(ObjectNode node, String name, JsonNode schema) {
    Optional<JsonNode> old = Optional.ofNullable(node.get(name));
    node.set(name, changed(old, schema));
  }

  private JsonNode changed(Optional<JsonNode> old, JsonNode schema) {
    Optional<JsonNode> form = old.flatMap(value -> form(value, schema));
    if (old.isPresent() && form.isPresent() && random.nextInt(10) > 0) {
      JsonNode value = old.get();
      if (value instanceof ObjectNode object) {
        changeObject(object, form.get());
        return object;
      }
      if (value instanceof ArrayNode array) {
        changeArray(array, form.get());
        return array;
      }
      if (value.isNumber() && random.nextInt(4) > 0) {
        return scaled(value, form.get());
      }
    }
    return draw(schema, old);
  }

  private void changeArray(ArrayNode array, JsonNode schema) {
    JsonNode items = schema.path("items");
    int kind = random.nextInt(6);
    if (array.isEmpty() || kind == 0) {
      array.add(draw(items, Optional.empty()));
    } else if (kind == 1 && array.size() > 1) {
      array.remove(random.nextInt(array.size()));
    } else if (kind == 2) {
      array.add(array.get(random.nextInt(array.size())).deepCopy());
    } else {
      int at = random.nextInt(array.size());
      array.set(at, changed(Optional.of(array.get(at)), items));
    }
  }

  /**
   * Returns that alternative of a schema that describes a value by its type, if it is a container.
   */
  private static Optional<JsonNode> form(JsonNode value, JsonNode schema) {
    for (JsonNode alternative : alternatives(schema)) {
      JsonNode type = alternative.path("type");
      JsonNode constant = alternative.path("properties").path("type").path("const");
      boolean sameKind = constant.isMissingNode() || constant.equals(value.path("type"));
      boolean fits =
          value.isObject()
              ? contains(type, "object") && sameKind
              : value.isArray()
                  ? contains(type, "array") && alternative.has("items")
                  : value.isNumber() && (contains(type, "number") || contains(type, "integer"));
      if (fits) {
        return Optional.of(alternative);
      }
    }
    return Optional.empty();
  }

  private static List<JsonNode> alternatives(JsonNode schema) {
    List<JsonNode> found = new ArrayList<>();
    for (String word : List.of("anyOf", "oneOf")) {
      schema.path(word).forEach(alternative -> found.addAll(alternatives(alternative)));
    }
    return found.isEmpty() ? List.of(schema) : found;
  }

  private JsonNode draw(JsonNode schema, Optional<JsonNode> old) {
    JsonNode one = pick(alternatives(schema));
    if (one.has("const")) {
      return one.get("const").deepCopy();
    }
    if (one.has("enum")) {
      return pick(List.copyOf(one.get("enum").values())).deepCopy();
    }
    JsonNode types = one.path("type");
    String type =
        types.isArray() ? pick(List.copyOf(types.values())).asString() : types.asString("string");
    return switch (type) {
      case "object" -> object(one);
      case "array" -> array(one);
      case "boolean" -> NODES.booleanNode(random.nextBoolean());
      case "null" -> NODES.nullNode();
      case "integer" -> integer(one, old);
      case "number" -> number(one);
      default -> text(one, old);
    };
  }

  private ObjectNode object(JsonNode schema) {
    ObjectNode made = NODES.objectNode();
    for (String name : schema.path("properties").propertyNames()) {
      if (contains(schema.path("required"), name) || random.nextInt(3) == 0) {
        made.set(name, draw(schema.path("properties").path(name), Optional.empty()));
      }
    }
    JsonNode other = schema.path("additionalProperties");
    if (other.isObject()) {
      Pattern rule = Pattern.compile(schema.path("propertyNames").path("pattern").asString(".*"));
      made.set(matching(rule), draw(other, Optional.empty()));
    }
    return made;
  }

  private ArrayNode array(JsonNode schema) {
    ArrayNode made = NODES.arrayNode();
    int size = schema.path("minItems").asInt(0) + random.nextInt(3);
    for (int i = 0; i < size && schema.has("items"); i++) {
      made.add(draw(schema.path("items"), Optional.empty()));
    }
    return made;
  }

  /** Returns a number near the old one, or at a bound. */
  private JsonNode scaled(JsonNode old, JsonNode schema) {
    double factor = Math.exp(2 * random.nextGaussian());
    double value = within(schema, old.asDouble() * factor);
    return contains(schema.path("type"), "integer")
        ? NODES.numberNode(Math.round(value))
        : NODES.numberNode(value);
  }

  private JsonNode integer(JsonNode schema, Optional<JsonNode> old) {
    long low = Math.round(within(schema, 0));
    if (old.isPresent() && random.nextBoolean()) {
      return NODES.numberNode(low + random.nextInt(20));
    }
    return NODES.numberNode(
        pick(List.of(low, low + 1, low + random.nextInt(10), Math.round(within(schema, 1e9)))));
  }

  private JsonNode number(JsonNode schema) {
    double low = within(schema, 0);
    double some = within(schema, Math.exp(5 * random.nextGaussian()));
    return NODES.numberNode(pick(List.of(low, some, some, some, within(schema, 1e9))));
  }

  private static double within(JsonNode schema, double value) {
    double low = schema.path("minimum").asDouble(Double.NEGATIVE_INFINITY);
    double above = schema.path("exclusiveMinimum").asDouble(Double.NEGATIVE_INFINITY);
    double high = schema.path("maximum").asDouble(Double.POSITIVE_INFINITY);
    double below = schema.path("exclusiveMaximum").asDouble(Double.POSITIVE_INFINITY);
    double inside = Math.min(high, Math.max(low, value));
    if (inside <= above) {
      inside = above + 1e-6;
    }
    return inside >= below ? below - 1e-6 : inside;
  }

  private JsonNode text(JsonNode schema, Optional<JsonNode> old) {
    if (schema.has("pattern")) {
      return NODES.stringNode(matching(Pattern.compile(schema.get("pattern").asString())));
    }
    String before = old.map(JsonNode::asString).orElse("");
    if (before.matches("[0-9.]+[smhd].*")) {
      return NODES.stringNode(pick(random.nextBoolean() ? DURATIONS : DATES));
    }
    if (before.matches("[0-9]{4}-.*")) {
      return NODES.stringNode(pick(DATES));
    }
    return NODES.stringNode(pick(TEXTS));
  }

  private String matching(Pattern rule) {
    List<String> samples = new ArrayList<>(SAMPLES);
    samples.addAll(DURATIONS);
    samples.addAll(TEXTS);
    return pick(
        samples.stream()
            .filter(sample -> !sample.isEmpty() && rule.matcher(sample).find())
            .toList());
  }

  /** Breaks a tree: a wrong type or value, or another structure. */
  void spoil(ObjectNode file) {
    JsonNode container = file;
    while (random.nextInt(4) > 0) {
      List<JsonNode> inner = container.valueStream().filter(JsonNode::isContainer).toList();
      if (inner.isEmpty()) {
        break;
      }
      container = pick(inner);
    }
    if (container instanceof ObjectNode object && !object.isEmpty()) {
      spoil(object, pick(List.copyOf(object.propertyNames())), file);
    } else if (container instanceof ArrayNode array && !array.isEmpty()) {
      array.set(random.nextInt(array.size()), pick(WRONG).get());
    } else {
      file.set("unknown", pick(WRONG).get());
    }
  }

  private void spoil(ObjectNode object, String name, ObjectNode file) {
    JsonNode old = object.get(name);
    switch (random.nextInt(8)) {
      case 0 -> object.remove(name);
      case 1 -> object.set(name + pick(List.of("s", " ", "\u200B", "\n", "")), old);
      case 2 -> object.set(pick(TEXTS), old);
      case 3 -> object.set(name, NODES.arrayNode().add(old));
      case 4 -> object.set(name, file.deepCopy());
      default -> object.set(name, pick(WRONG).get());
    }
  }

  /** Breaks the text of a file in up to four places. */
  String spoilText(String right) {
    StringBuilder text = new StringBuilder(right);
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(5)) {
        case 0, 1 -> text.insert(at, pick(PIECES));
        case 2 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(10)));
        case 3 -> text.setCharAt(at, (char) random.nextInt(128));
        default -> {
          int from = random.nextInt(text.length());
          text.insert(at, text.substring(from, Math.min(text.length(), from + random.nextInt(60))));
        }
      }
    }
    return text.isEmpty() ? "#" : text.toString();
  }

  private static JsonNode nested(int depth) {
    JsonNode inner = NODES.stringNode("x");
    for (int i = 0; i < depth; i++) {
      inner = i % 2 == 0 ? NODES.arrayNode().add(inner) : NODES.objectNode().set("a", inner);
    }
    return inner;
  }

  private static boolean contains(JsonNode words, String word) {
    return words.isString()
        ? words.asString().equals(word)
        : words.valueStream().anyMatch(StringNode.valueOf(word)::equals);
  }

  private <T> T pick(List<? extends T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
