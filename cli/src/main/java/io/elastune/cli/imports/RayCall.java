package io.elastune.cli.imports;

import io.elastune.core.config.yaml.ListNode;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.YamlNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A call of a function of Ray Tune in JSON. Ray defines no form of its own except for {@code
 * grid_search}, so all of these are read: {@code {"loguniform": [1e-4, 0.1]}}, {@code {"type":
 * "loguniform", "lower": 1e-4, "upper": 0.1}}, {@code "tune.loguniform(1e-4, 0.1)"}, and the
 * attributes of Ray's own objects: {@code {"lower": 1e-4, "upper": 0.1, "sampler": {"base": 10}}}.
 *
 * @param arguments the arguments by name
 */
record RayCall(String function, Map<String, YamlNode> arguments) {
  private static final List<String> NAMES =
      List.of(
          "type",
          "_type",
          "distribution",
          "function",
          "func",
          "fn",
          "method",
          "domain",
          "dist",
          "strategy",
          "space",
          "sampler",
          "__type__");
  private static final List<String> LISTS = List.of("args", "values", "range", "bounds", "_value");
  private static final List<String> CLASSES =
      List.of("_class", "__class__", "class", "cls", "_type", "type", "py/object", "domain");
  private static final Pattern CALL =
      Pattern.compile("\\s*((?:ray\\.)?(?:tune\\.)?\\w+)\\((.*)\\)\\s*", Pattern.DOTALL);
  private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"|'[^']*'");

  /** An operator, a call, an attribute, or a word of a program. */
  private static final Pattern COMPUTED =
      Pattern.compile("[*/%<>]|[A-Za-z_]\\s*[(\\[.]|\\b(?:for|lambda)\\b");

  private static final Map<String, String> OTHER_NAMES =
      Map.of(
          "low",
          "lower",
          "high",
          "upper",
          "min",
          "lower",
          "max",
          "upper",
          "loc",
          "mean",
          "scale",
          "sd",
          "values",
          "categories",
          "choices",
          "categories",
          "options",
          "categories",
          "_value",
          "categories");

  /** Returns the call that a value is; empty for any other value. */
  static Optional<RayCall> of(YamlNode node) {
    if (node instanceof ScalarNode text) {
      return ofText(text);
    }
    return node instanceof MapNode map
        ? ofOnlyName(map).or(() -> ofNamed(map)).or(() -> ofObject(map))
        : Optional.empty();
  }

  private static Optional<RayCall> ofText(ScalarNode node) {
    Matcher call = CALL.matcher(node.text());
    if (node.kind() != ScalarNode.ScalarType.STRING) {
      return Optional.empty();
    }
    if (node.text().strip().startsWith("lambda ")) {
      return Optional.of(program());
    }
    if (!call.matches()) {
      return Optional.empty();
    }
    return RayFunctions.find(call.group(1)).map(function -> ofArguments(function, call.group(2)));
  }

  private static RayCall program() {
    return new RayCall(RayFunctions.SAMPLE, Map.of());
  }

  /** Arguments that are computed are a program. */
  private static RayCall ofArguments(String function, String given) {
    String code =
        QUOTED
            .matcher(given)
            .replaceAll("")
            .replaceAll("(?:\\d[\\d_]*\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?", "");
    return COMPUTED.matcher(code).find()
        ? program()
        : FileTree.find("[" + yaml(given) + "]")
            .filter(ListNode.class::isInstance)
            .map(found -> call(function, ((ListNode) found).items()))
            .orElseGet(RayCall::program);
  }

  /** Returns arguments of Python as items of a list, without changes of quoted texts. */
  private static String yaml(String arguments) {
    StringBuilder text = new StringBuilder();
    Matcher quoted = QUOTED.matcher(arguments);
    int at = 0;
    while (quoted.find()) {
      text.append(yamlOfCode(arguments.substring(at, quoted.start()))).append(quoted.group());
      at = quoted.end();
    }
    return text.append(yamlOfCode(arguments.substring(at))).toString();
  }

  private static String yamlOfCode(String code) {
    return code.replaceAll("(?<=\\d)_(?=\\d)", "")
        .replaceAll("(\\w+)\\s*=\\s*", "$1: ")
        .replace('(', '[')
        .replace(')', ']')
        .replaceAll("\\bNone\\b", "null")
        .replaceAll("\\bTrue\\b", "true")
        .replaceAll("\\bFalse\\b", "false");
  }

  /** {@code {"loguniform": [1e-4, 0.1]}}, also with arguments by name. */
  private static Optional<RayCall> ofOnlyName(MapNode map) {
    if (map.entries().size() != 1) {
      return Optional.empty();
    }
    MapNode.MapEntry only = map.entries().values().iterator().next();
    return RayFunctions.find(only.name())
        .map(
            function -> {
              boolean list = RayFunctions.arguments(function).size() == 1;
              if (only.value() instanceof MapNode named) {
                return new RayCall(function, named(named));
              }
              return !list && only.value() instanceof ListNode several
                  ? call(function, several.items())
                  : new RayCall(
                      function, Map.of(RayFunctions.arguments(function).get(0), only.value()));
            });
  }

  private static RayCall call(String function, List<YamlNode> values) {
    Map<String, YamlNode> arguments = new HashMap<>();
    List<String> names = RayFunctions.arguments(function);
    int next = 0;
    for (YamlNode value : values) {
      if (value instanceof MapNode named) { // of lower: 1 in a list
        arguments.putAll(named(named));
      } else if (next < names.size()) {
        arguments.put(names.get(next++), value);
      }
    }
    return new RayCall(function, arguments);
  }

  private static Map<String, YamlNode> named(MapNode map) {
    Map<String, YamlNode> arguments = new HashMap<>();
    map.entries()
        .values()
        .forEach(
            entry ->
                arguments.put(OTHER_NAMES.getOrDefault(entry.name(), entry.name()), entry.value()));
    return arguments;
  }

  private static Optional<RayCall> ofNamed(MapNode map) {
    for (String name : NAMES) {
      Optional<String> function = FileTree.text(map, name).flatMap(RayFunctions::find);
      if (function.isPresent()) {
        Optional<MapNode> inner = FileTree.map(map, "kwargs").or(() -> FileTree.map(map, "params"));
        boolean range = RayFunctions.arguments(function.get()).size() > 1;
        List<YamlNode> list =
            LISTS.stream()
                .filter(it -> range)
                .map(it -> FileTree.list(map, it))
                .filter(items -> !items.isEmpty())
                .findFirst()
                .orElse(List.of());
        return Optional.of(
            list.isEmpty()
                ? new RayCall(function.get(), named(inner.orElse(map)))
                : call(function.get(), list));
      }
    }
    return Optional.empty();
  }

  /** The attributes of objects of ray.tune.search.sample. */
  private static Optional<RayCall> ofObject(MapNode map) {
    String text =
        CLASSES.stream().flatMap(name -> FileTree.text(map, name).stream()).findFirst().orElse("");
    boolean categorical = map.find("categories").isPresent();
    boolean range = map.find("lower").isPresent() && map.find("upper").isPresent();
    if (!categorical && !range) {
      return Optional.empty();
    }
    Map<String, YamlNode> arguments = named(map);
    if (categorical) {
      return Optional.of(new RayCall(RayFunctions.CHOICE, arguments));
    }
    String sampler = sampler(map, arguments);
    boolean whole = text.endsWith("Integer");
    String base =
        sampler.contains("LogUniform") ? "log" : sampler.contains("Normal") ? "normal" : "";
    String function = base.equals("normal") ? "randn" : base + (whole ? "randint" : "uniform");
    return Optional.of(new RayCall((arguments.containsKey("q") ? "q" : "") + function, arguments));
  }

  /** Returns the class of the sampler, and adds its attributes. */
  private static String sampler(MapNode map, Map<String, YamlNode> arguments) {
    Optional<String> text = FileTree.text(map, "sampler");
    Optional<MapNode> object = FileTree.map(map, "sampler");
    if (object.isEmpty()) {
      return text.orElse("");
    }
    MapNode inner = FileTree.map(object.get(), "sampler").orElse(object.get());
    arguments.putAll(named(inner));
    FileTree.node(object.get(), "q").ifPresent(q -> arguments.put("q", q));
    String name =
        CLASSES.stream()
            .flatMap(field -> FileTree.text(inner, field).stream())
            .findFirst()
            .orElse("");
    return name.isEmpty() && inner.find("base").isPresent() ? "LogUniform" : name;
  }

  /** Returns an argument that is a number. */
  Optional<FileNumber> number(String name) {
    return Optional.ofNullable(arguments.get(name)).flatMap(FileNumber::of);
  }

  /** Returns the values of an argument that is a list. */
  List<YamlNode> list(String name) {
    return arguments.get(name) instanceof ListNode list ? list.items() : List.of();
  }
}
