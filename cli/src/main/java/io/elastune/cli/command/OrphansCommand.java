package io.elastune.cli.command;

import io.elastune.cli.account.Orphans;
import io.elastune.cli.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Finds instances that nobody looks after, and ends them. */
@Command(
    name = "orphans",
    header = "List instances with Elastune's tags, whoever rented them, and end those left over.",
    description = {
      "Asks the clouds only: no file of any run is needed. An instance is expired when its",
      "controller has not put its time off: nobody looks after it. Exits with 20 if the clouds",
      "cannot say that all have ended."
    },
    footer = {"", "Example:", "  elastune orphans --infra aws/us-east-1 --delete"})
public final class OrphansCommand implements Callable<Integer> {
  private final World world;
  @Mixin private CommonOptions common = new CommonOptions();

  @Option(
      names = "--infra",
      split = ",",
      paramLabel = "PLACE",
      description =
          "Only there, e.g. aws/us-east-1,gcp/us-central1. Default: all regions of all accounts.")
  private List<String> infra = new ArrayList<>();

  @Option(names = "--delete", description = "End the expired ones, and wait until they have ended.")
  private boolean delete;

  @Option(
      names = "--all",
      description = "With --delete: also those that a controller still looks after.")
  private boolean all;

  @Option(
      names = {"-y", "--yes"},
      description = "End them without being asked.")
  private boolean yes;

  public OrphansCommand(World world) {
    this.world = world;
  }

  @Override
  public Integer call() {
    Orphans orphans = new Orphans(world, common.output(world), infra);
    return (delete ? orphans.delete(all, yes) : orphans.list()).code();
  }
}
