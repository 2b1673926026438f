package io.elastune.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that parsing a corrupt file always returns a value or problems. */
class CorruptFilesTest {
  private static final int SEEDS = 3000;
  private static final List<String> PIECES =
      List.of(
          "\n",
          " ",
          "  ",
          "\t",
          ":",
          ": ",
          "- ",
          "[",
          "]",
          "{",
          "}",
          "\"",
          "'",
          "#",
          "&a",
          "*a",
          "!",
          "|",
          ">",
          "?",
          "---\n",
          "...\n",
          "0",
          "-1",
          "1e999",
          "~",
          "true",
          "\u0000",
          "\uFFFD",
          "😀",
          "\uD800",
          "\uFEFF",
          "\r",
          "\u2028",
          "%",
          "@",
          "`",
          "\\",
          "..",
          "<<: ",
          "99999999999999999999",
          "name: a\n",
          ",",
          ", ",
          "null",
          "[]",
          "{}",
          "4.5",
          "\"1\"");

  @ParameterizedTest
  @ValueSource(strings = {"job", "profile", "offers", "plan"})
  void returnsValueOrProblems(String kind) {
    String right = FileFormatPage.example(kind);
    for (int seed = 0; seed < SEEDS; seed++) {
      String text = spoilt(right, new SplittableRandom(seed));
      ParseResult<?> parseResult = reader(kind).apply(text);
      long lines = Math.max(1, text.lines().count());
      assertThat(parseResult.problems())
          .as("seed %s:%n%s", seed, text)
          .allSatisfy(
              problem -> {
                assertThat((long) problem.line()).isBetween(1L, lines);
                assertThat(problem.toString()).startsWith("f:").hasLineCount(1);
                assertThat(problem.message()).isNotBlank();
              });
      assertThat(parseResult.problems().isEmpty())
          .isEqualTo(parseResult instanceof ParseResult.ValidFile);
    }
  }

  private static Function<String, ParseResult<?>> reader(String kind) {
    return switch (kind) {
      case "job" -> text -> JobFile.parse("f", text, Overrides.NONE);
      case "profile" -> text -> ProfileFile.parse("f", text);
      case "offers" -> text -> OffersFile.parse("f", text);
      default -> text -> PlanFile.parse("f", text);
    };
  }

  private static String spoilt(String right, SplittableRandom random) {
    StringBuilder text = new StringBuilder(right);
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(4)) {
        case 0 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
        case 1 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(10)));
        case 2 -> text.setCharAt(at, (char) random.nextInt(128));
        default -> {
          int from = random.nextInt(text.length());
          text.insert(at, text.substring(from, Math.min(text.length(), from + random.nextInt(60))));
        }
      }
    }
    return text.toString();
  }
}
