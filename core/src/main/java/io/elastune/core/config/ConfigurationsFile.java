package io.elastune.core.config;

import io.elastune.core.config.codec.NearestName;
import io.elastune.core.config.yaml.ListNode;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.MapNode.MapEntry;
import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.ScalarNode.ScalarType;
import io.elastune.core.config.yaml.SourcePosition;
import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.config.yaml.YamlTreeReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Replaces the path in {@code search.configs} by the list in that file. In a CSV file the header
 * names hyperparameters, an empty cell stands for no value, and the search space determines the
 * types of the cells.
 */
final class ConfigurationsFile {
  private static final String SEARCH = "search";
  private static final String CONFIGS = "configs";
  private static final String PATH = SEARCH + "." + CONFIGS;

  private final ReferencedFiles files;
  private final ProblemCollector problems;

  ConfigurationsFile(ReferencedFiles files, ProblemCollector problems) {
    this.files = files;
    this.problems = problems;
  }

  /**
   * Returns the tree of a job file with the list inserted; without the field, if it has problems.
   */
  MapNode insertInto(MapNode job) {
    Optional<MapNode> search = map(job, SEARCH);
    Optional<YamlNode> given = search.flatMap(map -> map.find(CONFIGS)).map(MapEntry::value);
    if (given.isEmpty()
        || !(given.get() instanceof ScalarNode path && path.kind() == ScalarType.STRING)) {
      return job;
    }
    MapNode others = search.get().without(CONFIGS);
    Optional<YamlNode> list = read(path, others);
    return job.with(SEARCH, list.map(found -> others.with(CONFIGS, found)).orElse(others));
  }

  private static Optional<MapNode> map(MapNode parent, String name) {
    return parent
        .find(name)
        .map(MapEntry::value)
        .filter(MapNode.class::isInstance)
        .map(MapNode.class::cast);
  }

  private Optional<YamlNode> read(ScalarNode path, MapNode search) {
    String lower = path.text().toLowerCase(Locale.ROOT);
    boolean csv = lower.endsWith(".csv");
    if (!csv && !lower.matches(".*\\.(yaml|yml|json)")) {
      problems.add(
          path,
          "must be a list, or a file whose name ends with .yaml, .json or .csv, not "
              + path.describe(),
          "");
      return Optional.empty();
    }
    return files
        .read(path.text())
        .match(
            file ->
                csv
                    ? csv(file, search)
                    : YamlTreeReader.read(file.name(), PATH, file.text(), problems),
            unreadable -> {
              unreadable.forEach(
                  problem ->
                      problems.add(
                          path,
                          problem.file() + ": " + problem.message(),
                          "paths are relative to the folder of the job file"));
              return Optional.empty();
            });
  }

  private Optional<YamlNode> csv(ReferencedFiles.TextFile file, MapNode search) {
    Optional<List<CsvRows.Row>> rows = CsvRows.read(file.name(), PATH, file.text(), problems);
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    if (rows.get().isEmpty()) {
      problems.add(
          new SourcePosition(file.name(), 1),
          PATH,
          "the file is empty",
          "write a header with the names of hyperparameters, and a line for each configuration");
      return Optional.empty();
    }
    CsvRows.Row header = rows.get().get(0);
    Map<String, MapEntry> space = map(search, "space").map(MapNode::entries).orElse(Map.of());
    int before = problems.count();
    checkHeader(header, space);
    List<YamlNode> items = new ArrayList<>();
    for (CsvRows.Row row : rows.get().subList(1, rows.get().size())) {
      items.add(configuration(PATH + "[" + items.size() + "]", header, row, space));
    }
    return problems.count() > before
        ? Optional.empty()
        : Optional.of(new ListNode(header.place(), PATH, items));
  }

  private void checkHeader(CsvRows.Row header, Map<String, MapEntry> space) {
    List<String> names = header.cells();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      if (names.indexOf(name) < i) {
        problems.add(
            header.place(), PATH, "the column \"" + name + "\" is given twice", "remove one");
      } else if (!space.isEmpty() && !space.containsKey(name)) {
        problems.add(
            header.place(),
            PATH,
            "the column \"" + name + "\" is not a hyperparameter of search.space",
            unknownHint(name, space));
      }
    }
  }

  private static String unknownHint(String name, Map<String, MapEntry> space) {
    if (name.indexOf(';') >= 0 || name.indexOf('\t') >= 0) {
      return "separate cells with commas";
    }
    String near = NearestName.hint(name, space.keySet());
    return near.isEmpty() ? "known: " + String.join(", ", space.keySet()) : near;
  }

  private YamlNode configuration(
      String path, CsvRows.Row header, CsvRows.Row row, Map<String, MapEntry> space) {
    if (row.cells().size() != header.cells().size()) {
      problems.add(
          row.place(),
          path,
          "has %d cells, but the header has %d"
              .formatted(row.cells().size(), header.cells().size()),
          "leave a cell empty to draw its value");
    }
    MapNode empty = new MapNode(row.place(), path, Map.of());
    Map<String, MapEntry> entries = new LinkedHashMap<>();
    for (int i = 0; i < Math.min(row.cells().size(), header.cells().size()); i++) {
      String name = header.cells().get(i);
      String cell = row.cells().get(i);
      if (!cell.isEmpty()) {
        YamlNode value =
            new TableCell(row.place(), empty.pathOf(name), cell)
                .node(Optional.ofNullable(space.get(name)).map(MapEntry::value));
        entries.put(name, new MapEntry(row.place(), name, value));
      }
    }
    return new MapNode(row.place(), path, entries);
  }
}
