package io.elastune.cli;

import io.elastune.cli.command.AttachCommand;
import io.elastune.cli.command.CheckCommand;
import io.elastune.cli.command.CompletionCommand;
import io.elastune.cli.command.ControllerCommand;
import io.elastune.cli.command.ElastuneCommand;
import io.elastune.cli.command.EstimateCommand;
import io.elastune.cli.command.ExplainCommand;
import io.elastune.cli.command.ImportCommand;
import io.elastune.cli.command.InitCommand;
import io.elastune.cli.command.LogsCommand;
import io.elastune.cli.command.OffersCommand;
import io.elastune.cli.command.OrphansCommand;
import io.elastune.cli.command.PlanCommand;
import io.elastune.cli.command.ProfileCommand;
import io.elastune.cli.command.ProfilesCommand;
import io.elastune.cli.command.RehearseCommand;
import io.elastune.cli.command.RemoteCommand;
import io.elastune.cli.command.ReportCommand;
import io.elastune.cli.command.ResumeCommand;
import io.elastune.cli.command.RunCommand;
import io.elastune.cli.command.RunsCommand;
import io.elastune.cli.command.RuntimeCommand;
import io.elastune.cli.command.ScheduleCommand;
import io.elastune.cli.command.SimulateCommand;
import io.elastune.cli.command.StatusCommand;
import io.elastune.cli.command.StopCommand;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.ErrorScreen;
import io.elastune.cli.failure.ExceptionMapper;
import io.elastune.cli.failure.Failure;
import io.elastune.cli.host.HostClient;
import io.elastune.cli.host.HostOptions;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Runs one command line in a given environment. */
public final class CommandLineApp {
  private static final int HELP_WIDTH = 100;
  private static final String CLOUDS = "--clouds";
  private static final String COMPLETION = "completion";

  private final CliEnvironment cliEnvironment;

  public CommandLineApp(CliEnvironment cliEnvironment) {
    this.cliEnvironment = cliEnvironment;
  }

  /** Runs the command in {@code arguments} and returns its exit code. Never throws. */
  public int run(String... arguments) {
    List<String> given = List.of(arguments);
    ExceptionMapper exceptionMapper = new ExceptionMapper(cliEnvironment, given);
    ErrorScreen screen = new ErrorScreen(cliEnvironment, wantsJson(given));
    try {
      Optional<HostOptions> host = HostOptions.parse(given);
      if (host.isPresent()) {
        return runOn(host.get(), screen, exceptionMapper);
      }
      CommandLine line =
          commandLine(
              clouds(given).map(cliEnvironment::withCloudsFile).orElse(cliEnvironment), given);
      line.setParameterExceptionHandler(
          (thrown, args) -> failed(screen, exceptionMapper.map(thrown)));
      line.setExecutionExceptionHandler(
          (thrown, command, parsed) -> failed(screen, exceptionMapper.map(thrown)));
      return line.execute(arguments);
    } catch (Exception | StackOverflowError | LinkageError e) {
      return failed(screen, exceptionMapper.map(e));
    }
  }

  /** Runs the command on another machine. Invalid arguments and requests for help end here. */
  private int runOn(HostOptions host, ErrorScreen screen, ExceptionMapper exceptionMapper) {
    CommandLine line = commandLine(cliEnvironment, host.command());
    String[] arguments = host.command().toArray(String[]::new);
    try {
      CommandLine.ParseResult parsed = line.parseArgs(arguments);
      boolean command = parsed.hasSubcommand();
      return !command || CommandLine.printHelpIfRequested(parsed)
          ? line.execute(arguments)
          : new HostClient(cliEnvironment, host, parsed).run();
    } catch (CommandLine.ParameterException e) {
      return failed(screen, exceptionMapper.map(e));
    }
  }

  /** Returns the tree of all commands. */
  public CommandLine commandLine() {
    return commandLine(cliEnvironment, List.of());
  }

  /** Returns the commands by name, in the order of the help text. */
  private static Map<String, Supplier<Object>> commands() {
    Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
    commands.put("init", InitCommand::new);
    commands.put("import", ImportCommand::new);
    commands.put("plan", PlanCommand::new);
    commands.put("estimate", EstimateCommand::new);
    commands.put("simulate", SimulateCommand::new);
    commands.put("rehearse", RehearseCommand::new);
    commands.put("run", RunCommand::new);
    commands.put("offers", OffersCommand::new);
    commands.put("check", CheckCommand::new);
    commands.put("profile", ProfileCommand::new);
    commands.put("profiles", ProfilesCommand::new);
    commands.put("runtime", RuntimeCommand::new);
    commands.put("status", StatusCommand::new);
    commands.put("attach", AttachCommand::new);
    commands.put("logs", LogsCommand::new);
    commands.put("report", ReportCommand::new);
    commands.put("explain", ExplainCommand::new);
    commands.put("stop", StopCommand::new);
    commands.put("resume", ResumeCommand::new);
    commands.put("runs", RunsCommand::new);
    commands.put("schedule", ScheduleCommand::new);
    commands.put("orphans", OrphansCommand::new);
    commands.put("controller", ControllerCommand::new);
    commands.put("remote", RemoteCommand::new);
    commands.put(COMPLETION, CompletionCommand::new);
    return commands;
  }

  /**
   * Builds the part of the command tree that {@code arguments} need. Building all commands takes as
   * long as running one that only reads a journal. Only the named command is therefore built,
   * except for {@code completion}, which needs all of them.
   */
  private static CommandLine commandLine(CliEnvironment cliEnvironment, List<String> arguments) {
    CommandLine line =
        new CommandLine(
            new ElastuneCommand(
                cliEnvironment,
                (other, started) -> new CommandLineApp(other).run(started.toArray(String[]::new))));
    Map<String, Supplier<Object>> commands = commands();
    String first = arguments.isEmpty() ? "" : arguments.get(0);
    boolean all = !commands.containsKey(first) || first.equals(COMPLETION);
    commands.forEach(
        (name, command) -> {
          if (all || first.equals(name)) {
            line.addSubcommand(command.get());
          }
        });
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(cliEnvironment.useColors() ? Ansi.ON : Ansi.OFF));
    line.setUsageHelpWidth(HELP_WIDTH);
    line.setOut(writer(cliEnvironment.out()));
    line.setErr(writer(cliEnvironment.err()));
    return line;
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
  }

  private static int failed(ErrorScreen screen, Failure failure) {
    screen.show(failure);
    return failure.exit().code();
  }

  /** Searched in the raw arguments: an invalid command line has no parsed options. */
  private static boolean wantsJson(List<String> arguments) {
    return options(arguments).contains("--json");
  }

  /** Searched in the raw arguments: the environment is created before any command. */
  private static Optional<String> clouds(List<String> arguments) {
    List<String> options = options(arguments);
    int at = options.lastIndexOf(CLOUDS);
    return options.stream()
        .filter(option -> option.startsWith(CLOUDS + "="))
        .reduce((first, second) -> second)
        .map(option -> option.substring(CLOUDS.length() + 1))
        .or(() -> options.stream().skip(at + 1L).limit(at < 0 ? 0 : 1).findFirst());
  }

  private static List<String> options(List<String> arguments) {
    int end = arguments.indexOf("--");
    return arguments.subList(0, end < 0 ? arguments.size() : end);
  }
}
