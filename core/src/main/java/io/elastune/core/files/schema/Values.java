package io.elastune.core.files.schema;

import io.elastune.core.files.tree.ListNode;
import io.elastune.core.files.tree.MapNode;
import io.elastune.core.files.tree.Node;
import io.elastune.core.files.tree.Place;
import io.elastune.core.files.tree.Problems;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The field values of a section while it is read. */
public final class Values {
  private final MapNode node;
  private final Set<String> misspelled;
  private final Problems problems;
  private final Map<String, Object> values = new HashMap<>();

  Values(MapNode node, Set<String> misspelled, Problems problems) {
    this.node = node;
    this.misspelled = Set.copyOf(misspelled);
    this.problems = problems;
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
  public boolean given(Field<?, ?> field) {
    return node.find(field.name()).isPresent() || misspelled.contains(field.name());
  }

  /** Adds a problem with a field, at the position of the section if the field is absent. */
  public void problem(Field<?, ?> field, String message, String hint) {
    Place place = node.find(field.name()).map(MapNode.Entry::place).orElse(node.place());
    problems.add(place, node.pathOf(field.name()), message, hint);
  }

  /** A part of a field's value and its node. */
  public record Part<V>(String name, Node node, V value) {}

  /**
   * Returns the valid entries of a map or items of a list, even if others are invalid. The name of
   * a part is the entry's name or the item's position.
   */
  public <V> List<Part<V>> parts(Field<?, ?> field, Codec<V> codec) {
    Map<String, Node> nodes = new LinkedHashMap<>();
    Optional<Node> whole = node.find(field.name()).map(MapNode.Entry::value);
    if (whole.isPresent() && whole.get() instanceof MapNode map) {
      map.entries().values().forEach(entry -> nodes.put(entry.name(), entry.value()));
    } else if (whole.isPresent() && whole.get() instanceof ListNode list) {
      list.items().forEach(item -> nodes.put(Integer.toString(nodes.size()), item));
    }
    List<Part<V>> parts = new ArrayList<>();
    nodes.forEach(
        (name, part) ->
            codec
                .read(part, silent())
                .ifPresent(value -> parts.add(new Part<>(name, part, value))));
    return parts;
  }

  /** Returns a collector that discards problems, for values whose problems are already reported. */
  static Problems silent() {
    return new Silent();
  }

  /** Counts problems without storing them. */
  private static final class Silent implements Problems {
    private int count;

    @Override
    public void add(Place place, String field, String message, String hint) {
      count++;
    }

    @Override
    public int count() {
      return count;
    }
  }

  /** Adds a problem with a part of a field's value. */
  public void problem(Part<?> part, String message, String hint) {
    problems.add(part.node(), message, hint);
  }

  /** Returns the line of a field, or of the section if the field is absent. */
  public int lineOf(Field<?, ?> field) {
    return node.find(field.name()).map(MapNode.Entry::place).orElse(node.place()).line();
  }

  /** Adds a problem with the section as a whole. */
  public void problem(String message, String hint) {
    problems.add(node, message, hint);
  }
}
