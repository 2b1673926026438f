package io.elastune.core.files.schema;

import io.elastune.core.files.tree.MapNode;
import io.elastune.core.files.tree.Node;
import io.elastune.core.files.tree.Place;
import io.elastune.core.files.tree.Problems;
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
    Consumer<Values> check,
    Function<Values, R> build)
    implements Codec<R> {
  private static final MapNode NOTHING_GIVEN = new MapNode(new Place("", 0), "", Map.of());

  public Section {
    fields = List.copyOf(fields);
  }

  /** Returns a section in which an unknown field is a problem. */
  public static <R> Section<R> of(
      String title, String doc, List<Field<R, ?>> fields, Function<Values, R> build) {
    return new Section<>(title, doc, true, fields, values -> {}, build);
  }

  /** Returns this section with a validation of several fields together. */
  public Section<R> checking(Consumer<Values> other) {
    return new Section<>(title, doc, strict, fields, other, build);
  }

  /** Returns this section with unknown fields allowed and ignored. */
  public Section<R> open() {
    return new Section<>(title, doc, false, fields, check, build);
  }

  @Override
  public Optional<R> read(Node node, Problems problems) {
    if (!(node instanceof MapNode map)) {
      problems.add(node, "must be a map with fields (" + names() + "), not " + node.describe(), "");
      return Optional.empty();
    }
    int before = problems.count();
    if (strict) {
      reportUnknown(map, problems);
    }
    Values values = new Values(map, misspelled(map), problems);
    fields.forEach(field -> readField(field, map, values, problems));
    check.accept(values);
    return problems.count() == before ? built(map, values, problems) : Optional.empty();
  }

  /** Returns the record for an empty map; no field may be required. */
  public R allDefaults() {
    Values values = new Values(NOTHING_GIVEN, Set.of(), Values.silent());
    fields.forEach(field -> readField(field, NOTHING_GIVEN, values, Values.silent()));
    return build.apply(values);
  }

  /** Returns the result of {@code build}, which may also report invalid combinations of values. */
  private Optional<R> built(MapNode map, Values values, Problems problems) {
    int before = problems.count();
    try {
      R built = build.apply(values);
      return problems.count() == before ? Optional.of(built) : Optional.empty();
    } catch (IllegalArgumentException | ArithmeticException e) {
      problems.add(map, String.valueOf(e.getMessage()), "");
      return Optional.empty();
    }
  }

  private void reportUnknown(MapNode map, Problems problems) {
    List<String> known = fields.stream().map(Field::name).toList();
    for (MapNode.Entry entry : map.entries().values()) {
      if (!known.contains(entry.name())) {
        problems.add(
            entry.place(),
            map.pathOf(entry.name()),
            "is not a field of " + (title.isEmpty() ? "this file" : title),
            hintFor(entry.name(), known));
      }
    }
  }

  private String hintFor(String name, List<String> known) {
    String near = Nearest.hint(name, known);
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

  private boolean has(String name) {
    return fields.stream().anyMatch(field -> field.name().equals(name));
  }

  private <T> void readField(Field<R, T> field, MapNode map, Values values, Problems problems) {
    Optional<MapNode.Entry> entry = map.find(field.name());
    if (entry.isPresent()) {
      field.codec().read(entry.get().value(), problems).ifPresent(v -> values.put(field, v));
    } else if (field.need() == Field.Need.REQUIRED) {
      if (!values.given(field)) {
        problems.add(
            map.place(), map.pathOf(field.name()), "is missing (" + field.codec().type() + ")", "");
      }
    } else {
      field.absent().ifPresent(value -> values.put(field, value));
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
        .flatMap(name -> Nearest.to(name, known).stream())
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
            .filter(field -> field.need() == Field.Need.REQUIRED)
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
