package io.elastune.cli.screen;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.Problem;
import io.elastune.cli.wiring.Inputs;
import io.elastune.cli.world.Output;
import io.elastune.core.offer.Offer;

/** What is said where a prediction is asked for and nothing was measured. */
public final class Unmeasured {
  private Unmeasured() {}

  /** Shows what is known, and fails. */
  public static CommandFailure failure(Inputs inputs, Output output) {
    new UnmeasuredScreen(inputs).lines().forEach(output.people()::println);
    return CommandFailure.usage(
        Problem.of(
            "profile",
            "how fast the training is has not been measured, so nothing can be predicted",
            remedy(inputs)));
  }

  /** Measuring is for what can be rented here. */
  private static String remedy(Inputs inputs) {
    boolean simulated = inputs.allowed().stream().allMatch(Offer::inVirtualTime);
    if (simulated) {
      return "nothing can be measured in the simulated world: 'elastune profile "
          + inputs.job().name()
          + "' measures where it is to run, or give --profile FILE";
    }
    boolean local = inputs.allowed().stream().allMatch(offer -> offer.provider().equals("local"));
    return local
        ? "'elastune profile " + inputs.job().name() + "' measures it, or give --profile FILE"
        : "give --profile FILE";
  }
}
