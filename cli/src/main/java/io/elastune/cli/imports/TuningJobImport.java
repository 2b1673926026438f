package io.elastune.cli.imports;

import io.elastune.core.config.yaml.ListNode;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.MapNode.MapEntry;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.config.yaml.YamlWriter;
import io.elastune.core.job.MetricPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;

/** Reads a tuning job of SageMaker: the request that creates it, or its description. */
final class TuningJobImport {
  private static final String CONFIG = "HyperParameterTuningJobConfig";
  private static final String RANGES = "ParameterRanges";

  private final ImportedSearch search = new ImportedSearch("a tuning job of SageMaker");

  private TuningJobImport() {}

  /** Returns whether a file is a tuning job, or its configuration alone. */
  static boolean accepts(MapNode root) {
    return FileTree.map(root, CONFIG).isPresent() || FileTree.map(root, RANGES).isPresent();
  }

  /** Reads a tuning job. */
  static ImportedSearch read(MapNode root) {
    TuningJobImport job = new TuningJobImport();
    job.readRoot(root);
    return job.search;
  }

  private void readRoot(MapNode root) {
    FileTree.text(root, "HyperParameterTuningJobName").ifPresent(search::name);
    MapNode config = FileTree.map(root, CONFIG).orElse(root);
    List<MapNode> definitions = new ArrayList<>();
    FileTree.map(root, "TrainingJobDefinition").ifPresent(definitions::add);
    FileTree.list(root, "TrainingJobDefinitions").stream()
        .filter(MapNode.class::isInstance)
        .map(MapNode.class::cast)
        .forEach(definitions::add);
    if (definitions.size() > 1) {
      search.note(
          definitions.get(1),
          "a job tunes one program: this is the first of " + definitions.size());
    }
    Optional<MapNode> definition = definitions.stream().findFirst();
    Optional<MapNode> ranges =
        FileTree.map(config, RANGES)
            .or(() -> definition.flatMap(it -> FileTree.map(it, "HyperParameterRanges")));
    Optional<MapNode> objective =
        FileTree.map(config, "HyperParameterTuningJobObjective")
            .or(() -> definition.flatMap(it -> FileTree.map(it, "TuningObjective")));
    objective.ifPresentOrElse(this::objective, () -> otherObjective(root));
    ranges.ifPresent(this::ranges);
    limits(config);
    strategy(config);
    definition.ifPresent(this::definition);
  }

  private void objective(MapNode objective) {
    FileTree.text(objective, "MetricName").ifPresent(search::metric);
    search.maximize(isMaximum(objective));
  }

  /** Files with ranges for other programs name the objective in this way. */
  private void otherObjective(MapNode root) {
    FileTree.map(root, "ObjectiveMetric")
        .ifPresentOrElse(
            map -> {
              FileTree.text(map, "Name").ifPresent(search::metric);
              search.maximize(isMaximum(map));
            },
            () -> search.note(0, "metric", "is not in the file: set search.metric"));
  }

  private static boolean isMaximum(MapNode objective) {
    return FileTree.text(objective, "Type").orElse("").toLowerCase(Locale.ROOT).startsWith("max");
  }

  private void ranges(MapNode ranges) {
    each(ranges, "IntegerParameterRanges", one -> range(one, true));
    each(ranges, "ContinuousParameterRanges", one -> range(one, false));
    each(ranges, "CategoricalParameterRanges", this::choice);
    each(
        ranges,
        "AutoParameters",
        one -> search.note(one, "SageMaker chooses the range: set one in search.space"));
  }

  private interface Range {
    void read(MapNode range);
  }

  private void each(MapNode ranges, String name, Range reader) {
    for (YamlNode item : FileTree.list(ranges, name)) {
      if (item instanceof MapNode map) {
        reader.read(map);
      } else {
        search.note(item, "is no range: left out");
      }
    }
  }

  private void range(MapNode range, boolean whole) {
    String name = FileTree.text(range, "Name").orElse("");
    Optional<FileNumber> low = FileTree.number(range, "MinValue");
    Optional<FileNumber> high = FileTree.number(range, "MaxValue");
    if (name.isEmpty() || low.isEmpty() || high.isEmpty()) {
      search.note(range, "has no name, MinValue or MaxValue: left out");
      return;
    }
    String scale = FileTree.text(range, "ScalingType").orElse("Auto");
    int line = range.place().line();
    switch (scale) {
      case "Auto" ->
          search.note(line, name, "SageMaker chooses the scale (Auto): it is linear here");
      case "ReverseLogarithmic" ->
          search.note(line, name, "a reverse logarithmic scale has no counterpart: it is linear");
      default -> {} // Linear, Logarithmic
    }
    boolean log = scale.equals("Logarithmic");
    search.add(name, line, SpaceText.range(whole, log, low.get(), high.get(), Optional.empty()));
  }

  private void choice(MapNode range) {
    String name = FileTree.text(range, "Name").orElse("");
    List<String> values =
        FileTree.list(range, "Values").stream()
            .filter(ScalarNode.class::isInstance)
            .map(item -> value(((ScalarNode) item).text()))
            .distinct()
            .toList();
    if (name.isEmpty() || values.isEmpty()) {
      search.note(range, "has no name or no values: left out");
      return;
    }
    search.add(name, range.place().line(), SpaceText.choice(values));
  }

  /** SageMaker passes texts, which its toolkit reads as JSON where they are some. */
  private static String value(String text) {
    Optional<FileNumber> number = FileNumber.of(text);
    if (number.isPresent()) {
      return number.get().text();
    }
    boolean json = text.matches("(?s)\".*\"|\\[.*]|true|false|null") && !text.equals("\"\"");
    return json
        ? FileTree.find(text).flatMap(SpaceText::value).orElseGet(() -> YamlWriter.flow(text))
        : YamlWriter.flow(text);
  }

  private void limits(MapNode config) {
    Optional<MapNode> limits = FileTree.map(config, "ResourceLimits");
    limits.flatMap(it -> FileTree.node(it, "MaxNumberOfTrainingJobs")).ifPresent(search::trials);
    limits
        .flatMap(it -> FileTree.number(it, "MaxRuntimeInSeconds"))
        .ifPresent(seconds -> search.deadline((long) seconds.value() + "s"));
    limits
        .flatMap(it -> FileTree.node(it, "MaxParallelTrainingJobs"))
        .ifPresent(
            node -> search.note(node, "the plan decides how many trials run at the same time"));
    FileTree.number(config, "RandomSeed").ifPresent(seed -> search.seed(seed.text()));
    FileTree.node(config, "RandomSeed").ifPresent(node -> search.from("search.seed", node));
    limits
        .flatMap(it -> FileTree.node(it, "MaxRuntimeInSeconds"))
        .ifPresent(node -> search.from("deadline", node));
    FileTree.map(config, "TuningJobCompletionCriteria").ifPresent(this::criteria);
  }

  private void criteria(MapNode criteria) {
    for (MapEntry entry : criteria.entries().values()) {
      switch (entry.name()) {
        case "TargetObjectiveMetricValue" ->
            FileNumber.of(entry.value()).ifPresent(it -> search.stop("target", it.text()));
        case "BestObjectiveNotImproving" ->
            Optional.of(entry.value())
                .filter(MapNode.class::isInstance)
                .flatMap(it -> FileTree.number((MapNode) it, "MaxNumberOfTrainingJobsNotImproving"))
                .ifPresent(it -> search.stop("patience", "{trials: " + it.text() + "}"));
        default -> search.note(entry.value(), "has no counterpart; see search.stop");
      }
    }
  }

  private void strategy(MapNode config) {
    Optional<YamlNode> strategy = FileTree.node(config, "Strategy");
    switch (FileTree.text(config, "Strategy").orElse("Random")) {
      case "Random" -> {}
      case "Grid" -> search.grid(1);
      case "Bayesian" ->
          note(
              strategy,
              "configurations are random here; search.sampler: {type: optuna} proposes them from"
                  + " results, and needs Optuna");
      case "Hyperband" ->
          note(
              strategy,
              "has the counterpart algorithm: hyperband, with search.resource, if the program reports"
                  + " and saves checkpoints");
      default -> note(strategy, "has no counterpart: configurations are random");
    }
    FileTree.node(config, "StrategyConfig")
        .ifPresent(node -> search.note(node, "belongs to the strategy: see search.resource"));
    FileTree.node(config, "TrainingJobEarlyStoppingType")
        .filter(node -> node instanceof ScalarNode word && word.text().equals("Auto"))
        .ifPresent(
            node ->
                search.note(
                    node,
                    "algorithms sha and asha end bad trials early, by reports of the program"));
  }

  private void note(Optional<YamlNode> node, String reason) {
    node.ifPresent(found -> search.note(found, reason));
  }

  private void definition(MapNode definition) {
    FileTree.map(definition, "StaticHyperParameters").ifPresent(this::constants);
    FileTree.map(definition, "AlgorithmSpecification")
        .ifPresent(
            it -> {
              pattern(it);
              note(
                  FileTree.node(it, "TrainingImage").or(() -> FileTree.node(it, "AlgorithmName")),
                  "trial.run is the command in this image; trial.image starts it in a container");
            });
    for (String resources : List.of("ResourceConfig", "HyperParameterTuningResourceConfig")) {
      note(FileTree.node(definition, resources), "set resources.infra and instance_types");
    }
    note(FileTree.node(definition, "InputDataConfig"), "the program reads its data itself");
    note(FileTree.node(definition, "CheckpointConfig"), "see docs/trial-protocol.md");
    note(
        FileTree.node(definition, "StoppingCondition"),
        "limits each training job; a job file has a deadline for all");
    note(
        FileTree.node(definition, "EnableManagedSpotTraining")
            .filter(node -> node instanceof ScalarNode flag && flag.text().equals("true")),
        "set resources.market: spot");
  }

  private void constants(MapNode map) {
    for (MapEntry entry : map.entries().values()) {
      if (entry.name().startsWith("sagemaker_") || entry.name().startsWith("_")) {
        search.note(entry.value(), "belongs to SageMaker: left out");
      } else if (entry.value() instanceof ScalarNode scalar) {
        search.add(entry.name(), entry.place().line(), SpaceText.constant(value(scalar.text())));
      }
    }
  }

  private void pattern(MapNode algorithm) {
    for (YamlNode item : FileTree.list(algorithm, "MetricDefinitions")) {
      if (item instanceof MapNode definition
          && FileTree.text(definition, "Name").equals(search.metric())) {
        String regex = FileTree.text(definition, "Regex").orElse("");
        try {
          if (MetricPattern.compile(regex).groups() > 0) {
            search.pattern(regex);
          } else {
            search.note(item, "the pattern has no group for the value: set search.metric.pattern");
          }
        } catch (PatternSyntaxException e) {
          search.note(item, "is no pattern: " + e.getDescription());
        }
      } else if (item instanceof ListNode) {
        search.note(item, "is no metric: left out");
      }
    }
  }
}
