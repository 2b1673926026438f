package io.elastune.cli.command;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.Problem;
import io.elastune.cli.page.PageWriter;
import io.elastune.cli.runs.ShowReport;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the results of a run. */
@Command(
    name = "report",
    header = "Show the results of a run: the best configuration, and estimate versus actual.",
    description = "For an unfinished run, shows the results so far.",
    footer = {
      "",
      "Example:",
      "  elastune report my-job-20261120-a1b2",
      "  elastune report my-job-20261120-a1b2 --html report.html"
    })
public final class ReportCommand implements Callable<Integer> {
  private final World world;
  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private RunArgument run = new RunArgument();

  @Option(
      names = "--html",
      paramLabel = "FILE",
      order = 1,
      description =
          "Save the report as one HTML file that needs no network: instances, trials, spending and"
              + " learning curves over time, and every decision.")
  private Optional<String> html = Optional.empty();

  @Option(
      names = {"-w", "--watch"},
      order = 2,
      description = "With --html: update the page until the run ends.")
  private boolean watch;

  public ReportCommand(World world) {
    this.world = world;
  }

  @Override
  public Integer call() {
    Output output = common.output(world);
    if (html.isEmpty()) {
      if (watch) {
        throw CommandFailure.usage(
            Problem.of(
                "--watch", "requires --html", "add --html FILE, or use 'elastune status --watch'"));
      }
      return new ShowReport(world, output).show(run.given()).code();
    }
    PageWriter page = new PageWriter(world, output, html.get());
    return (watch ? page.follow(run.given()) : page.once(run.given())).code();
  }
}
