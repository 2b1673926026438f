package io.elastune.cli.imports;

import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.job.Dimension;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The search that an imported file describes, and what of it has no counterpart. */
final class ImportedSearch {
  private static final int MOST_NAME = 64;

  /**
   * A hyperparameter.
   *
   * @param line its line in the imported file
   * @param text its distribution, as in a job file
   */
  record Entry(int line, String text) {}

  private static final String SPACE = "search.space.";

  private final String kind;
  private final Map<String, Entry> space = new LinkedHashMap<>();
  private final List<ImportNote> notes = new ArrayList<>();

  /** The lines of other fields of the job than the space, where they come from a value. */
  private final Map<String, Integer> lines = new LinkedHashMap<>();

  private String name = "";
  private Optional<String> metric = Optional.empty();
  private Optional<Boolean> maximize = Optional.empty();
  private Optional<String> pattern = Optional.empty();
  private Optional<Integer> trials = Optional.empty();
  private Optional<String> run = Optional.empty();
  private Optional<String> deadline = Optional.empty();
  private Optional<String> seed = Optional.empty();
  private boolean grid;
  private int repeat = 1;
  private final Map<String, String> stop = new LinkedHashMap<>();

  /**
   * Creates an empty search.
   *
   * @param kind what the file is, e.g. {@code a W&B sweep}
   */
  ImportedSearch(String kind) {
    this.kind = kind;
  }

  /** Adds what has no counterpart, or is to be checked. */
  void note(int line, String field, String reason) {
    notes.add(new ImportNote(line, field, reason));
  }

  /** The same for a value. */
  void note(YamlNode node, String reason) {
    note(node.place().line(), node.path(), reason);
  }

  /** Adds a hyperparameter, whose name is changed if a job file cannot have it. */
  void add(String parameter, int line, String text) {
    String usable = parameter;
    if (!parameter.matches(Dimension.NAME)) {
      usable = parameter.replaceAll("[^A-Za-z0-9_./-]", "_");
      usable = usable.matches("[A-Za-z_].*") ? usable : "_" + usable;
      usable = usable.substring(0, Math.min(usable.length(), MOST_NAME));
      usable = unused(usable);
      note(line, parameter, "a job file cannot have this name: it is " + usable + " there");
    } else if (space.containsKey(usable)) {
      note(line, parameter, "is there twice: the last one counts");
    }
    space.put(usable, new Entry(line, text));
  }

  /** Returns a name that no other hyperparameter has. */
  private String unused(String given) {
    String name = given;
    for (int i = 2; space.containsKey(name); i++) {
      String end = "_" + i;
      name = given.substring(0, Math.min(given.length(), MOST_NAME - end.length())) + end;
    }
    return name;
  }

  /** Returns values as in a job file, each once; a map, which is none, becomes a note. */
  List<String> values(List<YamlNode> nodes) {
    Set<String> values = new LinkedHashSet<>();
    for (YamlNode node : nodes) {
      SpaceText.value(node)
          .ifPresentOrElse(
              values::add, () -> note(node, "a map is no value of a hyperparameter: left out"));
    }
    return List.copyOf(values);
  }

  void name(String text) {
    name = text;
  }

  void metric(String text) {
    metric = Optional.of(text);
  }

  void maximize(boolean higher) {
    maximize = Optional.of(higher);
  }

  void pattern(String text) {
    pattern = Optional.of(text);
  }

  void trials(int count) {
    trials = Optional.of(count);
  }

  /** Sets the number of trials from a value of the file, if it is a number. */
  void trials(YamlNode node) {
    FileNumber.of(node)
        .ifPresentOrElse(
            number -> {
              trials((int) number.value());
              from("search.trials", node);
            },
            () -> note(node, "is no number of trials"));
  }

  /** Records that a field of the job comes from a value of the file. */
  void from(String field, YamlNode node) {
    lines.put(field, node.place().line());
  }

  /** Returns the line from which a field of the job comes; 0 if it is unknown. */
  int line(String field) {
    return Stream.concat(
            space.entrySet().stream()
                .map(entry -> Map.entry(SPACE + entry.getKey(), entry.getValue().line())),
            lines.entrySet().stream())
        .filter(entry -> (field + ".").startsWith(entry.getKey() + "."))
        .mapToInt(Map.Entry::getValue)
        .max()
        .orElse(0);
  }

  void run(String text) {
    run = Optional.of(text);
  }

  void deadline(String text) {
    deadline = Optional.of(text);
  }

  void seed(String text) {
    seed = Optional.of(text);
  }

  /** Tries all combinations, each of them several times. */
  void grid(int times) {
    grid = true;
    repeat = times;
  }

  /** Adds a field of {@code search.stop}, in the form of a job file. */
  void stop(String field, String text) {
    stop.put(field, text);
  }

  String kind() {
    return kind;
  }

  String name() {
    return name;
  }

  Optional<String> metric() {
    return metric;
  }

  Optional<Boolean> maximize() {
    return maximize;
  }

  Optional<String> pattern() {
    return pattern;
  }

  Optional<Integer> trials() {
    return trials;
  }

  Optional<String> run() {
    return run;
  }

  Optional<String> deadline() {
    return deadline;
  }

  Optional<String> seed() {
    return seed;
  }

  boolean isGrid() {
    return grid;
  }

  int repeat() {
    return repeat;
  }

  Map<String, String> stop() {
    return stop;
  }

  /** Returns whether every trial would have the same hyperparameters. */
  boolean isConstant() {
    return space.values().stream().allMatch(entry -> entry.text().startsWith("{type: constant"));
  }

  Map<String, Entry> space() {
    return space;
  }

  List<ImportNote> notes() {
    return notes;
  }
}
