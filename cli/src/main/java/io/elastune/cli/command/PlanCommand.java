package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.service.PlanService;
import io.elastune.plan.PlanOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Finds the best plan and shows it. */
@Command(
    name = "plan",
    header = "Find the cheapest plan that meets the deadline and the budget.",
    description = "Dry run: starts nothing and costs nothing. Predictions use up to 4,000 samples.",
    footer = {
      "",
      "Example:",
      "  elastune plan job.yaml --deadline 2h --frontier --svg choices.svg",
      "  elastune plan job.yaml --choice 3 -o plan.json && elastune run plan.json"
    })
public final class PlanCommand extends Subcommand {
  @Mixin private OverrideOptions overrides = new OverrideOptions();

  @Parameters(paramLabel = "job.yaml", description = "The job file.")
  private String job = "";

  @Option(
      names = "--frontier",
      order = 1,
      description = "Also list the other plans of the time-cost frontier.")
  private boolean frontier;

  @Mixin private ChoiceOption choice = new ChoiceOption();

  @Option(
      names = "--planner",
      order = 3,
      paramLabel = "NAME",
      converter = PlannerConverter.class,
      completionCandidates = PlannerConverter.class,
      description = "greedy, exact or static. Default: the better result of greedy and exact.")
  private Kind planner = Kind.BEST;

  @Option(
      names = {"-o", "--output"},
      order = 4,
      paramLabel = "FILE",
      description = "Save the plan, with its job and prices, for 'elastune run'.")
  private Optional<String> file = Optional.empty();

  @Option(
      names = "--svg",
      order = 5,
      paramLabel = "FILE",
      description = "Save a chart of the time-cost frontier.")
  private Optional<String> svg = Optional.empty();

  @Option(
      names = "--time-limit",
      order = 6,
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "Stop the search, and sampling about a second later, e.g. after 0.5s, with the best plan"
              + " so far and a valid bound.")
  private Optional<Duration> timeLimit = Optional.empty();

  @Option(
      names = "--html",
      order = 7,
      paramLabel = "FILE",
      description = "Save the plan as one HTML file: its groups, and the chart of the frontier.")
  private Optional<String> html = Optional.empty();

  @Mixin private FragmentOption fragment = new FragmentOption();

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    return new PlanService(cliEnvironment, output)
        .plan(
            new PlanService.Request(
                job,
                overrides.toOverrides(cliEnvironment),
                planner,
                frontier,
                file,
                svg,
                fragment.of(html),
                timeLimit,
                choice.choice(),
                RepeatedOptions.of(spec(), "overrides", List.of("--infra"))))
        .code();
  }

  static final class PlannerConverter extends WordConverter<Kind> {
    PlannerConverter() {
      super(PlanOptions.PLANNERS);
    }
  }
}
