package io.elastune.planner.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Compares the table of search parameters in docs/planner.md with the code. */
class SearchParametersTest {
  private static final Path PAGE = Path.of("..", "docs", "planner.md");

  @Test
  @DisplayName("docs/planner.md lists every parameter with its value, in the order of the record")
  void tableEqualsDefaults() throws Exception {
    assertThat(table()).isEqualTo(defaults());
  }

  @Test
  void everyParameterHasUnitAndReason() throws IOException {
    assertThat(rows())
        .allSatisfy(
            cells -> {
              assertThat(cells).hasSize(4);
              assertThat(cells).noneMatch(String::isBlank);
            });
  }

  /** Returns one text for each parameter, such as {@code race.nearestPlans = 2}. */
  private static List<String> defaults() throws ReflectiveOperationException {
    List<String> defaults = new ArrayList<>();
    for (RecordComponent step : SearchParameters.class.getRecordComponents()) {
      Object parameters = step.getAccessor().invoke(SearchParameters.DEFAULT);
      for (RecordComponent parameter : step.getType().getRecordComponents()) {
        Object value = parameter.getAccessor().invoke(parameters);
        defaults.add(step.getName() + "." + parameter.getName() + " = " + text(value));
      }
    }
    return defaults;
  }

  private static String text(Object value) {
    if (value instanceof List<?> values) {
      return values.stream().map(SearchParametersTest::text).collect(Collectors.joining(", "));
    }
    if (value instanceof Double number) {
      return number.isInfinite()
          ? "∞"
          : BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }
    return String.format(Locale.ROOT, "%,d", ((Number) value).longValue());
  }

  private static List<String> table() throws IOException {
    return rows().stream().map(cells -> cells.get(0) + " = " + cells.get(1)).toList();
  }

  /** Returns the cells of each row of the table; the name is without its backquotes. */
  private static List<List<String>> rows() throws IOException {
    return Files.readAllLines(PAGE).stream()
        .filter(line -> line.matches("\\| `\\w+\\.\\w+`.*"))
        .map(line -> line.substring(3, line.length() - 2).replaceFirst("`", ""))
        .map(line -> List.of(line.split(" \\| ", -1)))
        .toList();
  }
}
