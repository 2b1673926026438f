package io.elastune.core.config;

import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** The layout of JSON Schemas: a line for each field, and one line for a list of values. */
final class SchemaLayout extends DefaultPrettyPrinter {
  private static final long serialVersionUID = 1;

  private static final ObjectWriter WRITER =
      JsonMapper.builder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .defaultPrettyPrinter(new SchemaLayout())
          .build()
          .writerWithDefaultPrettyPrinter();

  private boolean isOneLine;

  private SchemaLayout() {
    super(
        Separators.createDefaultInstance()
            .withObjectNameValueSpacing(Separators.Spacing.AFTER)
            .withObjectEmptySeparator("")
            .withArrayEmptySeparator(""));
    indentObjectsWith(new DefaultIndenter("  ", "\n"));
    indentArraysWith(new DefaultIndenter("  ", "\n"));
  }

  static String write(Map<String, Object> schema) {
    return WRITER.writeValueAsString(schema) + "\n";
  }

  @Override
  public DefaultPrettyPrinter createInstance() {
    return new SchemaLayout();
  }

  @Override
  public void beforeArrayValues(JsonGenerator json) {
    isOneLine =
        json.currentValue() instanceof List<?> list
            && list.stream().noneMatch(item -> item instanceof Map || item instanceof List);
    if (!isOneLine) {
      super.beforeArrayValues(json);
    }
  }

  @Override
  public void writeArrayValueSeparator(JsonGenerator json) {
    if (isOneLine) {
      json.writeRaw(", ");
    } else {
      super.writeArrayValueSeparator(json);
    }
  }

  @Override
  public void writeEndArray(JsonGenerator json, int values) {
    if (isOneLine) {
      _nesting--;
      json.writeRaw(']');
      isOneLine = false;
    } else {
      super.writeEndArray(json, values);
    }
  }
}
