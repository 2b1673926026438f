package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.service.OffersService;
import io.elastune.core.offer.Market;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the capacity that can be rented. */
@Command(
    name = "offers",
    header = "List the capacity that can be rented, with price, date and source.",
    footer = {"", "Example:", "  elastune offers --infra aws/us-east-1 --gpu A10G"})
public final class OffersCommand extends Subcommand {
  @Option(
      names = "--gpu",
      split = ",",
      paramLabel = "MODEL",
      description = "Only offers with these GPU models; upper and lower case are equal.")
  private List<String> gpus = new ArrayList<>();

  @Option(
      names = "--instance-types",
      split = ",",
      paramLabel = "TYPE",
      description = "Only offers of these instance types.")
  private List<String> instanceTypes = new ArrayList<>();

  @Option(
      names = "--market",
      paramLabel = "MARKET",
      converter = MarketConverter.class,
      completionCandidates = MarketConverter.class,
      description = "Only offers on this market: on-demand or spot.")
  private Optional<Market> market = Optional.empty();

  @Option(
      names = "--infra",
      split = ",",
      paramLabel = "PLACE",
      description =
          "Only offers in these locations: local, ray/CLUSTER, aws/REGION[/ZONE],"
              + " gcp/REGION[/ZONE].")
  private List<String> infra = new ArrayList<>();

  @Option(
      names = "--offers",
      paramLabel = "FILE",
      description =
          "List the offers in this file. Default: all known offers in PLACE, or everywhere.")
  private Optional<String> file = Optional.empty();

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    return new OffersService(cliEnvironment, output)
        .list(file, infra, new OffersService.Filter(gpus, instanceTypes, market))
        .code();
  }

  static final class MarketConverter extends WordConverter<Market> {
    MarketConverter() {
      super(List.of(Market.values()));
    }
  }
}
