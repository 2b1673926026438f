package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.schedule.Schedule;
import io.elastune.cli.schedule.ScheduleReport;
import io.elastune.cli.schedule.ScheduleService;
import io.elastune.cli.schedule.ScheduleStarter;
import io.elastune.core.config.Overrides;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Starts jobs by a timer of this machine. */
@Command(
    name = "schedule",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    header = "Start a job by a timer of this machine, with a monthly budget.",
    footer = {"", "Example:", "  elastune schedule add job.yaml --cron '0 2 * * *'"})
public final class ScheduleCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Specify add, list, log, rm or start");
  }

  /**
   * Returns this command with its subcommands.
   *
   * @param elastune runs a command line of Elastune and returns its exit code
   */
  public static CommandLine tree(
      CliEnvironment cliEnvironment, ToIntFunction<List<String>> elastune) {
    CommandLine line = new CommandLine(new ScheduleCommand());
    line.addSubcommand(new AddCommand(cliEnvironment));
    line.addSubcommand(new ListCommand(cliEnvironment));
    line.addSubcommand(new LogCommand(cliEnvironment));
    line.addSubcommand(new RemoveCommand(cliEnvironment));
    line.addSubcommand(new StartCommand(cliEnvironment, elastune));
    return line;
  }

  /** Returns the overrides of {@code run} with these options, which must be valid. */
  private static Overrides overrides(
      CliEnvironment cliEnvironment, CommandSpec spec, String job, List<String> options) {
    RunCommand run = new RunCommand(cliEnvironment);
    List<String> arguments = new ArrayList<>(List.of(job));
    arguments.addAll(options);
    try {
      new CommandLine(run).parseArgs(arguments.toArray(String[]::new));
    } catch (ParameterException e) {
      throw new ParameterException(spec.commandLine(), "run options: " + e.getMessage(), e);
    }
    if (run.isDetached()) {
      throw new ParameterException(
          spec.commandLine(), "run options: --detach cannot be scheduled; the timer waits");
    }
    return run.overrides();
  }

  @Command(
      name = "add",
      header = "Add a schedule, and write its timer.",
      description = {
        "The timer calls 'elastune schedule start NAME'. Options of 'run' follow after --.",
        "A start is skipped while a run of the job is in progress, and if the cost of this",
        "month's runs plus the budget of the next one would exceed --monthly-usd."
      },
      footer = {
        "",
        "Example:",
        "  elastune schedule add job.yaml --cron '0 2 * * *' --monthly-usd 300 -- --deadline 4h"
      })
  static final class AddCommand implements Callable<Integer> {
    private final CliEnvironment cliEnvironment;
    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private CommonOptions common = new CommonOptions();

    @Parameters(index = "0", paramLabel = "job.yaml", description = "The job file.")
    private String file = "";

    @Parameters(
        index = "1..*",
        arity = "0..*",
        paramLabel = "OPTION",
        description = "Options of 'run', after --.")
    private List<String> options = List.of();

    @Option(
        names = "--cron",
        required = true,
        paramLabel = "TIMES",
        description =
            "Minute, hour, day of month, month, day of week, in the time zone of this machine.")
    private String cron = "";

    @Option(
        names = "--name",
        paramLabel = "NAME",
        description = "The name of the schedule. Default: the name of the job.")
    private Optional<String> name = Optional.empty();

    @Option(
        names = "--monthly-usd",
        paramLabel = "USD",
        description = "The highest cost of all its runs in a calendar month.")
    private Optional<Double> monthlyUsd = Optional.empty();

    @ArgGroup private Timer timer = new Timer();

    /** The timers. */
    static final class Timer {
      @Option(names = "--systemd", description = "Write a timer of the user's systemd.")
      private boolean systemd;

      @Option(names = "--crontab", description = "Write a line in the user's crontab.")
      private boolean crontab;
    }

    AddCommand(CliEnvironment cliEnvironment) {
      this.cliEnvironment = cliEnvironment;
    }

    @Override
    public Integer call() {
      return new ScheduleService(cliEnvironment, common.output(cliEnvironment))
          .add(
              new ScheduleService.NewSchedule(
                  file,
                  cron,
                  name,
                  monthlyUsd.map(OptionalDouble::of).orElseGet(OptionalDouble::empty),
                  timer.systemd
                      ? Optional.of("systemd")
                      : timer.crontab ? Optional.of("crontab") : Optional.empty(),
                  options,
                  overrides(cliEnvironment, spec, file, options)))
          .code();
    }
  }

  @Command(
      name = "list",
      header = "List schedules with their next start and the cost of this month.",
      footer = {"", "Example:", "  elastune schedule list --json"})
  static final class ListCommand implements Callable<Integer> {
    private final CliEnvironment cliEnvironment;
    @Mixin private CommonOptions common = new CommonOptions();

    ListCommand(CliEnvironment cliEnvironment) {
      this.cliEnvironment = cliEnvironment;
    }

    @Override
    public Integer call() {
      return new ScheduleReport(cliEnvironment, common.output(cliEnvironment)).list().code();
    }
  }

  @Command(
      name = "log",
      header = "Show all starts of a schedule, also those that were skipped.",
      footer = {"", "Example:", "  elastune schedule log nightly"})
  static final class LogCommand implements Callable<Integer> {
    private final CliEnvironment cliEnvironment;
    @Mixin private CommonOptions common = new CommonOptions();

    @Parameters(paramLabel = "NAME", description = "The name of the schedule.")
    private String name = "";

    LogCommand(CliEnvironment cliEnvironment) {
      this.cliEnvironment = cliEnvironment;
    }

    @Override
    public Integer call() {
      return new ScheduleReport(cliEnvironment, common.output(cliEnvironment)).log(name).code();
    }
  }

  @Command(
      name = "rm",
      header = "Remove a schedule and its timer.",
      description = "A run in progress continues. The log of the starts remains.",
      footer = {"", "Example:", "  elastune schedule rm nightly"})
  static final class RemoveCommand implements Callable<Integer> {
    private final CliEnvironment cliEnvironment;
    @Mixin private CommonOptions common = new CommonOptions();

    @Parameters(paramLabel = "NAME", description = "The name of the schedule.")
    private String name = "";

    RemoveCommand(CliEnvironment cliEnvironment) {
      this.cliEnvironment = cliEnvironment;
    }

    @Override
    public Integer call() {
      return new ScheduleService(cliEnvironment, common.output(cliEnvironment)).remove(name).code();
    }
  }

  @Command(
      name = "start",
      header = "Start a run of a schedule now, as its timer does.",
      description = {
        "Exits with 3 if a run of the job is in progress, with 11 if the monthly budget does not",
        "allow another one, and otherwise with the exit code of the run."
      },
      footer = {"", "Example:", "  elastune schedule start nightly"})
  static final class StartCommand implements Callable<Integer> {
    private final CliEnvironment cliEnvironment;
    private final ToIntFunction<List<String>> elastune;
    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private CommonOptions common = new CommonOptions();

    @Parameters(paramLabel = "NAME", description = "The name of the schedule.")
    private String name = "";

    StartCommand(CliEnvironment cliEnvironment, ToIntFunction<List<String>> elastune) {
      this.cliEnvironment = cliEnvironment;
      this.elastune = elastune;
    }

    @Override
    public Integer call() {
      Schedule schedule =
          new ScheduleService(cliEnvironment, common.output(cliEnvironment)).get(name);
      return new ScheduleStarter(cliEnvironment, elastune)
          .start(schedule, overrides(cliEnvironment, spec, schedule.job(), schedule.options()));
    }
  }
}
