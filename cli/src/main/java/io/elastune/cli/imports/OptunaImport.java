package io.elastune.cli.imports;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.imports.OptunaStudy.StoredTrial;
import io.elastune.cli.imports.OptunaStudy.Suggested;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.config.yaml.YamlWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reads a study of Optuna. Its storage has no search space, but the distribution of each value that
 * its trials have used. A hyperparameter that only some trials have depends on another one.
 */
final class OptunaImport {
  private final ImportedSearch search = new ImportedSearch("a study of Optuna");
  private final OptunaStudy study;

  /** The values of choices by the name of the hyperparameter. */
  private final Map<String, List<String>> choices = new HashMap<>();

  private OptunaImport(OptunaStudy study) {
    this.study = study;
  }

  /** Returns the study of that name, or the only one. */
  static OptunaStudy select(String file, List<OptunaStudy> studies, Optional<String> name) {
    String names = studies.stream().map(OptunaStudy::name).collect(Collectors.joining(", "));
    List<OptunaStudy> found =
        studies.stream().filter(one -> name.isEmpty() || one.name().equals(name.get())).toList();
    if (studies.isEmpty()) {
      throw CommandFailure.usage(file, "", "has no study of Optuna");
    }
    if (found.isEmpty()) {
      throw CommandFailure.invalid("--study", "no such study: " + name.orElse(""), names);
    }
    if (found.size() > 1) {
      throw CommandFailure.usage(
          file, "", "has " + found.size() + " studies: select one with --study: " + names);
    }
    return found.get(0);
  }

  /** Reads a study. */
  static ImportedSearch read(OptunaStudy study) {
    OptunaImport reader = new OptunaImport(study);
    reader.read();
    return reader.search;
  }

  private void read() {
    search.name(study.name());
    if (!study.trials().isEmpty()) {
      search.trials(study.trials().size());
    }
    if (study.directions().size() > 1) {
      search.note(
          0,
          "directions",
          "the study has "
              + study.directions().size()
              + " objectives: the first one is the metric of the job");
    }
    study.directions().stream()
        .findFirst()
        .ifPresent(direction -> search.maximize(direction.equals("MAXIMIZE")));
    study.metrics().stream()
        .findFirst()
        .ifPresentOrElse(
            search::metric,
            () -> {
              search.metric("value");
              search.note(
                  0, "metric", "the study has no name of its value: set search.metric.name");
            });
    for (String name : study.parameters()) {
      parameter(name);
    }
    search.note(
        0,
        "sampler",
        "is not stored: configurations are random here; search.sampler: {type: optuna} proposes"
            + " them as TPE does, and needs Optuna");
    search.note(
        0, "values", "the results of the study are not imported: list good ones in search.configs");
  }

  private void parameter(String name) {
    List<String> distributions =
        study.trials().stream()
            .map(trial -> trial.suggested().get(name))
            .filter(Objects::nonNull)
            .map(Suggested::distribution)
            .distinct()
            .toList();
    List<MapNode> found =
        distributions.stream()
            .flatMap(json -> FileTree.find(json).stream())
            .filter(MapNode.class::isInstance)
            .map(MapNode.class::cast)
            .toList();
    if (found.isEmpty()) {
      search.note(0, name, "has no distribution: left out");
      return;
    }
    String type = FileTree.text(found.get(0), "name").orElse("");
    Optional<String> text =
        type.equals("CategoricalDistribution")
            ? choice(name, found.get(0))
            : range(name, type, found);
    text.ifPresentOrElse(
        line -> search.add(name, 0, withCondition(name, line)),
        () -> search.note(0, name, "has no counterpart: " + type));
  }

  private Optional<String> choice(String name, MapNode distribution) {
    List<String> values = new ArrayList<>();
    for (YamlNode item : FileTree.list(attributes(distribution), "choices")) {
      Optional<String> value = SpaceText.value(item);
      if (value.isEmpty()) {
        return Optional.empty();
      }
      values.add(value.get());
    }
    choices.put(name, values);
    return values.isEmpty() ? Optional.empty() : Optional.of(SpaceText.choice(values));
  }

  private static MapNode attributes(MapNode distribution) {
    return FileTree.map(distribution, "attributes").orElse(distribution);
  }

  /** The first three types are those of Optuna 3 and later, the others of earlier versions. */
  private Optional<String> range(String name, String type, List<MapNode> distributions) {
    boolean known =
        Set.of(
                "FloatDistribution",
                "IntDistribution",
                "UniformDistribution",
                "LogUniformDistribution",
                "DiscreteUniformDistribution",
                "IntUniformDistribution",
                "IntLogUniformDistribution")
            .contains(type);
    Comparator<FileNumber> byValue = Comparator.comparingDouble(FileNumber::value);
    Optional<FileNumber> low = numbers(distributions, "low").stream().min(byValue);
    Optional<FileNumber> high = numbers(distributions, "high").stream().max(byValue);
    if (!known || low.isEmpty() || high.isEmpty()) {
      return Optional.empty();
    }
    if (distributions.size() > 1) {
      search.note(0, name, "its range differs between trials: the job has the widest one");
    }
    MapNode attributes = attributes(distributions.get(0));
    boolean log =
        type.contains("Log") || FileTree.text(attributes, "log").orElse("").equals("true");
    Optional<FileNumber> step =
        FileTree.number(attributes, "step").or(() -> FileTree.number(attributes, "q"));
    return Optional.of(SpaceText.range(type.startsWith("Int"), log, low.get(), high.get(), step));
  }

  private static List<FileNumber> numbers(List<MapNode> distributions, String name) {
    return distributions.stream()
        .flatMap(one -> FileTree.number(attributes(one), name).stream())
        .toList();
  }

  /** Adds the condition under which complete trials have a hyperparameter. */
  private String withCondition(String name, String text) {
    List<StoredTrial> complete = study.trials().stream().filter(StoredTrial::isComplete).toList();
    if (complete.stream().allMatch(trial -> trial.suggested().containsKey(name))) {
      return text;
    }
    for (String other : search.space().keySet()) {
      List<String> values = choices.getOrDefault(other, List.of());
      if (values.size() < 2
          || !complete.stream().allMatch(trial -> trial.suggested().containsKey(other))) {
        continue;
      }
      Set<Integer> with = indices(complete, other, name, true);
      Set<Integer> without = indices(complete, other, name, false);
      if (!with.isEmpty() && with.stream().noneMatch(without::contains)) {
        String condition =
            with.stream().map(values::get).collect(Collectors.joining(", ", "[", "]"));
        search.note(
            0,
            name,
            "only trials with " + other + " in " + condition + " have it: its condition is when");
        return text.substring(0, text.length() - 1)
            + ", when: {"
            + YamlWriter.flow(other)
            + ": "
            + condition
            + "}}";
      }
    }
    search.note(
        0, name, "only some trials have it, by no choice that explains it: add when, or leave it");
    return text;
  }

  private static Set<Integer> indices(
      List<StoredTrial> trials, String choice, String name, boolean present) {
    return trials.stream()
        .filter(trial -> trial.suggested().containsKey(name) == present)
        .map(trial -> Objects.requireNonNull(trial.suggested().get(choice)))
        .map(suggested -> (int) suggested.value())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
