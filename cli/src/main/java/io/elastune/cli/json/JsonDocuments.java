package io.elastune.cli.json;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import java.util.OptionalDouble;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes JSON documents from records: the key of a component is its name in snake case, in the
 * order of the components. An empty optional is null, unless it is annotated to be left out.
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

  /** Returns {@code number}; empty for NaN, which JSON does not have. */
  static OptionalDouble finite(double number) {
    return Double.isNaN(number) ? OptionalDouble.empty() : OptionalDouble.of(number);
  }
}
