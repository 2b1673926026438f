package io.elastune.cli.command;

import io.elastune.cli.account.Checking;
import io.elastune.cli.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Looks whether a run could begin. */
@Command(
    name = "check",
    header = "Check settings, credentials, permissions, zones, quotas and clocks; spends nothing.",
    description = {
      "Exits with 0 if all is well, 15 if credentials or a permission are missing, 14 if capacity",
      "or a quota is, 2 if the settings are wrong."
    },
    footer = {"", "Example:", "  elastune check job.yaml"})
public final class CheckCommand implements Callable<Integer> {
  private final World world;
  @Mixin private CommonOptions common = new CommonOptions();

  @Parameters(
      arity = "0..1",
      paramLabel = "JOB",
      description = "What this job needs. Without it: what clouds.yaml names.")
  private Optional<String> job = Optional.empty();

  @Option(
      names = "--infra",
      split = ",",
      paramLabel = "PLACE",
      description = "There instead, e.g. aws/us-east-1,gcp/us-central1.")
  private List<String> infra = new ArrayList<>();

  public CheckCommand(World world) {
    this.world = world;
  }

  @Override
  public Integer call() {
    return new Checking(world, common.output(world)).check(job, infra).code();
  }
}
