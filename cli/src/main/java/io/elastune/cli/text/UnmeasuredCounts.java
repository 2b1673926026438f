package io.elastune.cli.text;

import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import java.util.ArrayList;
import java.util.List;

/** Names the GPU models on which trials might be faster with more GPUs than were measured. */
final class UnmeasuredCounts {
  private UnmeasuredCounts() {}

  /**
   * Returns a line for each GPU model of which the job allows more GPUs per trial than its profile
   * has. Plans use measured counts only.
   */
  static List<String> lines(Problem problem) {
    int most = problem.gpusPerTrial().high();
    List<String> lines = new ArrayList<>();
    for (Profile profile : problem.profiles().values()) {
      int measured = profile.secondsByGpus().lastKey();
      if (measured < most) {
        lines.add(
            "trials may use %d GPUs, but plans use measured counts only: at most %d on %s;"
                    .formatted(most, measured, profile.gpu())
                + " 'elastune profile' measures more where that may meet the deadline");
      }
    }
    return lines;
  }
}
