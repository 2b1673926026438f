package io.elastune.plan.json;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes JSON documents from records: the key of a component is its name in snake case, in the
 * order of the components. An empty optional is null, unless it is a {@link KeyIfPresent}.
 */
public final class JsonDocuments {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .changeDefaultVisibility(checker -> checker.withIsGetterVisibility(Visibility.NONE))
          .build();

  private JsonDocuments() {}

  /** Returns the document. */
  public static ObjectNode of(Record document) {
    return MAPPER.valueToTree(document);
  }

  /** Returns the document: a record, or a list of records. */
  public static JsonNode tree(Object document) {
    return MAPPER.valueToTree(document);
  }

  /** Returns the text of a document: a record, a list or a map. */
  public static String text(Object document) {
    return tree(document).toPrettyString();
  }

  /** Returns {@code number}; empty if it is not finite, which JSON cannot express. */
  public static OptionalDouble finite(double number) {
    return Double.isFinite(number) ? OptionalDouble.of(number) : OptionalDouble.empty();
  }
}
