package io.elastune.executor.decision.model;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The retry of failed trials, as part of a resume. In each chain, the failed trials of the group in
 * progress wait again, with no failed attempts. If no group is in progress, the last one that ended
 * is reopened: its trials are ranked again when the failed ones have reached its end. Trials that
 * failed in an earlier group stay failed, because the trials of later groups were chosen without
 * them.
 *
 * @param state the state with the failed trials waiting
 * @param retried numbers of the trials that are retried
 * @param kept numbers of the trials that stay failed
 */
public record FailedTrialRetry(RunState state, List<Integer> retried, List<Integer> kept) {
  public FailedTrialRetry {
    retried = List.copyOf(retried);
    kept = List.copyOf(kept);
  }

  /** Returns the retry of the failed trials of a run without a controller. */
  public static FailedTrialRetry of(RunState before) {
    List<ChainState> chains = new ArrayList<>();
    SortedMap<Integer, TrialState> trials = new TreeMap<>(before.trials());
    List<Integer> retried = new ArrayList<>();
    for (ChainState chain : before.chains()) {
      List<Integer> failed = chain.members().stream().filter(m -> isFailed(before, m)).toList();
      retried.addAll(failed);
      if (failed.isEmpty() || chain.hasGroupInProgress()) {
        chains.add(chain);
      } else {
        chains.add(chain.reopened());
        chain.members().forEach(m -> trials.computeIfPresent(m, FailedTrialRetry::waiting));
      }
      failed.forEach(m -> trials.computeIfPresent(m, (number, trial) -> trial.forgiven()));
    }
    List<Integer> kept =
        before.trials().keySet().stream()
            .filter(trial -> isFailed(before, trial) && !retried.contains(trial))
            .toList();
    return new FailedTrialRetry(before.with(chains, trials), retried, kept);
  }

  private static boolean isFailed(RunState state, int trial) {
    TrialState known = state.trials().get(trial);
    return known != null && known.status() == TrialState.Status.FAILED;
  }

  private static TrialState waiting(int number, TrialState trial) {
    return trial.as(TrialState.Status.WAITING);
  }
}
