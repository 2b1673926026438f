package io.elastune.inputs;

import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.SilenceLimit;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.SpaceSize;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The inputs of planning: the job, its offers and its profiles.
 *
 * @param job the job file, with the overrides of the command line
 * @param workload the job's trial groups
 * @param catalog the source of the offers
 * @param allowed the offers that the job allows, at their discounted price and with their measured
 *     provisioning
 * @param profiles one per GPU model; empty if there is none
 * @param remarks notes about the inputs for the user
 * @param problem the planner's problem; empty without a profile
 * @param limits the limits of the planner's problem, even without a profile
 * @param cluster the fixed cluster of the planner's problem, even without a profile
 * @param at when the command started, from which the deadline counts
 */
@RecordBuilder
public record Inputs(
    LoadedFile<Job> job,
    Workload workload,
    LoadedFile<OfferCatalog> catalog,
    List<Offer> allowed,
    List<LoadedFile<Profile>> profiles,
    List<String> remarks,
    Optional<Problem> problem,
    Limits limits,
    Optional<FixedCluster> cluster,
    Instant at) {
  /**
   * The start of the remark about queueing and boot from the history. It is of interest to those
   * who compare predictions with results.
   */
  public static final String LEARNED_PROVISIONING = "queueing and boot of ";

  private static final double ROUNDING = 1e-9;

  public Inputs {
    allowed = List.copyOf(allowed);
    profiles = List.copyOf(profiles);
    remarks = List.copyOf(remarks);
  }

  /** Returns a copy with one more remark. */
  Inputs withRemark(String remark) {
    List<String> all = new ArrayList<>(remarks);
    all.add(remark);
    return InputsBuilder.builder(this).remarks(all).build();
  }

  /** Returns how many instances of an offer the limits, the quotas and this machine allow. */
  public int mostInstances(Offer offer) {
    double payable = Math.floor(limits.maxUsdPerHour() / offer.usdPerHour() + ROUNDING);
    return limits.quotas().stream()
        .mapToInt(quota -> quota.maxInstances(offer.name()))
        .reduce((int) Math.min(limits.maxInstances(), payable), Math::min);
  }

  /** Returns the planner's problem if these profiles, by GPU model, were the only ones. */
  public Problem problemWith(Map<String, Profile> known) {
    Job value = job.value();
    return new Problem(
            workload,
            allowed.stream().filter(offer -> known.containsKey(offer.gpu())).toList(),
            known,
            value.trial().gpus(),
            limits,
            value.runningCosts(workload),
            value.search().seed())
        .withSilence(SilenceLimit.of(value.trial().silence()))
        .withKeepAlive(value.trial().keepAlive());
  }

  /**
   * Returns the number of different configurations with which the trials start, at most; empty if
   * neither the search nor its space limits their number.
   */
  public OptionalInt distinctConfigurations() {
    int trials = workload.trials();
    return trials < RungRule.UNLIMITED
        ? OptionalInt.of(SpaceSize.distinct(job.value().search(), trials))
        : OptionalInt.empty();
  }
}
