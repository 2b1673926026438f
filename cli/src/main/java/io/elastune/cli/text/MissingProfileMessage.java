package io.elastune.cli.text;

import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.cli.input.Inputs;
import io.elastune.core.offer.Offer;

/** Creates the error for a prediction without a profile. */
public final class MissingProfileMessage {
  private MissingProfileMessage() {}

  /** Prints the job's groups and offers, and returns the error. */
  public static CommandFailure failure(Inputs inputs, Output output) {
    new MissingProfileScreen(inputs).lines().forEach(output.text()::println);
    return CommandFailure.usage(
        ErrorDetail.of(
            "profile",
            "no profile of this program is available, so nothing can be predicted",
            remedy(inputs)));
  }

  /** Returns how to get a profile for the job's offers. */
  private static String remedy(Inputs inputs) {
    boolean simulated = inputs.allowed().stream().allMatch(Offer::isSimulated);
    if (simulated) {
      return "profiling is not possible in the simulated environment: run 'elastune profile "
          + inputs.job().name()
          + "' with the infra of the real run, or pass --profile FILE";
    }
    boolean local = inputs.allowed().stream().allMatch(offer -> offer.provider().equals("local"));
    return local
        ? "run 'elastune profile " + inputs.job().name() + "' to measure it, or pass --profile FILE"
        : "pass --profile FILE; to assume a time, write the file by hand, e.g. \"training: [{gpus: 1,"
            + " seconds: 90}]\" (docs/job-file.md#profile-file)";
  }
}
