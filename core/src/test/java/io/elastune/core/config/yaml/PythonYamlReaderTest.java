package io.elastune.core.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PythonYamlReaderTest {
  @Test
  void aliasesAndMergesAreResolvedAndTheLastNameCounts() {
    String text =
        """
        base: &b
          low: 1
          high: 2
        lr: *b
        wd:
          <<: *b
          high: 3
        both: {<<: [{a: 1}, {a: 2, b: 2}], c: [*b, x]}
        twice: 1
        twice: 2
        ---
        second: document
        """;

    assertThat(leaves(PythonYamlReader.read("f", text).orElseThrow()))
        .containsExactly(
            "base.low=1:2",
            "base.high=2:3",
            "lr.low=1:2",
            "lr.high=2:3",
            "wd.low=1:2",
            "wd.high=3:7",
            "both.a=1:8",
            "both.b=2:8",
            "both.c[0].low=1:2",
            "both.c[0].high=2:3",
            "both.c[1]=x:8",
            "twice=2:10");
  }

  @ParameterizedTest
  @CsvSource({
    "yes, true, BOOLEAN",
    "Off, false, BOOLEAN",
    "4_000, 4000, WHOLE_NUMBER",
    "1_0.5e-3, 10.5e-3, NUMBER",
    "010, 8, WHOLE_NUMBER",
    "089, 089, STRING",
    "1e-5, 1e-5, NUMBER",
    "a_1, a_1, STRING",
    "'\"yes\"', yes, STRING",
    "~, ~, EMPTY",
  })
  void unquotedValuesAreThoseOfYaml11(String written, String text, ScalarNode.ScalarType kind) {
    MapNode map = (MapNode) PythonYamlReader.read("f", "a: " + written).orElseThrow();

    ScalarNode value = (ScalarNode) map.find("a").orElseThrow().value();
    assertThat(value.text()).isEqualTo(text);
    assertThat(value.kind()).isEqualTo(kind);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a: &a [*a]", "a: [", "? [1]\n: 2", "", "a: &a {<<: *a}"})
  void whatHasNoTreeIsEmpty(String text) {
    assertThat(PythonYamlReader.read("f", text)).isEmpty();
  }

  @Test
  void aliasesThatMakeATextLargeAreRefused() {
    StringBuilder text = new StringBuilder("a0: &a0 [x]\n");
    for (int i = 1; i < 30; i++) {
      text.append("a%1$d: &a%1$d [*a%2$d, *a%2$d, *a%2$d]\n".formatted(i, i - 1));
    }

    assertThat(PythonYamlReader.read("f", text.toString())).isEqualTo(Optional.empty());
  }

  private static List<String> leaves(YamlNode node) {
    List<String> leaves = new ArrayList<>();
    if (node instanceof MapNode map) {
      map.entries().values().forEach(entry -> leaves.addAll(leaves(entry.value())));
    } else if (node instanceof ListNode list) {
      list.items().forEach(item -> leaves.addAll(leaves(item)));
    } else if (node instanceof ScalarNode scalar) {
      leaves.add(scalar.path() + "=" + scalar.text() + ":" + scalar.place().line());
    }
    return leaves;
  }
}
