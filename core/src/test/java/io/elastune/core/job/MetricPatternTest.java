package io.elastune.core.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;

class MetricPatternTest {
  private static final String LONG = "a".repeat(65_000);

  @Test
  void findsTheFirstGroupOfEachMatch() {
    assertThat(find("loss=(\\S+)", "loss=1 loss=2 acc=3")).contains(List.of("1", "2"));
    assertThat(find("(?P<val_loss>\\d+) of (?P<all>\\d+)", "3 of 4")).contains(List.of("3"));
    assertThat(find("x(y)?", "x")).contains(List.of(""));
    assertThat(find("x(y)?(?!z)", "x")).contains(List.of(""));
  }

  @Test
  void patternsThatBacktrackingCannotDecideAreDecided() {
    assertThat(find("^(a+)+$", LONG + "b")).contains(List.of());
    assertThat(find("(?:a|a)*= (\\d)", LONG + "= 7")).contains(List.of("7"));
    assertThat(find(".*loss.*=(.*)", LONG + "loss=7")).contains(List.of("7"));
    assertThat(find("(?:a*|b*){40}c(.)", "")).contains(List.of());
  }

  @Test
  void whatRe2LacksIsFoundToo() {
    assertThat(find("(?<!val_)loss=(\\d)", "val_loss=1 loss=2")).contains(List.of("2"));
    assertThat(find("(?P<last>\\d)(?!\\d)", "12")).contains(List.of("2"));
    assertThat(find("(['\"]?)loss\\1=\\d", "'loss'=2")).contains(List.of("'"));
  }

  @Test
  void tooManyStepsEndTheSearchOfALine() {
    MetricPattern pattern = MetricPattern.compile("(?!b)(a+)+= (?=\\d)");

    assertThat(pattern.find(LONG)).isEmpty();
    assertThat(pattern.find("aaa= 7")).contains(List.of("aaa"));
    assertThat(find("(?!b)((?:a|a)*)=", LONG)).as("of many recursive calls").isEmpty();
    assertThat(find("(\\d)(?:.*X)?", "7".repeat(65_000))).as("of many matches").isEmpty();
  }

  @Test
  void allLinesTogetherHaveALimitedNumberOfSteps() {
    MetricPattern pattern = MetricPattern.compile("(\\d)(?:a|a)+=\\1");
    String line = "7" + "a".repeat(40);
    for (int i = 0; i < 100; i++) {
      assertThat(pattern.find(line)).isEmpty();
    }
    assertThat(pattern.find("7a=7")).as("what each character allows").contains(List.of("7"));
  }

  @Test
  void noRegularExpressionIsRefused() {
    assertThatThrownBy(() -> MetricPattern.compile("loss = (.*"))
        .isInstanceOf(PatternSyntaxException.class);
  }

  private static Optional<List<String>> find(String pattern, String line) {
    return MetricPattern.compile(pattern).find(line);
  }
}
