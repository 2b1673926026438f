package io.elastune.provisioner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The parts of README and docs that follow {@link Installation#PUBLISHED}. After a change of the
 * constant, this command writes them:
 *
 * <pre>
 * mvn -pl provisioner/api -am test -Dtest=InstallationDocsTest -Delastune.docs=write \
 *     -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
class InstallationDocsTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final boolean WRITE = "write".equals(System.getProperty("elastune.docs"));

  /** A part begins with a comment that names it. */
  private static final Pattern PART =
      Pattern.compile("(?s)<!-- installation: ([a-z]+) -->\n(.*?)<!-- end -->");

  private static final List<String> FILES = List.of("README.md", "docs/install.md");
  private static final String BUILT = "cli/target/release";

  @Test
  void documentsFollowTheConstant() throws IOException {
    Map<String, String> parts = parts(Installation.PUBLISHED);
    Map<String, String> found = new LinkedHashMap<>();
    for (String name : FILES) {
      Path file = ROOT.resolve(name);
      String text = Files.readString(file);
      if (WRITE) {
        text = written(text, parts);
        Files.writeString(file, text);
      }
      PART.matcher(text).results().forEach(part -> found.put(part.group(1), part.group(2)));
    }
    assertThat(found).isEqualTo(parts);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyPartIsWrittenForBothValues(boolean published) {
    Map<String, String> parts = parts(published);
    String old =
        parts.keySet().stream()
            .map(name -> "<!-- installation: " + name + " -->\noutdated $1\n<!-- end -->\n")
            .collect(Collectors.joining());
    String text = written(old, parts);
    assertThat(text).doesNotContain("outdated").contains("pip install ", "pipx install ", "uvx ");
    assertThat(text.contains("--find-links")).isNotEqualTo(published);
    assertThat(written(text, parts)).isEqualTo(text);
  }

  private static String written(String text, Map<String, String> parts) {
    return PART.matcher(text).replaceAll(part -> Matcher.quoteReplacement(replaced(part, parts)));
  }

  private static String replaced(MatchResult part, Map<String, String> parts) {
    String name = part.group(1);
    return "<!-- installation: " + name + " -->\n" + parts.get(name) + "<!-- end -->";
  }

  private static Map<String, String> parts(boolean published) {
    String source = Installation.source(published, BUILT);
    String pipx = published ? "" : "--pip-args='" + source.strip() + "' ";
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put(
        "readme",
        published
            ? """
            Without a clone, the package needs neither Java nor Maven nor a compiler:

                pip install elastune    # in a virtual environment
            """
            : """
            A build of the release makes wheels, which need neither Java nor Maven nor a compiler where they are installed:

                mvn -Prelease package -DskipTests
                pip install %selastune    # in a virtual environment
            """
                .formatted(source));
    parts.put(
        "build",
        published
            ? """
            The wheels of releases are on the package index. To build one from the repository, a machine needs a JDK (17 or newer), Maven (3.8 or newer) and network access.
            """
            : """
            No release is published yet, so one machine builds it from the repository.
            It needs a JDK (17 or newer), Maven (3.8 or newer) and network access; all others need only the zip or the wheels.
            """);
    parts.put(
        "wheels",
        """
        In a virtual environment, because newer systems refuse installations elsewhere (PEP 668):

            python3 -m venv ~/elastune
            ~/elastune/bin/pip install %1$selastune
            ~/elastune/bin/elastune --version

        With an environment of its own for the command, or without a permanent one:

            pipx install %2$selastune
            uvx %1$selastune --version
        """
                .formatted(source, pipx)
            + (published
                ? ""
                : """

                On other machines, copy the wheels, and name their folder in place of `%s`.
                """
                    .formatted(BUILT)));
    return parts;
  }
}
