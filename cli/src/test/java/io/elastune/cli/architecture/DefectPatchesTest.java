package io.elastune.cli.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that the patches of {@code scripts/defects} apply. That command does not run this test,
 * because a file with a defect no longer has the lines that the patch replaces.
 */
class DefectPatchesTest {
  private static final Path PATCHES = PomFiles.ROOT.resolve("scripts/defect-patches");
  private static final Pattern FILE = Pattern.compile("^--- a/(\\S+)$");

  @Test
  void everyPatchApplies() throws IOException {
    List<String> problems = new ArrayList<>();
    try (Stream<Path> patches = Files.list(PATCHES)) {
      for (Path patch : patches.sorted().toList()) {
        problems.addAll(problems(patch.getFileName().toString(), Files.readString(patch)));
      }
    }

    assertThat(problems).as("change the patch with the code").isEmpty();
  }

  @Test
  void thereAreTwentyPatches() throws IOException {
    try (Stream<Path> patches = Files.list(PATCHES)) {
      assertThat(patches).hasSize(20);
    }
  }

  @Test
  void patchOfOtherLinesIsFound() throws IOException {
    String patch =
        """
        --- a/pom.xml
        +++ b/pom.xml
        @@ -1,1 +1,1 @@
        -no such line
        +another one
        """;

    assertThat(problems("21-example.patch", patch))
        .containsExactly("21-example.patch: pom.xml has no lines '-no such line'");
  }

  private static List<String> problems(String name, String patch) throws IOException {
    List<String> problems = new ArrayList<>();
    String file = "";
    String source = "";
    List<String> hunk = new ArrayList<>();
    for (String line : (patch + "\n@@").split("\n", -1)) {
      Matcher header = FILE.matcher(line);
      if (line.startsWith("@@") || line.startsWith("diff ") || header.matches()) {
        if (!hunk.isEmpty() && !source.contains(before(hunk))) {
          String changed = hunk.stream().filter(text -> !text.startsWith(" ")).findFirst().get();
          problems.add(name + ": " + file + " has no lines '" + changed + "'");
        }
        hunk.clear();
      } else if (!file.isEmpty() && !line.startsWith("+++ ") && line.matches("[-+ ].*")) {
        hunk.add(line);
      }
      if (header.matches()) {
        file = header.group(1);
        Path path = PomFiles.ROOT.resolve(file);
        source = Files.exists(path) ? "\n" + Files.readString(path) : "";
      }
    }
    return problems;
  }

  /** Returns the lines that the patch expects: those that it keeps or removes. */
  private static String before(List<String> hunk) {
    StringBuilder lines = new StringBuilder("\n");
    for (String line : hunk) {
      if (!line.startsWith("+")) {
        lines.append(line.substring(1)).append('\n');
      }
    }
    return lines.toString();
  }
}
