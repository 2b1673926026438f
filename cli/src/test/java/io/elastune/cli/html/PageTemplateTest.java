package io.elastune.cli.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PageTemplateTest {
  @Test
  void escapesTextButNotMarkup() {
    assertThat(rendered("<p>{{a}}</p>{{{a}}}", Map.of("a", "1 < 2")))
        .isEqualTo("<p>1 &lt; 2</p>1 < 2");
  }

  @Test
  void repeatsSectionsWithValuesAroundThem() {
    Map<String, Object> values =
        Map.of("unit", "s", "rows", List.of(Map.of("n", "1"), Map.of("n", "2")));
    assertThat(rendered("{{#rows}}[{{n}}{{unit}}]{{/rows}}.", values)).isEqualTo("[1s][2s].");
    assertThat(rendered("{{#rows}}x{{/rows}}.", Map.of("rows", List.of()))).isEqualTo(".");
  }

  @Test
  void tagsAloneInTheirLinesLeaveNoLine() {
    String text = "a\n{{#on}}\nb{{#off}}c{{/off}}\n{{/on}}\n{{#off}}\nd\n{{/off}}\ne\n";
    assertThat(rendered(text, Map.of("on", true, "off", false))).isEqualTo("a\nb\ne\n");
  }

  @Test
  void valuesWithTagsStayText() {
    assertThat(rendered("{{a}}{{b}}", Map.of("a", "{{b}}$1", "b", "c"))).isEqualTo("{{b}}$1c");
  }

  @Test
  void rejectsMissingValues() {
    assertThatThrownBy(() -> rendered("{{a}}", Map.of())).hasMessage("a");
  }

  private static String rendered(String text, Map<String, ?> values) {
    return new PageTemplate(text).render(values);
  }
}
