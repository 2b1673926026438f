package io.elastune.cli.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts what a new user does until the first trial: command lines, tools and decisions. */
class GuideLengthTest {
  private static final int MOST_COMMANDS = 12;
  private static final int MOST_TOOLS = 3;
  private static final int MOST_DECISIONS = 3;

  /** Parts of every shell. */
  private static final Set<String> OF_SHELL = Set.of("cd", "export", "ls");

  private static final Pattern PROGRAM = Pattern.compile("(?:^|&& |\\$\\()([a-z][a-z-]*)");
  private static final Pattern ASSIGNED = Pattern.compile("(TF_VAR_\\w+)=(\\S+)");
  private static final Pattern ROW = Pattern.compile("^\\| (.*) \\| (.*) \\|$");

  private static Path guide(String cloud) {
    return ExampleFiles.REPOSITORY.resolve("docs/quickstart-" + cloud + ".md");
  }

  /** Returns the commands up to that which starts the first trial. */
  private static List<GuideCommand> untilFirstTrial(String cloud) throws IOException {
    List<GuideCommand> commands = GuideCommand.of(guide(cloud));
    List<GuideCommand> runs = commands.stream().filter(some -> some.is("elastune run ")).toList();
    assertThat(runs).hasSize(1);
    return commands.subList(0, commands.indexOf(runs.get(0)) + 1);
  }

  /** Returns the rows of the table whose heading begins with a text. */
  private static List<MatchResult> rows(String cloud, String heading) throws IOException {
    List<String> lines = Files.readAllLines(guide(cloud));
    int first = lines.indexOf(heading);
    assertThat(first).as(heading).isNotNegative();
    return lines.subList(first + 2, lines.size()).stream()
        .takeWhile(line -> line.startsWith("|"))
        .flatMap(line -> ROW.matcher(line).results())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"aws", "gcp"})
  void fewCommandsLeadToTheFirstTrial(String cloud) throws IOException {
    assertThat(untilFirstTrial(cloud)).hasSizeBetween(5, MOST_COMMANDS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"aws", "gcp"})
  void fewToolsAreNeeded(String cloud) throws IOException {
    List<MatchResult> tools = rows(cloud, "| tool | use |");
    assertThat(tools.stream().filter(row -> row.group(2).equals("login"))).hasSize(1);
    assertThat(tools).hasSizeBetween(2, MOST_TOOLS + 1);

    String named = tools.stream().map(row -> row.group(1)).collect(Collectors.joining(" "));
    Set<String> used = new TreeSet<>();
    for (GuideCommand command : GuideCommand.of(guide(cloud))) {
      if (!command.onController()) {
        PROGRAM.matcher(command.text()).results().forEach(some -> used.add(some.group(1)));
      }
    }
    used.removeAll(OF_SHELL);
    assertThat(used)
        .contains("terraform", "unzip")
        .allSatisfy(program -> assertThat(named).contains('`' + program + '`'));
  }

  @ParameterizedTest
  @ValueSource(strings = {"aws", "gcp"})
  void fewValuesAreDecided(String cloud) throws IOException {
    Set<String> decided =
        rows(cloud, "| you decide | on this page |").stream()
            .map(row -> row.group(2).replace("`", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(decided).hasSizeBetween(1, MOST_DECISIONS);

    Set<String> literals = new TreeSet<>();
    for (GuideCommand command : untilFirstTrial(cloud)) {
      for (MatchResult value : ASSIGNED.matcher(command.text()).results().toList()) {
        if (!value.group(2).startsWith("\"$(")) { // computed by the command
          literals.add(value.group(2));
        }
      }
    }
    assertThat(literals).isEqualTo(decided);
  }
}
