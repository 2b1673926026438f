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

/** The values of a section's fields, while it is read. */
public final class Values {
  private final MapNode node;
  private final Set<String> misspelt;
  private final Problems problems;
  private final Map<String, Object> values = new HashMap<>();

  Values(MapNode node, Set<String> misspelt, Problems problems) {
    this.node = node;
    this.misspelt = Set.copyOf(misspelt);
    this.problems = problems;
  }

  void put(Field<?, ?> field, Object value) {
    values.put(field.name(), value);
  }

  /** The value, if it was given and right, or else the default, if there is one. */
  @SuppressWarnings("unchecked") // put() is called with what the field's own codec has read
  public <T> Optional<T> find(Field<?, T> field) {
    return Optional.ofNullable((T) values.get(field.name()));
  }

  /**
   * The value of a field that is required or has a default.
   *
   * @throws IllegalStateException before all fields have been read without a problem
   */
  public <T> T get(Field<?, T> field) {
    return find(field)
        .orElseThrow(() -> new IllegalStateException("no value for " + node.pathOf(field.name())));
  }

  /** Whether the file has the field, right or wrong, be it under a misspelt name. */
  public boolean given(Field<?, ?> field) {
    return node.find(field.name()).isPresent() || misspelt.contains(field.name());
  }

  /** Adds a problem with a field; if it was not given, at the section's place. */
  public void problem(Field<?, ?> field, String message, String hint) {
    Place place = node.find(field.name()).map(MapNode.Entry::place).orElse(node.place());
    problems.add(place, node.pathOf(field.name()), message, hint);
  }

  /** A part of a field's value, and where it stands. */
  public record Part<V>(String name, Node node, V value) {}

  /**
   * The entries of a map, or the items of a list, that are right, whatever the others are. The name
   * is the entry's, or the item's position.
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

  /** For readings of which the problems are known, or cannot be. */
  static Problems silent() {
    return new Silent();
  }

  /** For what is read a second time: its problems are known. */
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

  /** The line of a field, or of the section if it was not given. */
  public int lineOf(Field<?, ?> field) {
    return node.find(field.name()).map(MapNode.Entry::place).orElse(node.place()).line();
  }

  /** Adds a problem with the section as a whole. */
  public void problem(String message, String hint) {
    problems.add(node, message, hint);
  }
}
