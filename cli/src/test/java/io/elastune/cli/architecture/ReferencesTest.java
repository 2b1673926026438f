package io.elastune.cli.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks that every file, test and class that documents and comments name exists. */
class ReferencesTest {
  private static final Pattern LINK = Pattern.compile("(?:]\\(|(?m:^\\[[^]]+]: ))([^)#\\s]+)");
  private static final Pattern DOCUMENT = Pattern.compile("[\\w./-]*\\w\\.(?:md|csv|svg)\\b");
  private static final Pattern TEST =
      Pattern.compile("\\b[A-Z]\\w*[a-z]\\w*(?:Test|IT|Benchmark|Contract)\\b");
  private static final Pattern SELECTED = Pattern.compile("-D(?:it\\.)?test=([\\w,*]+)");
  private static final Pattern CLASS =
      Pattern.compile("`([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)(?:[.#]\\w+)?(?:\\(\\))?`");
  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|interface|enum|record|@interface)\\s+([A-Z]\\w*)");

  /** Documents whose names in code font are those of clouds and other programs. */
  private static final Set<String> OTHERS_NAMES =
      Set.of(
          "aws.md",
          "gcp.md",
          "import.md",
          "job-file.md",
          "laptop.md",
          "python.md",
          "quickstart-aws.md",
          "quickstart-gcp.md",
          "trial-protocol.md");

  private final Set<String> classes =
      SourceTree.java().stream()
          .flatMap(file -> all(DECLARED, SourceTree.text(file)))
          .map(match -> match.group(1))
          .collect(Collectors.toCollection(HashSet::new));

  private final Set<String> fileNames =
      SourceTree.find(file -> true).stream()
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toCollection(HashSet::new));

  @Test
  void linkedFilesExist() {
    assertThat(
            SourceTree.documents().stream()
                .flatMap(
                    file ->
                        all(LINK, SourceTree.text(file))
                            .map(match -> match.group(1))
                            .filter(target -> !target.contains("://"))
                            .filter(target -> !exists(file, target))
                            .map(target -> file + " links to " + target)))
        .isEmpty();
  }

  @Test
  @DisplayName("Documents that prose and comments name exist")
  void namedDocumentsExist() {
    assertThat(
            prose()
                .flatMap(
                    text ->
                        all(DOCUMENT, text.text())
                            .filter(match -> !isUrl(text.text(), match.start()))
                            .map(MatchResult::group)
                            .filter(name -> name.endsWith(".md"))
                            .filter(name -> !exists(text.file(), name))
                            .map(name -> text.file() + " names " + name)))
        .isEmpty();
  }

  @Test
  @DisplayName("Tests that prose and comments name exist")
  void namedTestsExist() {
    assertThat(
            prose()
                .flatMap(
                    text ->
                        Stream.concat(
                                all(TEST, text.text()).map(MatchResult::group), selected(text))
                            .filter(name -> !classes.contains(name))
                            .map(name -> text.file() + " names " + name)))
        .isEmpty();
  }

  @Test
  @DisplayName("Classes that documents name exist")
  void namedClassesExist() {
    assertThat(
            SourceTree.documents().stream()
                .filter(file -> file.getParent() == null || file.startsWith("docs"))
                .filter(file -> !OTHERS_NAMES.contains(file.getFileName().toString()))
                .flatMap(
                    file ->
                        all(CLASS, SourceTree.text(file))
                            .map(match -> match.group(1))
                            .filter(name -> !classes.contains(name) && !isOfTheJdk(name))
                            .map(name -> file + " names " + name)))
        .isEmpty();
  }

  @Test
  void missingNamesAreFound() {
    assertThat(exists(Path.of("README.md"), "docs/no-such-page.md")).isFalse();
    assertThat(classes).contains("ReferencesTest").doesNotContain("NoSuchTest");
    assertThat(selected(new Prose(Path.of("x.md"), "mvn -Dtest=NoSuchTest")))
        .contains("NoSuchTest");
  }

  private static Stream<String> selected(Prose text) {
    return all(SELECTED, text.text())
        .flatMap(match -> Stream.of(match.group(1).split(",")))
        .filter(name -> !name.contains("*"));
  }

  private record Prose(Path file, String text) {}

  private static Stream<Prose> prose() {
    Stream<Prose> comments =
        SourceTree.java().stream()
            .map(
                file ->
                    new Prose(
                        file,
                        JavaProse.of(SourceTree.text(file)).stream()
                            .filter(piece -> piece.kind() == JavaProse.Kind.COMMENT)
                            .map(JavaProse.Piece::text)
                            .collect(Collectors.joining("\n"))));
    Stream<Prose> others =
        SourceTree.find(
                file ->
                    file.toString()
                        .matches(".*\\.(md|sh|yaml|tf)|elastune|\\.ci/run|(.*/)?pom\\.xml"))
            .stream()
            .map(file -> new Prose(file, SourceTree.text(file)));
    return Stream.concat(comments, others);
  }

  /** A path is relative to the document, the root or docs; a bare name may be anywhere. */
  private boolean exists(Path from, String name) {
    if (!name.contains("/") && fileNames.contains(name)) {
      return true;
    }
    Path folder = from.getParent() == null ? Path.of("") : from.getParent();
    return Stream.of(folder, Path.of(""), Path.of("docs"))
        .map(base -> PomFiles.ROOT.resolve(base).resolve(name).normalize())
        .anyMatch(Files::exists);
  }

  private static boolean isUrl(String text, int start) {
    int space = Math.max(text.lastIndexOf(' ', start), text.lastIndexOf('\n', start));
    return text.substring(space + 1, start).contains("://");
  }

  private static boolean isOfTheJdk(String name) {
    return List.of("java.lang.", "java.util.", "java.time.", "java.util.concurrent.").stream()
        .anyMatch(
            prefix -> {
              try {
                Class.forName(prefix + name);
                return true;
              } catch (ClassNotFoundException e) {
                return false;
              }
            });
  }

  private static Stream<MatchResult> all(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.results();
  }
}
