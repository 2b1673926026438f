package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.execute.CodeChoice;
import io.elastune.cli.execute.ResumeOptions;
import io.elastune.cli.execute.ResumeSession;
import io.elastune.core.config.Overrides;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Resumes a run. */
@Command(
    name = "resume",
    header = "Resume a run that was stopped or has crashed.",
    description = {
      "First queries the cloud for instances of the run, and reuses or releases them. Trials",
      "continue from their last checkpoints. The budget covers the whole run. The deadline counts",
      "from the first start, including the time between stop and resume. Asks for confirmation if",
      "prices have changed by more than 5%% since the plan was approved. Also asks which code to"
          + " use",
      "if the code in the workdir or the job file has changed; -y does not answer that, --code"
          + " does. The run keeps its own job, whatever the file contains now."
    },
    footer = {
      "",
      "Example:",
      "  elastune resume my-job-20261120-a1b2 --budget 60",
      "  elastune resume my-job-20261120-a1b2 --retry-failed --code current"
    })
public final class ResumeCommand extends Subcommand {
  @Mixin private StartArguments start = new StartArguments();
  @Mixin private DetachOptions detach = new DetachOptions();

  @Parameters(paramLabel = "RUN", description = "The run's name, or a unique prefix of it.")
  private String run = "";

  @Option(
      names = "--deadline",
      order = 50,
      paramLabel = "WHEN",
      description = "A new deadline: 3h from the run's first start, or a date-time.")
  private Optional<String> deadline = Optional.empty();

  @Option(
      names = "--budget",
      order = 51,
      paramLabel = "USD",
      description =
          "A new budget for the whole run, including what is already spent, in US dollars.")
  private Optional<String> budget = Optional.empty();

  @Option(
      names = "--code",
      order = 52,
      paramLabel = "VERSION",
      converter = CodeConverter.class,
      completionCandidates = CodeConverter.class,
      description =
          "snapshot: the code that the run has used so far; current: the present code of the"
              + " workdir, for all attempts from now on. Without this option, a prompt asks if the"
              + " code or the job file has changed.")
  private Optional<CodeChoice> code = Optional.empty();

  @Option(
      names = "--retry-failed",
      order = 53,
      description =
          "Train failed trials again, from their last checkpoints, e.g. after the program was"
              + " fixed. Trials that failed in an earlier group than the present one stay failed.")
  private boolean retryFailed;

  /** Converts the words of {@link CodeChoice}. */
  static final class CodeConverter extends WordConverter<CodeChoice> {
    CodeConverter() {
      super(List.of(CodeChoice.values()));
    }
  }

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    Overrides limits = Overrides.builder().deadline(deadline).budget(budget).build();
    return new ResumeSession(cliEnvironment, output, start.toOptions(detach))
        .resume(run, new ResumeOptions(limits, code, retryFailed))
        .code();
  }
}
