package io.elastune.core.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.text.VisibleText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class YamlWriterTest {
  private static final List<String> TRICKY =
      List.of(
          "",
          " ",
          "~",
          "null",
          "yes",
          "on",
          "1",
          "1e-4",
          ".5",
          "010",
          "a: b",
          "- a",
          "#",
          "a #b",
          "'",
          "\"",
          "\\",
          "\n",
          "a\nb\n",
          "\t",
          "\r\n",
          "{a}",
          "[a]",
          "&a",
          "*a",
          "!a",
          "%a",
          "@",
          "😀",
          "é",
          "\u0085",
          "\u2028",
          "\ufeff",
          "\ufffd",
          "\u0007",
          "a".repeat(300),
          "1..8",
          "3h",
          "5d",
          "a/b.c_d-e",
          "true",
          "N",
          "---",
          "...",
          "?",
          "|",
          ">",
          "=",
          "<<");

  /** Names must not contain characters that are not shown. */
  private static final List<String> NAMES =
      TRICKY.stream().filter(text -> VisibleText.firstInvisible(text, "").isEmpty()).toList();

  @Test
  void writtenTreesReadBackEqual() {
    for (int seed = 0; seed < 500; seed++) {
      Map<String, Object> tree = map(new SplittableRandom(seed), 3);
      String text = YamlWriter.write(tree);
      YamlNode root = YamlTreeReader.read("f", text, new Failing(text)).orElseThrow();
      assertThat(plain(root)).as("seed %s:%n%s", seed, text).isEqualTo(tree);
    }
  }

  @Test
  void valuesAreQuotedOnOneLine() {
    assertThat(JsonText.of(List.of(List.of("a", 1L), List.of(), true, "\u2028\"")))
        .isEqualTo("[[\"a\", 1], [], true, \"\\u2028\\\"\"]");
  }

  /** Fails on any reported problem. */
  private record Failing(String text) implements ProblemCollector {
    @Override
    public void add(SourcePosition sourcePosition, String field, String message, String hint) {
      throw new AssertionError(sourcePosition + " " + field + " " + message + "\n" + text);
    }

    @Override
    public int count() {
      return 0;
    }
  }

  private static Map<String, Object> map(SplittableRandom random, int depth) {
    Map<String, Object> map = new LinkedHashMap<>();
    int size = 1 + random.nextInt(4);
    for (int i = 0; i < size; i++) {
      map.put(NAMES.get(random.nextInt(NAMES.size())), value(random, depth - 1));
    }
    return map;
  }

  private static Object value(SplittableRandom random, int depth) {
    return switch (random.nextInt(depth > 0 ? 7 : 4)) {
      case 0 -> TRICKY.get(random.nextInt(TRICKY.size()));
      case 1 -> random.nextLong();
      case 2 -> random.nextDouble() * Math.pow(10, random.nextInt(-300, 300));
      case 3 -> random.nextBoolean();
      case 4 -> map(random, depth);
      case 5 -> random.nextBoolean() ? Map.of() : List.of();
      default -> {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(4); i++) {
          list.add(value(random, depth - 1));
        }
        yield list;
      }
    };
  }

  private static Object plain(YamlNode yamlNode) {
    if (yamlNode instanceof MapNode map) {
      Map<String, Object> result = new LinkedHashMap<>();
      map.entries().forEach((name, mapEntry) -> result.put(name, plain(mapEntry.value())));
      return result;
    }
    if (yamlNode instanceof ListNode list) {
      return list.items().stream().map(YamlWriterTest::plain).toList();
    }
    ScalarNode scalar = (ScalarNode) yamlNode;
    return switch (scalar.kind()) {
      case STRING -> scalar.text();
      case WHOLE_NUMBER -> Long.parseLong(scalar.text());
      case NUMBER -> Double.parseDouble(scalar.text());
      case BOOLEAN -> Boolean.parseBoolean(scalar.text());
      case EMPTY -> "nothing";
    };
  }
}
