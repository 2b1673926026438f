package io.elastune.inputs;

import io.elastune.core.billing.Billing;
import io.elastune.core.faults.DefaultFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.profile.Profile;
import io.elastune.profiler.History;
import io.elastune.profiler.history.AttemptCounts;
import io.elastune.profiler.history.HistoryException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Adds fault rates to profiles that state none, for offers that come from a cloud provider and not
 * from a file: the shipped rates of trials, combined with the failed attempts of the job's earlier
 * runs. The texts of the profiles stay, so that a saved plan is not stale after each run.
 */
final class CloudTrialRates {
  private final InputEnvironment environment;
  private final Job job;

  CloudTrialRates(InputEnvironment environment, Job job) {
    this.environment = environment;
    this.job = job;
  }

  /** Returns the profiles, with rates on the GPU models that cloud providers offer. */
  List<LoadedFile<Profile>> addTo(List<LoadedFile<Profile>> profiles, List<Offer> offers) {
    Set<String> rented =
        offers.stream()
            .filter(CloudFaultRates::isOfCloud)
            .map(Offer::gpu)
            .collect(Collectors.toSet());
    boolean complete =
        job.resources().offers().isPresent()
            || profiles.stream().noneMatch(profile -> lacksRates(profile.value(), rented));
    if (complete) {
      return profiles;
    }
    TrialFaultRates rates = rates(attempts());
    return profiles.stream()
        .map(
            profile ->
                lacksRates(profile.value(), rented)
                    ? profile.with(profile.value().withFaults(rates))
                    : profile)
        .toList();
  }

  private static boolean lacksRates(Profile profile, Set<String> rented) {
    return profile.faults().isNone() && rented.contains(profile.gpu());
  }

  private List<AttemptCounts> attempts() {
    try {
      return new History(environment.home(), environment.clock()).attempts(job.name());
    } catch (HistoryException e) {
      return List.of(); // the note on the rates of the offers says so
    }
  }

  /** Returns the shipped rates, combined with the attempts of earlier runs. */
  static TrialFaultRates rates(List<AttemptCounts> attempts) {
    int failed = attempts.stream().mapToInt(AttemptCounts::failed).sum();
    double seconds = attempts.stream().mapToDouble(AttemptCounts::exposureS).sum();
    return DefaultFaultRates.TRIALS.withObserved(
        failed, seconds / Billing.SECONDS_PER_HOUR, "own runs");
  }
}
