package io.elastune.core.files.schema;

import io.elastune.core.files.tree.ListNode;
import io.elastune.core.files.tree.Node;
import io.elastune.core.files.tree.Problems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Codecs for lists of values of one type. */
public final class Lists {
  private Lists() {}

  /** Returns the codec for a list that may be empty. */
  public static <E> Codec<List<E>> of(Codec<E> element) {
    return new ListCodec<>(element, 0, false);
  }

  /** Returns the codec for a list with at least one value. */
  public static <E> Codec<List<E>> ofSome(Codec<E> element) {
    return new ListCodec<>(element, 1, false);
  }

  /** Returns the codec for a list with at least one value and no duplicates. */
  public static <E> Codec<List<E>> ofDistinct(Codec<E> element) {
    return new ListCodec<>(element, 1, true);
  }

  private record ListCodec<E>(Codec<E> element, int least, boolean distinct)
      implements Codec<List<E>> {
    @Override
    public Optional<List<E>> read(Node node, Problems problems) {
      if (!(node instanceof ListNode list)) {
        problems.add(node, "must be a " + type() + ", not " + node.describe(), bracketHint(node));
        return Optional.empty();
      }
      if (list.items().size() < least) {
        problems.add(node, "must not be empty", "leave the field out, or list at least one value");
        return Optional.empty();
      }
      List<E> values = new ArrayList<>();
      for (Node item : list.items()) {
        Optional<E> value = element.read(item, problems);
        if (distinct && value.isPresent() && values.contains(value.get())) {
          problems.add(item, "is given twice", "");
        }
        value.ifPresent(values::add);
      }
      return values.size() == list.items().size() ? Optional.of(values) : Optional.empty();
    }

    private static String bracketHint(Node node) {
      return node instanceof io.elastune.core.files.tree.ScalarNode scalar
              && !scalar.text().isBlank()
          ? "did you mean [" + scalar.shown() + "]?"
          : "";
    }

    @Override
    public Object write(List<E> value) {
      return value.stream().map(element::write).toList();
    }

    @Override
    public String type() {
      return "list, each item a " + element.type();
    }

    @Override
    public Map<String, Object> jsonSchema() {
      Map<String, Object> schema = new LinkedHashMap<>();
      schema.put("type", "array");
      schema.put("items", element.jsonSchema());
      if (least > 0) {
        schema.put("minItems", least);
      }
      if (distinct) {
        schema.put("uniqueItems", true);
      }
      return schema;
    }

    @Override
    public List<Codec<?>> parts() {
      return List.of(element);
    }
  }
}
