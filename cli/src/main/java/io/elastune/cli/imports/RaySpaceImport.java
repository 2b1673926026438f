package io.elastune.cli.imports;

import io.elastune.core.config.yaml.ListNode;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.MapNode.MapEntry;
import io.elastune.core.config.yaml.YamlNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads a search space of Ray Tune, alone or with the settings of its tuner. */
final class RaySpaceImport {
  private static final List<String> SPACES =
      List.of("param_space", "config", "search_space", "space");
  private static final List<String> SETTINGS = List.of("tune_config", "tune_kwargs");

  private static final String SAMPLES = "num_samples";

  private final ImportedSearch search = new ImportedSearch("a search space of Ray Tune");

  /** How many hyperparameters are drawn, and how many combinations the others have. */
  private int drawn;

  private long combinations = 1;

  private RaySpaceImport() {}

  /** Reads a search space. */
  static ImportedSearch read(MapNode root) {
    RaySpaceImport space = new RaySpaceImport();
    space.readRoot(root);
    return space.search;
  }

  /** Reads a list of hyperparameters, each with its name. */
  static ImportedSearch read(ListNode root) {
    RaySpaceImport space = new RaySpaceImport();
    Map<String, MapEntry> entries = new LinkedHashMap<>();
    for (YamlNode item : root.items()) {
      Optional<String> name =
          item instanceof MapNode map ? FileTree.text(map, "name") : Optional.empty();
      name.ifPresentOrElse(
          text ->
              entries.put(text, new MapEntry(item.place(), text, ((MapNode) item).without("name"))),
          () -> space.search.note(item, "has no name: left out"));
    }
    space.readRoot(new MapNode(root.place(), "", entries));
    return space.search;
  }

  private void readRoot(MapNode root) {
    List<MapEntry> experiments =
        root.entries().values().stream().filter(entry -> isExperiment(entry.value())).toList();
    if (!experiments.isEmpty() && experiments.size() == root.entries().size()) {
      experiment(experiments.get(0));
      experiments.stream()
          .skip(1)
          .forEach(
              it -> search.note(it.value(), "is another experiment: the job is the first one"));
    } else {
      spaceOf(root);
    }
  }

  /** An experiment of a file for {@code rllib train} or {@code tune.run_experiments}. */
  private static boolean isExperiment(YamlNode node) {
    return node instanceof MapNode map
        && FileTree.map(map, "config").isPresent()
        && (map.find("run").isPresent() || map.find("alg").isPresent());
  }

  private void experiment(MapEntry entry) {
    MapNode experiment = (MapNode) entry.value();
    search.name(entry.name());
    Map<String, MapEntry> settings = new LinkedHashMap<>();
    Map<String, MapEntry> parameters = new LinkedHashMap<>();
    for (MapEntry field : experiment.entries().values()) {
      switch (field.name()) {
        case "config" -> parameters.putAll(((MapNode) field.value()).entries());
        case "env" -> parameters.put("env", field); // as Ray does
        case "run", "alg" -> search.note(field.value(), "names a program of Ray: set trial.run");
        case "stop" ->
            search.note(field.value(), "ends a trial in Ray: see search.resource and search.stop");
        // The name of the first versions.
        case "num_trials" ->
            settings.put(SAMPLES, new MapEntry(field.place(), SAMPLES, field.value()));
        default -> settings.put(field.name(), field);
      }
    }
    parameters("", new MapNode(experiment.place(), experiment.path(), parameters));
    settings(new MapNode(experiment.place(), experiment.path(), settings));
  }

  private void spaceOf(MapNode root) {
    Optional<String> name =
        SPACES.stream().filter(it -> FileTree.map(root, it).isPresent()).findFirst();
    boolean wrapped = name.filter(it -> isOfTuner(root, it)).isPresent();
    MapNode space = wrapped ? FileTree.map(root, name.orElseThrow()).orElseThrow() : root;
    parameters("", space);
    MapNode settings =
        wrapped
            ? SETTINGS.stream()
                .flatMap(it -> FileTree.map(root, it).stream())
                .findFirst()
                .orElse(root)
            : new MapNode(root.place(), "", Map.of());
    settings(settings);
    if (wrapped && !settings.equals(root)) {
      root.entries().values().stream()
          .filter(it -> !it.name().equals(name.orElseThrow()) && !it.value().equals(settings))
          .forEach(it -> search.note(it.value(), "settings of Ray without a counterpart"));
    }
  }

  /** A space may itself have a hyperparameter of this name. */
  private static boolean isOfTuner(MapNode root, String name) {
    return name.equals("param_space")
        || root.entries().size() == 1
        || root.find("tune_config").isPresent()
        || root.find("metric").isPresent()
        || root.find(SAMPLES).isPresent();
  }

  private void settings(MapNode settings) {
    for (MapEntry entry : settings.entries().values()) {
      switch (entry.name()) {
        case "metric", "mode", SAMPLES -> {}
        case "max_concurrent_trials" ->
            search.note(entry.value(), "the plan decides how many trials run at the same time");
        case "scheduler" ->
            search.note(
                entry.value(), "algorithms sha, hyperband, asha and pbt have this purpose here");
        case "search_alg" ->
            search.note(
                entry.value(),
                "configurations are random here; search.sampler: {type: optuna} proposes them");
        default -> {
          if (!SPACES.contains(entry.name())) {
            search.note(entry.value(), "a setting of Ray without a counterpart");
          }
        }
      }
    }
    Optional<String> metric = FileTree.text(settings, "metric");
    FileTree.node(settings, SAMPLES).ifPresent(node -> search.from("search.trials", node));
    metric.ifPresentOrElse(
        search::metric, () -> search.note(0, "metric", "is not in the file: set search.metric"));
    FileTree.text(settings, "mode").ifPresent(mode -> search.maximize(mode.equals("max")));
    FileTree.number(settings, SAMPLES)
        .filter(number -> number.value() < 0)
        .flatMap(number -> FileTree.node(settings, SAMPLES))
        .ifPresent(node -> search.note(node, "has no end in Ray: set search.trials"));
    int samples = FileTree.number(settings, SAMPLES).map(it -> (int) it.value()).orElse(0);
    if (combinations > 1 && drawn == 0) {
      search.grid(Math.max(1, samples));
    } else if (samples > 0) {
      search.trials((int) Math.min(Integer.MAX_VALUE, samples * combinations));
    }
    if (combinations > 1 && drawn > 0) {
      search.note(
          0,
          RayFunctions.GRID,
          "Ray tries each of the "
              + combinations
              + " combinations with each sample; here, these values are drawn, too");
    }
  }

  private void parameters(String prefix, MapNode map) {
    for (MapEntry entry : map.entries().values()) {
      String name = prefix + entry.name();
      int line = entry.place().line();
      Optional<RayCall> call = RayCall.of(entry.value());
      Optional<String> constant = constant(entry.value());
      if (call.isPresent()) {
        call(name, line, entry.value(), call.get());
      } else if (constant.isPresent()) {
        search.add(name, line, SpaceText.constant(constant.get()));
      } else if (isUnknown(entry.value())) {
        search.note(entry.value(), "is no distribution of Ray Tune: left out");
      } else if (entry.value() instanceof MapNode inner && !inner.entries().isEmpty()) {
        parameters(name + "/", inner);
      } else {
        SpaceText.value(entry.value())
            .ifPresentOrElse(
                text -> search.add(name, line, SpaceText.constant(text)),
                () -> search.note(entry.value(), "a map is no value: left out"));
      }
    }
  }

  /** A map that names a distribution is no map of hyperparameters. */
  private static boolean isUnknown(YamlNode node) {
    return node instanceof MapNode map
        && Stream.of("_type", "__type__", "distribution")
            .anyMatch(name -> FileTree.text(map, name).isPresent());
  }

  /** {@code {"distribution": "constant", "value": 3}}. */
  private static Optional<String> constant(YamlNode node) {
    return node instanceof MapNode map
            && map.entries().size() == 2
            && List.of("type", "distribution").stream()
                .anyMatch(it -> FileTree.text(map, it).orElse("").equals("constant"))
        ? FileTree.node(map, "value").flatMap(SpaceText::value)
        : Optional.empty();
  }

  private void call(String name, int line, YamlNode node, RayCall call) {
    String function = call.function();
    boolean grid = function.equals(RayFunctions.GRID);
    if (function.equals(RayFunctions.SAMPLE) || function.equals(RayFunctions.EVAL)) {
      search.note(node, "is a program, which has no counterpart: left out");
    } else if (grid || function.equals(RayFunctions.CHOICE)) {
      List<YamlNode> values = call.list("values");
      choice(name, line, node, values.isEmpty() ? call.list("categories") : values, grid);
    } else if (function.contains("randn")) {
      drawn++;
      search.add(
          name,
          line,
          SpaceText.normal(
              false,
              call.number("mean").orElse(FileNumber.of(0)),
              call.number("sd").orElse(FileNumber.of(1)),
              call.number("q")));
    } else {
      range(name, line, node, call);
    }
  }

  private void choice(String name, int line, YamlNode node, List<YamlNode> items, boolean grid) {
    List<String> values = search.values(items);
    if (values.isEmpty()) {
      search.note(node, "has no values: left out");
      return;
    }
    if (grid) {
      combinations *= values.size();
    } else {
      drawn++;
    }
    search.add(name, line, SpaceText.choice(values));
  }

  private void range(String name, int line, YamlNode node, RayCall call) {
    String function = call.function();
    boolean whole = function.contains("randint");
    boolean log = function.contains("log");
    Optional<FileNumber> step = call.number("q");
    Optional<FileNumber> low = call.number("lower");
    Optional<FileNumber> high = call.number("upper");
    if (low.isPresent() && high.isEmpty() && whole) { // tune.randint(10)
      high = low;
      low = Optional.of(FileNumber.of(0));
    }
    if (low.isEmpty() || high.isEmpty()) {
      search.note(node, "lower and upper are no numbers: left out");
      return;
    }
    drawn++;
    boolean excludesLast = whole && step.isEmpty();
    FileNumber last = excludesLast ? FileNumber.of(Math.ceil(high.get().value()) - 1) : high.get();
    search.add(name, line, SpaceText.range(whole, log, low.get(), last, step));
    step.filter(size -> size.value() > 0)
        .filter(size -> multiple(call.number("lower").orElse(size), size))
        .ifPresent(
            size ->
                search.note(
                    line,
                    name,
                    "Ray rounds to multiples of q; values here are lower, lower + q, …"));
  }

  private static boolean multiple(FileNumber low, FileNumber size) {
    double times = low.value() / size.value();
    return Math.abs(times - Math.rint(times)) > 1e-9;
  }
}
