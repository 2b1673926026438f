package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.CommandLineApp;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.testing.InProcessCli;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CommandUsageTest {
  @TempDir Path folder;

  @Test
  void showsHelpWithoutCommand() {
    InProcessCli.Result result = new InProcessCli(folder).run();
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("Commands:", "init", "no command given");
  }

  @Test
  void suggestsNearestCommand() {
    InProcessCli.Result result = new InProcessCli(folder).run("inti");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err())
        .isEqualTo("inti: is not a command of 'elastune' (did you mean init?)\n");
  }

  @Test
  void suggestsNearestOption() {
    InProcessCli.Result result = new InProcessCli(folder).run("init", "--jsn");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err())
        .isEqualTo("--jsn: is not an option of 'elastune init' (did you mean --json?)\n");
  }

  @Test
  void listsChoicesForInvalidWord() {
    InProcessCli.Result result = new InProcessCli(folder).run("completion", "tcsh");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).startsWith("SHELL: must be bash, zsh or fish, not 'tcsh' (see ");
  }

  @Test
  void namesMissingArgument() {
    InProcessCli.Result result = new InProcessCli(folder).run("completion");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).startsWith("SHELL: is missing (see ");
  }

  @Test
  void printsErrorsAsJson() {
    InProcessCli.Result result = new InProcessCli(folder).run("init", "--jsn", "--json");
    assertThat(result.json().path("error").path("exit").asInt()).isEqualTo(2);
    var problem = result.json().path("error").path("problems").path(0);
    assertThat(problem.path("field").asString()).isEqualTo("--jsn");
    assertThat(problem.path("hint").asString()).isEqualTo("did you mean --json?");
    assertThat(problem.path("file").isNull()).isTrue();
    assertThat(problem.path("line").isNull()).isTrue();
  }

  @Test
  void everyCommandHasExampleAndJsonOption() {
    checkCommandsBelow(new CommandLineApp(CliEnvironment.real()).commandLine());
  }

  @Test
  void helpOfOneCommandMatchesFullTree() {
    new CommandLineApp(CliEnvironment.real())
        .commandLine()
        .getSubcommands()
        .forEach(
            (name, command) ->
                assertThat(new InProcessCli(folder).run(name, "--help").out())
                    .as(name)
                    .isEqualTo(command.getUsageMessage()));
  }

  private static void checkCommandsBelow(CommandLine parent) {
    for (CommandLine command : parent.getSubcommands().values()) {
      if (command.getSubcommands().isEmpty()) {
        assertThat(command.getUsageMessage())
            .as(command.getCommandSpec().qualifiedName())
            .contains("Example:", "--json", "--help", "  elastune ");
      }
      checkCommandsBelow(command);
    }
  }

  /** An option with the same name and description in several commands has one declaration. */
  @Test
  void sharedOptionsAreDescribedOnce() {
    Map<String, Set<Object>> declarations = new TreeMap<>();
    commands(new CommandLineApp(CliEnvironment.real()).commandLine())
        .flatMap(command -> command.getCommandSpec().options().stream())
        .filter(option -> !option.usageHelp() && !option.versionHelp())
        .forEach(
            option ->
                declarations
                    .computeIfAbsent(
                        option.longestName() + ": " + String.join(" ", option.description()),
                        same -> new HashSet<>())
                    .add(option.userObject()));

    assertThat(declarations).hasSizeGreaterThan(40);
    assertThat(declarations.entrySet())
        .filteredOn(entry -> entry.getValue().size() > 1)
        .extracting(Map.Entry::getKey)
        .isEmpty();
  }

  private static Stream<CommandLine> commands(CommandLine command) {
    return Stream.concat(
        Stream.of(command),
        command.getSubcommands().values().stream().flatMap(CommandUsageTest::commands));
  }
}
