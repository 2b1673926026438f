package io.elastune.core.allocation;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** Checks the allocation of one trial group on its own. */
final class GroupRules {
  private static final String OFFER = "offer";
  private static final String INSTANCES = "instances";
  private static final String GPUS_PER_TRIAL = "gpus_per_trial";
  private static final String SPARE = "spare";
  private static final String TRIALS_PER_GPU = "trials_per_gpu";

  private final Problem problem;
  private final BiConsumer<String, String> fault;

  /** Creates the rules; every fault is passed to {@code fault} as (field, message). */
  GroupRules(Problem problem, BiConsumer<String, String> fault) {
    this.problem = problem;
    this.fault = fault;
  }

  void check(Allocation allocation) {
    Optional<Offer> offer = problem.offer(allocation.offer());
    if (offer.isEmpty()) {
      fault.accept(
          OFFER, "unknown offer " + allocation.offer() + "; use one of " + names(offers()));
      return;
    }
    int most = problem.limits().maxInstances();
    if (allocation.instances() > most) {
      fault.accept(
          INSTANCES,
          allocation.instances()
              + " instances exceed max_instances "
              + most
              + "; use fewer, or raise max_instances");
    }
    checkRange(allocation);
    checkSize(offer.get(), allocation);
    checkSpare(offer.get(), allocation);
    checkMeasured(offer.get(), allocation);
  }

  private void checkRange(Allocation allocation) {
    int gpus = allocation.gpusPerTrial();
    if (!problem.gpusPerTrial().contains(gpus)) {
      fault.accept(
          GPUS_PER_TRIAL,
          gpus
              + " GPUs per trial are outside the job's range "
              + problem.gpusPerTrial()
              + "; choose a size within it, or widen trial.gpus");
    }
  }

  private void checkSize(Offer offer, Allocation allocation) {
    int gpus = allocation.gpusPerTrial();
    if (!offer.isLegalSize(gpus)) {
      int below = gpus - gpus % offer.gpus();
      fault.accept(
          GPUS_PER_TRIAL,
          "must be at most the "
              + offer.gpus()
              + " GPUs of one "
              + offer.name()
              + ", or a multiple of "
              + offer.gpus()
              + ", not "
              + gpus
              + "; choose "
              + below
              + " or "
              + (below + offer.gpus()));
    } else if ((long) allocation.instances() * offer.gpus() < gpus) {
      fault.accept(
          INSTANCES,
          (long) allocation.instances() * offer.gpus()
              + " GPUs in "
              + allocation.instances()
              + " × "
              + offer.name()
              + " are too few for a trial with "
              + gpus
              + "; use at least "
              + SlotCounts.teamSize(offer, allocation)
              + " instances, or fewer GPUs per trial");
    }
  }

  private void checkSpare(Offer offer, Allocation allocation) {
    int team = SlotCounts.teamSize(offer, allocation);
    if (allocation.spare() > 0 && allocation.working() < team) {
      fault.accept(
          SPARE,
          "leaves "
              + Math.max(0, allocation.working())
              + " of "
              + allocation.instances()
              + " instances for a trial that needs "
              + team
              + "; use fewer spare instances, or more instances");
    }
  }

  private void checkMeasured(Offer offer, Allocation allocation) {
    Optional<Profile> found = problem.profile(offer);
    if (found.isEmpty()) {
      fault.accept(
          OFFER,
          "no profile was measured on "
              + offer.gpu()
              + ", the GPU of "
              + offer.name()
              + "; profiles exist for "
              + names(problem.profiles().keySet())
              + "; add one with --profile, or use another offer");
      return;
    }
    Profile profile = found.get();
    int gpus = allocation.gpusPerTrial();
    int sharing = allocation.trialsPerGpu();
    if (sharing > 1 && profile.secondsPerUnitSharing(sharing).isEmpty()) {
      fault.accept(
          TRIALS_PER_GPU,
          sharing
              + " trials per GPU were not measured on "
              + offer.gpu()
              + (profile.secondsBySharing().isEmpty()
                  ? ", and no other count was; omit trials_per_gpu, or measure this count"
                  : ", only "
                      + names(profile.secondsBySharing().keySet())
                      + "; choose a measured count, or measure this one"));
    } else if (sharing == 1 && profile.secondsPerUnit(gpus).isEmpty()) {
      fault.accept(
          GPUS_PER_TRIAL,
          gpus
              + " GPUs per trial are outside the measured range "
              + profile.secondsByGpus().firstKey()
              + ".."
              + profile.secondsByGpus().lastKey()
              + " of "
              + offer.gpu()
              + "; choose a size within it, or measure this one");
    }
  }

  private List<String> offers() {
    return problem.offers().stream().map(Offer::name).toList();
  }

  private static String names(Collection<?> names) {
    return names.isEmpty()
        ? "none"
        : names.stream().map(Object::toString).collect(Collectors.joining(", "));
  }
}
