package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.execute.ProfileSession;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Profiles a training program. */
@Command(
    name = "profile",
    header = "Measure a job's training program.",
    description = {
      "Executes short trials at the GPU counts that matter for the plan, and stores the profile.",
      "It ends when further measurements would not improve the plan by more than they cost.",
      "plan, simulate and run use the profile until it is older than the job's profile.reuse."
    },
    footer = {"", "Example:", "  elastune profile job.yaml -o profile.yaml"})
public final class ProfileCommand extends Subcommand {
  @Mixin private StartArguments start = new StartArguments();
  @Mixin private OverrideOptions overrides = new OverrideOptions();

  @Parameters(paramLabel = "job.yaml", description = "The job file.")
  private String job = "";

  @Option(
      names = {"-o", "--output"},
      order = 1,
      paramLabel = "FILE",
      description = "Also save the profile to a file.")
  private Optional<String> file = Optional.empty();

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    return new ProfileSession(cliEnvironment, output, start.toOptions())
        .profile(job, overrides.toOverrides(cliEnvironment), file)
        .code();
  }
}
