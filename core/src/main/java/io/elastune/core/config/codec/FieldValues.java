package io.elastune.core.config.codec;

import io.elastune.core.config.yaml.ListNode;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.SourcePosition;
import io.elastune.core.config.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The field values of a section while it is read. */
public final class FieldValues {
  private final MapNode node;
  private final Set<String> misspelled;
  private final ProblemCollector problemCollector;
  private final Map<String, Object> values = new HashMap<>();

  FieldValues(MapNode node, Set<String> misspelled, ProblemCollector problemCollector) {
    this.node = node;
    this.misspelled = Set.copyOf(misspelled);
    this.problemCollector = problemCollector;
  }

  void put(Field<?, ?> field, Object value) {
    values.put(field.name(), value);
  }

  /** Returns the value if it is given and valid; otherwise the default, if there is one. */
  @SuppressWarnings("unchecked") // put() is called with what the field's own codec has read
  public <T> Optional<T> find(Field<?, T> field) {
    return Optional.ofNullable((T) values.get(field.name()));
  }

  /**
   * Returns the value of a field that is required or has a default.
   *
   * @throws IllegalStateException if not all fields have been read without a problem
   */
  public <T> T get(Field<?, T> field) {
    return find(field)
        .orElseThrow(() -> new IllegalStateException("no value for " + node.pathOf(field.name())));
  }

  /** Returns whether the file has the field, valid or not, even under a misspelled name. */
  public boolean isGiven(Field<?, ?> field) {
    return node.find(field.name()).isPresent() || misspelled.contains(field.name());
  }

  /** Adds a problem with a field, at the position of the section if the field is absent. */
  public void problem(Field<?, ?> field, String message, String hint) {
    SourcePosition sourcePosition =
        node.find(field.name()).map(MapNode.MapEntry::place).orElse(node.place());
    problemCollector.add(sourcePosition, node.pathOf(field.name()), message, hint);
  }

  /** Reports a problem of a field of the map in {@code field}, at the place of that map. */
  public void problem(Field<?, ?> field, String part, String message, String hint) {
    SourcePosition sourcePosition =
        node.find(field.name()).map(MapNode.MapEntry::place).orElse(node.place());
    problemCollector.add(sourcePosition, node.pathOf(field.name()) + "." + part, message, hint);
  }

  /** A part of a field's value and its node. */
  public record ValuePart<V>(String name, YamlNode node, V value) {}

  /**
   * Returns the valid entries of a map or items of a list, even if others are invalid. The name of
   * a part is the entry's name or the item's position.
   */
  public <V> List<ValuePart<V>> parts(Field<?, ?> field, Codec<V> codec) {
    Map<String, YamlNode> yamlNodes = new LinkedHashMap<>();
    Optional<YamlNode> whole = node.find(field.name()).map(MapNode.MapEntry::value);
    if (whole.isPresent() && whole.get() instanceof MapNode map) {
      map.entries().values().forEach(mapEntry -> yamlNodes.put(mapEntry.name(), mapEntry.value()));
    } else if (whole.isPresent() && whole.get() instanceof ListNode list) {
      list.items().forEach(item -> yamlNodes.put(Integer.toString(yamlNodes.size()), item));
    }
    List<ValuePart<V>> valueParts = new ArrayList<>();
    yamlNodes.forEach(
        (name, part) ->
            codec
                .read(part, discardingProblems())
                .ifPresent(value -> valueParts.add(new ValuePart<>(name, part, value))));
    return valueParts;
  }

  /** Returns a collector that discards problems, for values whose problems are already reported. */
  static ProblemCollector discardingProblems() {
    return new Silent();
  }

  /** Counts problems without storing them. */
  private static final class Silent implements ProblemCollector {
    private int count;

    @Override
    public void add(SourcePosition sourcePosition, String field, String message, String hint) {
      count++;
    }

    @Override
    public int count() {
      return count;
    }
  }

  /** Adds a problem with a part of a field's value. */
  public void problem(ValuePart<?> valuePart, String message, String hint) {
    problemCollector.add(valuePart.node(), message, hint);
  }

  /** Returns the line of a field, or of the section if the field is absent. */
  public int lineOf(Field<?, ?> field) {
    return node.find(field.name()).map(MapNode.MapEntry::place).orElse(node.place()).line();
  }

  /** Returns the line of the section. */
  public int line() {
    return node.place().line();
  }

  /** Adds a problem with the section as a whole. */
  public void problem(String message, String hint) {
    problemCollector.add(node, message, hint);
  }
}
