package io.elastune.core.config;

import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.config.yaml.YamlTreeReader;
import io.elastune.core.config.yaml.YamlWriter;
import io.elastune.core.job.Job;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** Reads and writes job files. */
public final class JobFile {
  private JobFile() {}

  /**
   * Returns the job, or all problems of the file and the overrides. A list of configurations in
   * another file is a problem; jobs that {@link #write} has written contain the list itself.
   *
   * @param fileName file name used in messages
   */
  public static ParseResult<Job> parse(String fileName, String text, Overrides overrides) {
    return FileParser.parse(
        fileName, text, JobSection.SECTION, (root, problems) -> overrides.applyTo(root));
  }

  /**
   * Returns the job that {@link #write} has written to a journal, also one of an earlier version,
   * which drew configurations with replacement.
   *
   * @param fileName file name used in messages
   */
  public static ParseResult<Job> parseStored(String fileName, String text, Overrides overrides) {
    AtomicBoolean repeats = new AtomicBoolean();
    ParseResult<Job> parsed =
        FileParser.parse(
            fileName,
            text,
            JobSection.SECTION,
            (root, problems) -> {
              repeats.set(
                  root.find("search")
                      .filter(search -> search.value() instanceof MapNode)
                      .flatMap(search -> ((MapNode) search.value()).find("repeat"))
                      .isPresent());
              return overrides.applyTo(root);
            });
    return repeats.get()
        ? parsed
        : parsed.map(job -> job.withSearch(job.search().withReplacement()));
  }

  /**
   * Returns the job with the configurations of the file that it names, or all problems of the files
   * and the overrides.
   *
   * @param fileName file name used in messages
   */
  public static ParseResult<Job> parse(
      String fileName, String text, Overrides overrides, ReferencedFiles files) {
    return FileParser.parse(
        fileName,
        text,
        JobSection.SECTION,
        (root, problems) ->
            new ConfigurationsFile(files, problems).insertInto(overrides.applyTo(root)));
  }

  /**
   * Returns the line of a field in a job file. If the field is absent, this is the line of its
   * innermost section that is present; 0 if there is none.
   *
   * @param field path of the field, e.g. {@code resources.offers}
   */
  public static int lineOf(String text, String field) {
    int line = 0;
    Optional<YamlNode> at = YamlTreeReader.read("", text, new ProblemList());
    for (String name : field.split("\\.", -1)) {
      Optional<MapNode.MapEntry> mapEntry =
          at.filter(MapNode.class::isInstance).flatMap(group -> ((MapNode) group).find(name));
      line = mapEntry.map(found -> found.place().line()).orElse(line);
      at = mapEntry.map(MapNode.MapEntry::value);
    }
    return line;
  }

  /** Returns the fields in which a job differs from an earlier one; removed ones come last. */
  public static List<FieldChange> differences(Job before, Job after) {
    Map<String, String> earlier = new LinkedHashMap<>();
    Map<String, String> later = new LinkedHashMap<>();
    flatten("", JobSection.SECTION.write(before), earlier);
    flatten("", JobSection.SECTION.write(after), later);
    Set<String> fields = new LinkedHashSet<>(later.keySet());
    fields.addAll(earlier.keySet());
    return fields.stream()
        .map(
            field ->
                new FieldChange(
                    field,
                    Optional.ofNullable(earlier.get(field)),
                    Optional.ofNullable(later.get(field))))
        .filter(change -> !change.before().equals(change.after()))
        .toList();
  }

  private static void flatten(String path, Object value, Map<String, String> fields) {
    if (value instanceof Map<?, ?> map) {
      map.forEach(
          (name, item) -> flatten(path.isEmpty() ? "" + name : path + "." + name, item, fields));
    } else {
      fields.put(path, YamlWriter.flow(value));
    }
  }

  /**
   * Returns a job file with all defaults written out; {@link #parse} reads an equal job from it.
   */
  public static String write(Job job) {
    return YamlWriter.write(JobSection.SECTION.write(job));
  }
}
