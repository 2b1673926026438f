package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.estimate.EstimateService;
import io.elastune.core.config.Overrides;
import io.elastune.inputs.UnitTime;
import io.elastune.plan.estimate.EstimateCase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Compares places, markets, deadlines and budgets from a time that the user knows. */
@Command(
    name = "estimate",
    header = "Compare clouds, markets and limits from one known time. Measures nothing.",
    description =
        "For users who know how long a unit takes on one GPU. All results are marked as assumed."
            + " Starts nothing and costs nothing.",
    footer = {
      "",
      "Example:",
      "  elastune estimate job.yaml --unit-time 90s@A10G --deadline 2h,4h,8h \\",
      "    --infra aws/us-east-1,gcp/us-central1 --market on-demand,spot"
    })
public final class EstimateCommand extends Subcommand {
  @Parameters(paramLabel = "job.yaml", description = "The job file.")
  private String job = "";

  @Option(
      names = "--unit-time",
      order = 1,
      split = ",",
      paramLabel = "TIME@MODEL",
      converter = UnitTimeConverter.class,
      description = "Time of one unit on one GPU, e.g. 90s@A10G; repeat it for each GPU model.")
  private List<UnitTime> unitTimes = new ArrayList<>();

  @Option(
      names = "--speedup",
      order = 2,
      split = ",",
      paramLabel = "GPUS=FACTOR",
      description = "Speed-up of one trial on several GPUs, e.g. 2=1.9,4=3.4. Default: one GPU.")
  private Map<Integer, Double> speedups = new TreeMap<>();

  @Option(
      names = "--startup",
      order = 3,
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Start-up of a trial. Default: the unit time includes it.")
  private Optional<Duration> startup = Optional.empty();

  @Option(
      names = "--spread",
      order = 4,
      paramLabel = "SHARE",
      converter = ShareConverter.class,
      description = "Coefficient of variation of a trial's duration, e.g. 5%%. Default: none.")
  private Double spread = 0.0;

  @Option(
      names = {"-o", "--output"},
      order = 5,
      paramLabel = "FILE",
      description = "Save the assumed profile, for --profile of other commands.")
  private Optional<String> file = Optional.empty();

  @Option(
      names = "--html",
      order = 6,
      paramLabel = "FILE",
      description = "Save the comparison as one HTML file.")
  private Optional<String> html = Optional.empty();

  @Mixin private FragmentOption fragment = new FragmentOption();

  @Option(
      names = "--deadline",
      order = 50,
      split = ",",
      paramLabel = "WHEN",
      description = "Deadlines to compare: 3h, 1h30m, or a date-time.")
  private List<String> deadlines = new ArrayList<>();

  @Option(
      names = "--budget",
      order = 51,
      split = ",",
      paramLabel = "USD",
      description = "Budgets to compare, in US dollars.")
  private List<String> budgets = new ArrayList<>();

  @Option(
      names = "--infra",
      order = 52,
      split = ",",
      paramLabel = "PLACE",
      description = "Locations to compare: aws/REGION[/ZONE], gcp/REGION[/ZONE], local.")
  private List<String> infra = new ArrayList<>();

  @Option(
      names = "--market",
      order = 53,
      split = ",",
      paramLabel = "MARKET",
      description = "Markets to compare: on-demand, spot.")
  private List<String> markets = new ArrayList<>();

  @Mixin private GpuOption gpu = new GpuOption();
  @Mixin private MaxInstancesOption maxInstances = new MaxInstancesOption();
  @Mixin private TrialsOption trials = new TrialsOption();
  @Mixin private OffersOption offers = new OffersOption();

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    return new EstimateService(cliEnvironment, output)
        .estimate(
            new EstimateService.Request(
                job,
                unitTimes,
                checkedSpeedups(),
                startup
                    .map(time -> OptionalDouble.of(time.toNanos() / 1e9))
                    .orElse(OptionalDouble.empty()),
                spread,
                EstimateCase.combinations(infra, markets, deadlines, budgets),
                general(cliEnvironment),
                file,
                fragment.of(html)))
        .code();
  }

  private Overrides general(CliEnvironment cliEnvironment) {
    return Overrides.builder()
        .offers(offers.file(cliEnvironment))
        .trials(trials.number())
        .gpus(gpu.models())
        .maxInstances(maxInstances.number())
        .build();
  }

  private NavigableMap<Integer, Double> checkedSpeedups() {
    speedups.forEach(
        (count, factor) -> {
          if (count < 2 || !(factor > 0) || factor > 2.0 * count) {
            throw invalid(
                "--speedup: must be e.g. 2=1.9 (2 GPUs are 1.9 times as fast as one), not "
                    + count
                    + "="
                    + factor);
          }
        });
    return new TreeMap<>(speedups);
  }

  static final class UnitTimeConverter implements ITypeConverter<UnitTime> {
    @Override
    public UnitTime convert(String given) {
      return UnitTime.parse(given)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "must be a time and a GPU model such as 90s@A10G, not '" + given + "'"));
    }
  }

  static final class ShareConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String given) {
      boolean percent = given.endsWith("%");
      try {
        double value =
            Double.parseDouble(percent ? given.substring(0, given.length() - 1) : given)
                / (percent ? 100 : 1);
        if (value >= 0 && value <= 1) {
          return value;
        }
      } catch (NumberFormatException e) {
        // the same message
      }
      throw new TypeConversionException("must be a share such as 5% or 0.05, not '" + given + "'");
    }
  }
}
