package io.elastune.cli.command;

import io.elastune.cli.account.OrphanService;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the instances with Elastune tags and terminates expired ones. */
@Command(
    name = "orphans",
    header = "List the Elastune instances of all owners and terminate expired ones.",
    description = {
      "Queries only the clouds; needs no local files of a run. An instance is expired if no",
      "controller has renewed its expiry. Exits with 20 if a cloud does not confirm that the",
      "instances are terminated, or if one of several clouds or clusters cannot be queried."
    },
    footer = {
      "",
      "Example:",
      "  elastune orphans",
      "  elastune orphans --infra aws/us-east-1 --delete"
    })
public final class OrphansCommand extends Subcommand {
  @Option(
      names = "--infra",
      split = ",",
      paramLabel = "PLACE",
      description =
          "Only these locations, e.g. aws/us-east-1,gcp/us-central1. Default: all regions of all"
              + " accounts.")
  private List<String> infra = new ArrayList<>();

  @Option(
      names = "--delete",
      description = "Terminate the expired instances, and wait until they are terminated.")
  private boolean delete;

  @Option(
      names = "--all",
      description =
          "With --delete: also terminate unexpired instances, which controllers still renew.")
  private boolean all;

  @Option(
      names = {"-y", "--yes"},
      description = "Terminate without confirmation.")
  private boolean yes;

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    OrphanService orphanService = new OrphanService(cliEnvironment, output, infra);
    return (delete ? orphanService.delete(all, yes) : orphanService.list()).code();
  }
}
