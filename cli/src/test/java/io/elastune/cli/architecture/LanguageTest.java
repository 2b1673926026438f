package io.elastune.cli.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Checks that texts which people read use standard terms: CONTRIBUTING.md, section "Language", says
 * why. The phrases are in {@code language/phrases.csv}, the exceptions in {@code
 * language/allowed.csv}, both in the test resources.
 */
class LanguageTest {
  private static final Path RESOURCES = Path.of("cli/src/test/resources/language");
  private static final int LONGEST_LINE = 200;

  /**
   * One forbidden phrase.
   *
   * @param instead what to write
   */
  private record Phrase(Pattern pattern, String instead) {}

  /**
   * One exception.
   *
   * @param file the end of the path of a file
   * @param part text that the line contains
   */
  private record Allowed(String file, String part) {}

  private final List<Phrase> phrases =
      rows("phrases.csv")
          .map(row -> new Phrase(Pattern.compile(row[0], Pattern.CASE_INSENSITIVE), row[1]))
          .toList();
  private final List<Allowed> allowed =
      rows("allowed.csv").map(row -> new Allowed(row[0], row[1])).toList();

  @Test
  @DisplayName("Messages, comments and documents contain no phrase that the guide forbids")
  void noForbiddenPhrase() {
    assertThat(lines().flatMap(this::violations)).isEmpty();
  }

  @Test
  @DisplayName("Every exception to the guide is still needed")
  void noUnusedException() {
    List<Line> lines = lines().toList();

    assertThat(allowed)
        .allMatch(
            exception ->
                lines.stream().anyMatch(line -> covers(exception, line) && isForbidden(line)));
  }

  @Test
  void phrasesAreFound() {
    assertThat(violations(new Line(Path.of("X.java"), 1, "the door to the cloud"))).isNotEmpty();
    assertThat(violations(new Line(Path.of("X.java"), 1, "the provider interface"))).isEmpty();
  }

  @Test
  void linesOfDocumentsAreShort() {
    assertThat(
            SourceTree.documents().stream()
                .flatMap(LanguageTest::linesOf)
                .filter(line -> line.text().length() > LONGEST_LINE)
                .map(line -> line.file() + ":" + line.number()))
        .isEmpty();
  }

  private Stream<String> violations(Line line) {
    if (allowed.stream().anyMatch(exception -> covers(exception, line))) {
      return Stream.empty();
    }
    return phrases.stream()
        .filter(phrase -> phrase.pattern().matcher(line.text()).find())
        .map(phrase -> line + " -> " + phrase.instead());
  }

  private boolean isForbidden(Line line) {
    return phrases.stream().anyMatch(phrase -> phrase.pattern().matcher(line.text()).find());
  }

  private static boolean covers(Allowed exception, Line line) {
    return line.file().endsWith(Path.of(exception.file()))
        && line.text().contains(exception.part());
  }

  private static Stream<Line> lines() {
    Stream<Line> code =
        SourceTree.java().stream()
            .flatMap(
                file ->
                    JavaProse.of(SourceTree.text(file)).stream()
                        .filter(piece -> isRead(file, piece))
                        .map(piece -> new Line(file, piece.line(), piece.text())));
    Stream<Line> others =
        SourceTree.find(LanguageTest::isProse).stream().flatMap(LanguageTest::linesOf);
    return Stream.concat(code, others);
  }

  /** Strings of tests are data: invalid input, quotations of other programs. */
  private static boolean isRead(Path file, JavaProse.Piece piece) {
    return piece.kind() == JavaProse.Kind.COMMENT || file.toString().contains("src/main");
  }

  private static boolean isProse(Path file) {
    String name = file.toString();
    return !file.startsWith(RESOURCES)
        && !name.equals("LICENSE")
        && (name.matches(".*\\.(md|yaml|sh|tf)|elastune|\\.ci/run|(.*/)?pom\\.xml")
            || name.contains("resources/golden/"));
  }

  private static Stream<Line> linesOf(Path file) {
    List<Line> lines = new ArrayList<>();
    for (String text : SourceTree.text(file).split("\n", -1)) {
      lines.add(new Line(file, lines.size() + 1, text));
    }
    return lines.stream();
  }

  private static Stream<String[]> rows(String file) {
    return SourceTree.text(RESOURCES.resolve(file))
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> line.split(";", 2));
  }

  private record Line(Path file, int number, String text) {
    @Override
    public String toString() {
      return file + ":" + number + ": " + text.strip();
    }
  }
}
