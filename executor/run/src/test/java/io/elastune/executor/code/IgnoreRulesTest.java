package io.elastune.executor.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IgnoreRulesTest {
  private static final String[] PARTS = {
    "a", "b", "*", "**", "?", "/", "/", "!", "a*", "[ab]", "[!a]", "x.c", "*.c", "\\a", "#", " "
  };
  private static final String[] NAMES = {"a", "b", "ab", "x.c", "a.c"};

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "data/, data, true, true",
    "data/, data, false, false",
    "/data, sub/data, true, false",
    "data, sub/data, true, true",
    "*.csv, sub/x.csv, false, true",
    "sub/*.csv, sub/deep/x.csv, false, false",
    "sub/**/x.csv, sub/x.csv, false, true",
    "sub/**, sub/deep/x.csv, false, true",
    "**/logs, a/b/logs, true, true",
    "a?c, abc, false, true",
    "a[0-9].txt, a7.txt, false, true",
    "a[!0-9].txt, a7.txt, false, false",
    "\\#x, #x, false, true",
    "#x, #x, false, false",
  })
  void matchesAsDocumented(String pattern, String path, boolean isFolder, boolean excluded) {
    assertThat(IgnoreRules.parse(pattern).excludes(path, isFolder).orElse(false))
        .isEqualTo(excluded);
  }

  @Test
  void lastMatchDecidesAndExcludedFolderWins() {
    IgnoreRules rules = IgnoreRules.parse("*.csv\n!keep.csv\r\ndata/\n!data/keep.csv\n");

    assertThat(rules.excludesFile("x.csv")).contains(true);
    assertThat(rules.excludesFile("keep.csv")).contains(false);
    assertThat(rules.excludesFile("data/keep.csv")).contains(true);
    assertThat(rules.excludesFile("train.py")).isEqualTo(Optional.empty());
  }

  /** Git itself is the reference, for random patterns. Skipped where Git is not installed. */
  @Test
  void agreesWithGit() throws Exception {
    assumeTrue(git("init", "-q", ".").isPresent(), "git is not installed");
    Random random = new Random(1);
    List<String> files = files(random);
    for (int round = 0; round < 150; round++) {
      String patterns = patterns(random);
      Files.writeString(folder.resolve(".gitignore"), patterns);
      IgnoreRules rules = IgnoreRules.parse(patterns);
      TreeSet<String> expected =
          new TreeSet<>(
              List.of(
                  git("ls-files", "-z", "-o", "-i", "--exclude-standard")
                      .orElseThrow()
                      .split("\0", -1)));
      expected.removeAll(List.of("", ".gitignore"));
      TreeSet<String> ours = new TreeSet<>(files);
      ours.removeIf(path -> !rules.excludesFile(path).orElse(false));

      assertThat(ours).as("patterns:%n%s", patterns).isEqualTo(expected);
    }
  }

  private List<String> files(Random random) throws IOException {
    List<String> files = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      StringBuilder path = new StringBuilder("d" + i % 3);
      for (int depth = random.nextInt(3); depth >= 0; depth--) {
        path.append('/').append(NAMES[random.nextInt(NAMES.length)]);
      }
      Path file = folder.resolve(path.toString());
      if (!Files.exists(file) && parentsAreFolders(file)) {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "");
        files.add(path.toString());
      }
    }
    files.removeIf(path -> Files.isDirectory(folder.resolve(path)));
    return files;
  }

  private boolean parentsAreFolders(Path file) {
    for (Path parent = file.getParent(); !parent.equals(folder); parent = parent.getParent()) {
      if (Files.isRegularFile(parent)) {
        return false;
      }
    }
    return true;
  }

  private static String patterns(Random random) {
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < 3; line++) {
      for (int part = random.nextInt(4); part >= 0; part--) {
        text.append(PARTS[random.nextInt(PARTS.length)]);
      }
      text.append('\n');
    }
    return text.toString();
  }

  private Optional<String> git(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).directory(folder.toFile()).start();
      byte[] bytes = process.getInputStream().readAllBytes();
      return process.waitFor() == 0
          ? Optional.of(new String(bytes, StandardCharsets.UTF_8))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
