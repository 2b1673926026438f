package io.elastune.cli.imports;

import io.elastune.cli.imports.OptunaStudy.StoredTrial;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** Reads the studies of Optuna in a journal file: one operation in each line. */
final class OptunaJournal {
  private static final int CREATE_STUDY = 0;
  private static final int DELETE_STUDY = 1;
  private static final int STUDY_ATTRIBUTE = 3;
  private static final int CREATE_TRIAL = 4;
  private static final int PARAMETER = 5;
  private static final int STATE = 6;
  private static final int COMPLETE = 1;
  private static final List<String> DIRECTIONS = List.of("NOT_SET", "MINIMIZE", "MAXIMIZE");
  private static final ObjectReader JSON =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build()
          .readerFor(JsonNode.class);

  /** Studies and trials by their numbers, which count from 0. */
  private final Map<Integer, Draft> studies = new LinkedHashMap<>();

  private final List<StoredTrial> trials = new ArrayList<>();
  private int next;

  private static final class Draft {
    private final String name;
    private final List<String> directions;
    private final List<String> metrics = new ArrayList<>();
    private final List<StoredTrial> trials = new ArrayList<>();

    Draft(String name, List<String> directions) {
      this.name = name;
      this.directions = directions;
    }
  }

  private OptunaJournal() {}

  /** Returns whether a line is an operation of such a file. */
  static boolean accepts(String line) {
    return operation(line).filter(it -> it.path("op_code").isIntegralNumber()).isPresent();
  }

  /** Returns all studies. A line that is not complete is left out, as Optuna does. */
  static List<OptunaStudy> read(Path file) throws IOException {
    OptunaJournal journal = new OptunaJournal();
    // Optuna writes ASCII. Other bytes are in a line that was not completed.
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        operation(line).ifPresent(journal::apply);
      }
    }
    return journal.studies.values().stream()
        .map(one -> new OptunaStudy(one.name, one.directions, one.metrics, one.trials))
        .toList();
  }

  private static Optional<JsonNode> operation(String line) {
    try {
      JsonNode node = JSON.readValue(line);
      return Optional.ofNullable(node).filter(JsonNode::isObject);
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  private void apply(JsonNode operation) {
    Draft study = studies.get(operation.path("study_id").asInt(-1));
    switch (operation.path("op_code").asInt(-1)) {
      case CREATE_STUDY -> create(operation);
      case DELETE_STUDY -> studies.remove(operation.path("study_id").asInt(-1));
      case STUDY_ATTRIBUTE -> {
        if (study != null) {
          operation
              .path("system_attr")
              .path("study:metric_names")
              .forEach(name -> study.metrics.add(name.asString("")));
        }
      }
      case CREATE_TRIAL -> {
        StoredTrial trial = new StoredTrial(operation.path("state").asInt(-1) == COMPLETE);
        trials.add(trial);
        if (study != null) {
          study.trials.add(trial);
        }
        operation
            .path("distributions")
            .properties()
            .forEach(
                one ->
                    trial.suggest(
                        one.getKey(),
                        text(one.getValue()),
                        operation.path("params").path(one.getKey()).asDouble(Double.NaN)));
      }
      case PARAMETER ->
          trial(operation)
              .ifPresent(
                  trial ->
                      trial.suggest(
                          operation.path("param_name").asString(""),
                          text(operation.path("distribution")),
                          operation.path("param_value_internal").asDouble(Double.NaN)));
      case STATE -> {
        if (operation.path("state").asInt(-1) == COMPLETE) {
          trial(operation).ifPresent(StoredTrial::completed);
        }
      }
      default -> {} // attributes and values of trials
    }
  }

  /** Other programs than Optuna write objects, not their texts. */
  private static String text(JsonNode distribution) {
    return distribution.isString() ? distribution.asString() : distribution.toString();
  }

  private Optional<StoredTrial> trial(JsonNode operation) {
    int number = operation.path("trial_id").asInt(-1);
    return number >= 0 && number < trials.size()
        ? Optional.of(trials.get(number))
        : Optional.empty();
  }

  /** A study with the name of another one is not created; its line has no number then. */
  private void create(JsonNode operation) {
    String name = operation.path("study_name").asString("");
    if (studies.values().stream().anyMatch(study -> study.name.equals(name))) {
      return;
    }
    List<String> directions = new ArrayList<>();
    operation
        .path("directions")
        .forEach(
            one -> {
              int code = one.asInt(0);
              directions.add(DIRECTIONS.get(code < DIRECTIONS.size() && code > 0 ? code : 0));
            });
    studies.put(next++, new Draft(name, directions));
  }
}
