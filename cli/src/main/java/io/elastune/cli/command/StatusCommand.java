package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.inspect.RunFinder;
import io.elastune.cli.inspect.StatusWatch;
import io.elastune.cli.schedule.ScheduleReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the state of a run. */
@Command(
    name = "status",
    header = "Show the state of a run: trials, instances, cost, deadline margin.",
    description = "Reads only the run's journal and does not affect the run.",
    footer = {"", "Example:", "  elastune status my-job-20261120-a1b2 --watch"})
public final class StatusCommand extends Subcommand {
  @Mixin private RunArgument run = new RunArgument();

  @Option(
      names = {"-w", "--watch"},
      description = "Show every change until the run ends.")
  private boolean watch;

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    ScheduleReport schedules = new ScheduleReport(cliEnvironment, output);
    StatusWatch status = new StatusWatch(cliEnvironment, output, schedules::documentFor);
    if (watch) {
      return status.follow(run.value()).code();
    }
    int exit = status.once(run.value()).code();
    schedules
        .linesFor(new RunFinder(cliEnvironment).findOrNewest(run.value()).run())
        .forEach(output.text()::println);
    return exit;
  }
}
