package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.html.HtmlFile;
import io.elastune.cli.html.ReportPageWriter;
import io.elastune.cli.inspect.ShowReport;
import java.util.Optional;
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
      "  elastune report my-job-20261120-a1b2 --html report.html",
      "  elastune report my-job-20261120-a1b2 --csv trials.csv"
    })
public final class ReportCommand extends Subcommand {
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

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      order = 3,
      description =
          "Save all trials as CSV, one row each: configuration, metrics, units, duration, cost and"
              + " checkpoint. '-' writes it to standard output.")
  private Optional<String> csv = Optional.empty();

  @Mixin private FragmentOption fragment = new FragmentOption();

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    Optional<HtmlFile> page = fragment.of(html);
    if (csv.isPresent()) {
      if (page.isPresent()) {
        throw CommandFailure.invalid("--csv", "cannot be combined with --html", "use one of them");
      }
      return new ShowReport(cliEnvironment, output).saveTrials(run.value(), csv.get()).code();
    }
    if (page.isEmpty()) {
      if (watch) {
        throw CommandFailure.invalid(
            "--watch", "requires --html", "add --html FILE, or use 'elastune status --watch'");
      }
      return new ShowReport(cliEnvironment, output).show(run.value()).code();
    }
    ReportPageWriter writer = new ReportPageWriter(cliEnvironment, output, page.get());
    return (watch ? writer.follow(run.value()) : writer.once(run.value())).code();
  }
}
