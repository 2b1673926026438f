package io.elastune.core.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.config.yaml.ScalarNode.ScalarType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlTreeReaderTest {
  private final List<String> problems = new ArrayList<>();

  private Optional<YamlNode> read(String text) {
    return YamlTreeReader.read(
        "f",
        text,
        new ProblemCollector() {
          @Override
          public void add(
              SourcePosition sourcePosition, String field, String message, String hint) {
            problems.add(sourcePosition.line() + " [" + field + "] " + message + " / " + hint);
          }

          @Override
          public int count() {
            return problems.size();
          }
        });
  }

  private ScalarNode scalar(String text) {
    MapNode root = (MapNode) read("a: " + text + "\n").orElseThrow();
    assertThat(problems).isEmpty();
    return (ScalarNode) root.find("a").orElseThrow().value();
  }

  @ParameterizedTest
  @CsvSource({
    "17, WHOLE_NUMBER",
    "-17, WHOLE_NUMBER",
    "+5, WHOLE_NUMBER",
    "0, WHOLE_NUMBER",
    "0x1F, WHOLE_NUMBER",
    "0o17, WHOLE_NUMBER",
    "123456789012345678901234567890, WHOLE_NUMBER",
    "1e-4, NUMBER",
    "1E+3, NUMBER",
    ".5, NUMBER",
    "-.5, NUMBER",
    "1., NUMBER",
    "4.5, NUMBER",
    ".inf, NUMBER",
    "-.INF, NUMBER",
    ".NaN, NUMBER",
    "true, BOOLEAN",
    "False, BOOLEAN",
    "~, EMPTY",
    "null, EMPTY",
    "NULL, EMPTY",
    "'', EMPTY",
    "yes, STRING",
    "no, STRING",
    "on, STRING",
    "010, STRING",
    "08, STRING",
    "1_000, STRING",
    "0b11, STRING",
    "-0x1F, STRING",
    "190:20, STRING",
    "2026-11-20, STRING",
    "2026-11-20T06:00:00Z, STRING",
    "1..8, STRING",
    "80%, STRING",
    "3h, STRING",
    "1.2.3, STRING",
    "e5, STRING",
    ".e5, STRING"
  })
  void readsUnquotedValuesByCoreSchema(String text, ScalarType scalarType) {
    assertThat(scalar(text))
        .extracting(ScalarNode::kind, ScalarNode::text)
        .contains(scalarType, text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\"2\"", "'2'", "\"true\"", "'~'", "\"1e-4\"", "''", "|\n  2", ">-\n  2", "\"\""})
  void readsQuotedValuesAsStrings(String text) {
    assertThat(scalar(text).kind()).isEqualTo(ScalarType.STRING);
  }

  @Test
  void emojiAnywhereIsRead() {
    for (int length = 1000; length < 2100; length++) {
      String value = "x".repeat(length) + "😀 y";
      assertThat(scalar(value).text()).isEqualTo(value);
    }
  }

  @Test
  void findsQuotesAfterSupplementaryCharacters() {
    MapNode root = (MapNode) read("a: 😀😀\nb: \"2\"\nc: 3\n").orElseThrow();
    assertThat(((ScalarNode) root.find("b").orElseThrow().value()).kind())
        .isEqualTo(ScalarType.STRING);
    assertThat(((ScalarNode) root.find("c").orElseThrow().value()).kind())
        .isEqualTo(ScalarType.WHOLE_NUMBER);
  }

  @Test
  void recordsPathsAndLines() {
    MapNode root =
        (MapNode)
            read("# comment\na:\n  b:\n    - 1\n    - {c: 2,\n       d: 3}\r\ne:\n  f: |\n    x\n")
                .orElseThrow();
    List<String> seen = new ArrayList<>();
    walk(root, seen);
    assertThat(seen)
        .containsExactly(
            " 2",
            "a 2",
            "a.b 3",
            "a.b[0] 4",
            "a.b[1] 5",
            "a.b[1].c 5",
            "a.b[1].d 6",
            "e 7",
            "e.f 8");
  }

  private static void walk(YamlNode yamlNode, List<String> seen) {
    seen.add(yamlNode.path() + " " + yamlNode.place().line());
    if (yamlNode instanceof MapNode map) {
      map.entries().values().forEach(mapEntry -> walk(mapEntry.value(), seen));
    } else if (yamlNode instanceof ListNode list) {
      list.items().forEach(item -> walk(item, seen));
    }
  }

  @Test
  void readsJson() {
    MapNode root =
        (MapNode)
            read("{\"a\":1,\n\t\"b\": [1e-4, true, null, \"x\\u00e9\\/\\ud83d\\ude00\\n\"],\"c\":{}}")
                .orElseThrow();
    ListNode list = (ListNode) root.find("b").orElseThrow().value();
    assertThat(list.items())
        .extracting(item -> ((ScalarNode) item).kind())
        .containsExactly(
            ScalarType.NUMBER, ScalarType.BOOLEAN, ScalarType.EMPTY, ScalarType.STRING);
    assertThat(((ScalarNode) list.items().get(3)).text()).isEqualTo("xé/😀\n");
    assertThat(list.items().get(0).place().line()).isEqualTo(2);
  }

  @Test
  void skipsAByteOrderMark() {
    assertThat(scalar("1").kind()).isEqualTo(ScalarType.WHOLE_NUMBER);
    assertThat(read("\uFEFFa: \"2\"\n")).isPresent();
    assertThat(problems).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a: 1\\nb: 2\\na: 3 | 3 [a] is given twice, first on line 1 /",
        "x:\\n  a: 1\\n  a: 3 | 3 [x.a] is given twice, first on line 2 /",
        "a: &x 1\\nb: 2 | 1 [a] anchors, aliases and tags (&, *, !) are not supported / write the value"
            + " in full, or quote the string",
        "a: 1\\nb: *x | 2 [b] anchors, aliases and tags (&, *, !) are not supported / write the value"
            + " in full, or quote the string",
        "a: !!str 1 | 1 [a] anchors, aliases and tags (&, *, !) are not supported / write the value"
            + " in full, or quote the string",
        "a: 1\\n---\\nb: 2 | 3 [] a second YAML document starts here; only one is allowed /",
        "`` | 1 [] the file is empty /",
        "# only a comment | 1 [] the file is empty /",
        "a: 1\\n  b: 2 | 2 [] is not valid YAML: mapping values are not allowed here / check the"
            + " indentation, or quote a string that contains ': '",
        "a:\\n\\tb: 1 | 2 [] is not valid YAML: found character '\\\\t(TAB)' that cannot start any token"
            + " / indent with spaces",
        "a: 'x\\nb: 2\\n\\n | 1 [] the quote or bracket opened here is never closed /",
        "a: 1\\nb: [1, 2 | 2 [] the quote or bracket opened here is never closed /",
        "a: @x | 1 [] is not valid YAML: found character '@' that cannot start any token"
            + " / quote the string",
        "a: 1\\nb: \\u0001 | 2 [] contains the character U+0001; is it a text file in UTF-8? /",
        "a: 1\\nb: \\ufffd | 2 [] contains the character U+FFFD; is it a text file in UTF-8? /",
        "{a: 1} x | 1 [] the document has ended before this text /",
        "a: 1\\nb:\\n   c: 1\\n  d: 2 | 4 [] does not continue the block that starts on line 1: its"
            + " indentation or its form differs / indent all fields of a block alike, each as"
            + " 'name: value'",
        "a:\\n- 1\\n  b: 2\\n | 3 [] is not valid YAML: mapping values are not allowed here / check"
            + " the indentation, or quote a string that contains ': '",
        "a: [1,\\n  2\\nb: 1 | 3 [] a comma or the closing bracket is missing in the list or map that"
            + " starts on line 1 /",
        "a: 1\\nt: {run: python train.py {args}} | 2 [] a comma or the closing bracket is missing in"
            + " the list or map / quote a string that contains brackets, such as 'python train.py"
            + " {args}'",
        "a: [x, y [0]] | 1 [] a comma or the closing bracket is missing in the list or map / quote a"
            + " string that contains brackets, such as 'python train.py {args}'",
      })
  void reportsSyntaxErrorsWithLine(String text, String problem) {
    read(
        text.replace("\\n", "\n")
            .replace("\\t", "\t")
            .replace("\\u0001", "\u0001")
            .replace("\\ufffd", "\ufffd"));
    assertThat(problems)
        .containsExactly(
            problem.replace("\\\\t", "\\t") + " ".repeat(problem.endsWith("/") ? 1 : 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{a: ", "- ", "? ", "[{a: "})
  void rejectsDeepNesting(String open) {
    assertThat(read(open.repeat(200_000))).isEmpty();
    assertThat(problems).hasSize(1);
  }

  @Test
  void rejectsHugeFiles() {
    assertThat(read("a: " + "x".repeat(3_000_000))).isEmpty();
    assertThat(problems).hasSize(1).first().asString().contains("more than 3000000 characters");
  }

  @Test
  void readsLongNumbersQuickly() {
    read("a: " + "1".repeat(200_000) + "\nb: 1." + "1".repeat(200_000) + "\n");
    assertThat(problems.size()).isLessThanOrEqualTo(1);
  }

  @Test
  void readsManyEntriesQuickly() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 50_000; i++) {
      text.append("- {a: ").append(i).append("}\n");
    }
    assertThat(read(text.toString())).isPresent();
  }
}
