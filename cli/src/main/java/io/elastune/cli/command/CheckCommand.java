package io.elastune.cli.command;

import io.elastune.cli.account.CheckService;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks whether a run could start. */
@Command(
    name = "check",
    header =
        "Check settings, credentials, permissions, zones, quotas and clock skew; costs nothing.",
    description = {
      "Exits with 0 if no check fails, 15 if credentials or permissions are missing, 14 if",
      "capacity or quota is missing, 2 if the settings are invalid. What the cloud does not",
      "report is unknown, with a link or a command to look it up; it does not fail the check."
    },
    footer = {"", "Example:", "  elastune check job.yaml"})
public final class CheckCommand extends Subcommand {
  @Mixin private ResourceOptions resources = new ResourceOptions();

  @Parameters(
      arity = "0..1",
      paramLabel = "JOB",
      description = "Check what this job needs. Default: everything in clouds.yaml.")
  private Optional<String> job = Optional.empty();

  @Option(
      names = "--infra",
      split = ",",
      paramLabel = "PLACE",
      description = "Check these locations instead, e.g. aws/us-east-1,gcp/us-central1.")
  private List<String> infra = new ArrayList<>();

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    return new CheckService(cliEnvironment, output)
        .check(job, infra, resources.overrides().build())
        .code();
  }
}
