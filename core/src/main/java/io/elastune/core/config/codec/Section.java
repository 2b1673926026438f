package io.elastune.core.config.codec;

import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.SourcePosition;
import io.elastune.core.config.yaml.YamlNode;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A codec for a map with known fields, which is read into a record.
 *
 * @param title title in the documentation, e.g. {@code search.resource}
 * @param doc description of the section, one sentence
 * @param strict whether an unknown field is a problem
 * @param check validates several fields together; also called if some of them are invalid
 * @param build creates the record; called only if there is no problem
 */
public record Section<R>(
    String title,
    String doc,
    boolean strict,
    List<Field<R, ?>> fields,
    Consumer<FieldValues> check,
    Function<FieldValues, R> build)
    implements Codec<R> {
  private static final MapNode NOTHING_GIVEN = new MapNode(new SourcePosition("", 0), "", Map.of());

  public Section {
    fields = List.copyOf(fields);
  }

  /** Returns a section in which an unknown field is a problem. */
  public static <R> Section<R> of(
      String title, String doc, List<Field<R, ?>> fields, Function<FieldValues, R> build) {
    return new Section<>(title, doc, true, fields, fieldValues -> {}, build);
  }

  /** Returns this section with a validation of several fields together. */
  public Section<R> withValidation(Consumer<FieldValues> other) {
    return new Section<>(title, doc, strict, fields, other, build);
  }

  /** Returns this section with unknown fields allowed and ignored. */
  public Section<R> allowUnknownFields() {
    return new Section<>(title, doc, false, fields, check, build);
  }

  @Override
  public Optional<R> read(YamlNode yamlNode, ProblemCollector problemCollector) {
    if (!(yamlNode instanceof MapNode map)) {
      String known = strict ? " with fields (" + names() + ")" : ""; // others know other fields
      problemCollector.add(yamlNode, "must be a map" + known + ", not " + yamlNode.describe(), "");
      return Optional.empty();
    }
    int before = problemCollector.count();
    if (strict) {
      reportUnknown(map, problemCollector);
    }
    FieldValues fieldValues = new FieldValues(map, misspelled(map), problemCollector);
    fields.forEach(field -> readField(field, map, fieldValues, problemCollector));
    check.accept(fieldValues);
    return problemCollector.count() == before
        ? built(map, fieldValues, problemCollector)
        : Optional.empty();
  }

  /** Returns the record for an empty map; no field may be required. */
  public R allDefaults() {
    FieldValues fieldValues =
        new FieldValues(NOTHING_GIVEN, Set.of(), FieldValues.discardingProblems());
    fields.forEach(
        field -> readField(field, NOTHING_GIVEN, fieldValues, FieldValues.discardingProblems()));
    return build.apply(fieldValues);
  }

  /** Returns the result of {@code build}, which may also report invalid combinations of values. */
  private Optional<R> built(
      MapNode map, FieldValues fieldValues, ProblemCollector problemCollector) {
    int before = problemCollector.count();
    try {
      R built = build.apply(fieldValues);
      return problemCollector.count() == before ? Optional.of(built) : Optional.empty();
    } catch (IllegalArgumentException | ArithmeticException e) {
      problemCollector.add(map, String.valueOf(e.getMessage()), "");
      return Optional.empty();
    }
  }

  private void reportUnknown(MapNode map, ProblemCollector problemCollector) {
    List<String> known = fields.stream().map(Field::name).toList();
    for (MapNode.MapEntry mapEntry : map.entries().values()) {
      if (!known.contains(mapEntry.name())) {
        problemCollector.add(
            mapEntry.place(),
            map.pathOf(mapEntry.name()),
            "unknown field" + (title.isEmpty() ? "" : " of " + title),
            hintFor(mapEntry.name(), known));
      }
    }
  }

  private String hintFor(String name, List<String> known) {
    String near = NearestName.hint(name, known);
    if (!near.isEmpty()) {
      return near;
    }
    return pathBelow(name, List.of(this))
        .map(path -> "did you mean " + path + "?")
        .orElse("known: " + names());
  }

  /** Returns the path of a field of that name in a nested section. */
  private static Optional<String> pathBelow(String name, List<? extends Section<?>> sections) {
    for (Section<?> section : sections) {
      for (Field<?, ?> field : section.fields()) {
        boolean has = sectionsIn(field).stream().anyMatch(below -> below.has(name));
        if (has) {
          return Optional.of(field.name() + "." + name);
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the sections in the value of a field, without the sections inside these. */
  public static List<Section<?>> sectionsIn(Field<?, ?> field) {
    return sectionsIn(field.codec()).toList();
  }

  private static Stream<Section<?>> sectionsIn(Codec<?> codec) {
    return codec instanceof Section<?> section
        ? Stream.of(section)
        : codec.parts().stream().flatMap(Section::sectionsIn);
  }

  /** Whether all these names are fields. */
  boolean hasAll(Collection<String> names) {
    return names.stream().allMatch(this::has);
  }

  private boolean has(String name) {
    return fields.stream().anyMatch(field -> field.name().equals(name));
  }

  /** In documents with unknown fields, which Elastune writes itself, null stands for no value. */
  private boolean isAbsent(Field<R, ?> field, MapNode.MapEntry entry) {
    return !strict
        && field.need() != Field.FieldRequirement.REQUIRED
        && entry.value() instanceof ScalarNode scalar
        && scalar.kind() == ScalarNode.ScalarType.EMPTY;
  }

  private <T> void readField(
      Field<R, T> field, MapNode map, FieldValues fieldValues, ProblemCollector problemCollector) {
    Optional<MapNode.MapEntry> mapEntry =
        map.find(field.name()).filter(entry -> !isAbsent(field, entry));
    if (mapEntry.isPresent()) {
      boolean required = field.need() == Field.FieldRequirement.REQUIRED;
      field
          .codec()
          .read(
              mapEntry.get().value(),
              required
                  ? new RequiredField(map.pathOf(field.name()), problemCollector)
                  : problemCollector)
          .ifPresent(v -> fieldValues.put(field, v));
    } else if (field.need() == Field.FieldRequirement.REQUIRED) {
      if (!fieldValues.isGiven(field)) {
        problemCollector.add(
            map.place(), map.pathOf(field.name()), "is missing (" + field.codec().type() + ")", "");
      }
    } else {
      field.absent().ifPresent(value -> fieldValues.put(field, value));
    }
  }

  /** Removes the advice to leave a required field out, which would be the next problem. */
  private record RequiredField(String path, ProblemCollector problemCollector)
      implements ProblemCollector {
    private static final String LEAVE_OUT = "leave the field out, or ";

    @Override
    public void add(SourcePosition sourcePosition, String field, String message, String hint) {
      boolean own = field.equals(path) && hint.startsWith(LEAVE_OUT);
      problemCollector.add(
          sourcePosition, field, message, own ? hint.substring(LEAVE_OUT.length()) : hint);
    }

    @Override
    public int count() {
      return problemCollector.count();
    }
  }

  /** Returns the fields that are present under a misspelled name, which is reported separately. */
  private Set<String> misspelled(MapNode map) {
    if (!strict) {
      return Set.of();
    }
    List<String> known = fields.stream().map(Field::name).toList();
    return map.entries().keySet().stream()
        .filter(name -> !known.contains(name))
        .flatMap(name -> NearestName.find(name, known).stream())
        .collect(Collectors.toSet());
  }

  @Override
  public Map<String, Object> write(R value) {
    Map<String, Object> written = new LinkedHashMap<>();
    for (Field<R, ?> field : fields) {
      field.write(value).ifPresent(tree -> written.put(field.name(), tree));
    }
    return written;
  }

  private String names() {
    return String.join(", ", fields.stream().map(Field::name).toList());
  }

  @Override
  public String type() {
    return "map with fields";
  }

  @Override
  public Map<String, Object> jsonSchema() {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (Field<R, ?> field : fields) {
      properties.put(field.name(), property(field));
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("properties", properties);
    List<String> required =
        fields.stream()
            .filter(field -> field.need() == Field.FieldRequirement.REQUIRED)
            .map(Field::name)
            .toList();
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    schema.put("additionalProperties", !strict);
    return schema;
  }

  private static <T> Map<String, Object> property(Field<?, T> field) {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("description", field.doc());
    schema.putAll(field.codec().jsonSchema());
    field.absent().ifPresent(value -> schema.put("default", field.codec().write(value)));
    return schema;
  }
}
