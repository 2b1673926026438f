package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.schedule.Schedule;
import io.elastune.cli.schedule.ScheduleReport;
import io.elastune.cli.schedule.ScheduleService;
import io.elastune.cli.schedule.ScheduleStarter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts jobs by a timer of this machine. */
@Command(
    name = "schedule",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ScheduleCommand.AddCommand.class,
      ScheduleCommand.ListCommand.class,
      ScheduleCommand.LogCommand.class,
      ScheduleCommand.CostCommand.class,
      ScheduleCommand.RemoveCommand.class,
      ScheduleCommand.StartCommand.class
    },
    header = "Start a job by a timer of this machine, with a monthly budget.",
    footer = {"", "Example:", "  elastune schedule add job.yaml --cron '0 2 * * *'"})
public final class ScheduleCommand extends CommandGroup {
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
  static final class AddCommand extends Subcommand {
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

    @Override
    int execute(CliEnvironment cliEnvironment, Output output) {
      ScheduledOptions run = new ScheduledOptions(this, cliEnvironment, file, options);
      return new ScheduleService(cliEnvironment, output)
          .add(
              new ScheduleService.NewSchedule(
                  file,
                  cron,
                  name,
                  monthlyUsd.map(OptionalDouble::of).orElseGet(OptionalDouble::empty),
                  timer.systemd
                      ? Optional.of("systemd")
                      : timer.crontab ? Optional.of("crontab") : Optional.empty(),
                  run.withAbsolutePaths(),
                  run.overrides()))
          .code();
    }
  }

  @Command(
      name = "list",
      header = "List schedules with their next start and the cost of this month.",
      footer = {"", "Example:", "  elastune schedule list --json"})
  static final class ListCommand extends Subcommand {
    @Override
    int execute(CliEnvironment cliEnvironment, Output output) {
      return new ScheduleReport(cliEnvironment, output).list().code();
    }
  }

  @Command(
      name = "log",
      header = "Show all starts of a schedule, also those that were skipped.",
      footer = {"", "Example:", "  elastune schedule log nightly"})
  static final class LogCommand extends Subcommand {
    @Parameters(paramLabel = "NAME", description = "The name of the schedule.")
    private String name = "";

    @Override
    int execute(CliEnvironment cliEnvironment, Output output) {
      return new ScheduleReport(cliEnvironment, output).log(name).code();
    }
  }

  @Command(
      name = "cost",
      header = "State the cost of a run whose journal cannot be read.",
      description = {
        "A schedule with a monthly budget starts no run while the cost of another one is unknown.",
        "Use the amount of the provider's bill."
      },
      footer = {"", "Example:", "  elastune schedule cost nightly nightly-20261120-a1b2 12.50"})
  static final class CostCommand extends Subcommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "The name of the schedule.")
    private String name = "";

    @Parameters(index = "1", paramLabel = "RUN", description = "The name of the run.")
    private String run = "";

    @Parameters(index = "2", paramLabel = "USD", description = "Its cost in USD.")
    private double usd;

    @Override
    int execute(CliEnvironment cliEnvironment, Output output) {
      return new ScheduleService(cliEnvironment, output).stateCost(name, run, usd).code();
    }
  }

  @Command(
      name = "rm",
      header = "Remove a schedule and its timer.",
      description = "A run in progress continues. The log of the starts remains.",
      footer = {"", "Example:", "  elastune schedule rm nightly"})
  static final class RemoveCommand extends Subcommand {
    @Parameters(paramLabel = "NAME", description = "The name of the schedule.")
    private String name = "";

    @Override
    int execute(CliEnvironment cliEnvironment, Output output) {
      return new ScheduleService(cliEnvironment, output).remove(name).code();
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
  static final class StartCommand extends Subcommand {
    @Parameters(paramLabel = "NAME", description = "The name of the schedule.")
    private String name = "";

    @Override
    int execute(CliEnvironment cliEnvironment, Output output) {
      Schedule schedule = new ScheduleService(cliEnvironment, output).get(name);
      ScheduledOptions run =
          new ScheduledOptions(this, cliEnvironment, schedule.job(), schedule.options());
      return new ScheduleStarter(
              cliEnvironment, line -> root().commands().run(cliEnvironment, line))
          .start(schedule, run.overrides());
    }
  }
}
