package io.elastune.cli.text;

import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.core.offer.Offer;
import io.elastune.inputs.Inputs;

/** Creates the error for a prediction without a profile. */
public final class MissingProfileMessage {
  private MissingProfileMessage() {}

  /** Prints the job's groups and offers, and returns the error. */
  public static CommandFailure failure(Inputs inputs, Output output) {
    new MissingProfileScreen(inputs).lines().forEach(output.text()::println);
    return CommandFailure.invalid(
        "profile",
        "no profile of this program is available, so nothing can be predicted",
        remedy(inputs));
  }

  /** Returns how to get a profile for the job's offers. */
  private static String remedy(Inputs inputs) {
    boolean simulated = inputs.allowed().stream().allMatch(Offer::isSimulated);
    if (simulated) {
      return "profiling is not possible in the simulated environment: run '"
          + JobCommand.of("profile", inputs.job().name())
          + "' with the infra of the real run, or pass --profile FILE";
    }
    String file = inputs.job().name();
    String estimate =
        JobCommand.file(file).isPresent()
            ? JobCommand.of("estimate", file) + " --unit-time 90s@MODEL"
            : "elastune.estimate(job, unit_time=\"90s@MODEL\")";
    return "run '"
        + JobCommand.of("profile", file)
        + "' to measure it, pass --profile FILE, or compare places with a time that you know: '"
        + estimate
        + "'";
  }
}
