package io.elastune.executor.rehearsal;

import io.elastune.core.allocation.SlotCounts;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.simulation.AttemptBehavior;
import io.elastune.executor.simulation.AttemptScript;
import io.elastune.executor.simulation.ProvisioningDelays;
import io.elastune.executor.simulation.SimulatedEnvironment;
import io.elastune.executor.simulation.TrainingModel;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.simulator.SampledDraws;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Models the environment of one sample of the simulator: trial durations, queueing times and boot
 * times are those of the sample. Which trials continue may differ: durations belong to a trial's
 * position in its group, not to the trial.
 */
final class SampleEnvironment implements TrainingModel, ProvisioningDelays {
  private final Problem problem;
  private final Plan plan;
  private final SampledDraws draws;
  private final int sample;
  private final Supplier<RunState> state;

  // By attempt: its position in its group, in slot order.
  private final Map<String, Integer> positions = new HashMap<>();
  // By group: number of started attempts.
  private final Map<String, Integer> started = new HashMap<>();
  // By trial: what its metric follows from, the least being the best.
  private final Map<Integer, Double> scores = new HashMap<>();

  private SampleEnvironment(
      Problem problem, Plan plan, SampledDraws draws, int sample, Supplier<RunState> state) {
    this.problem = problem;
    this.plan = plan;
    this.draws = draws;
    this.sample = sample;
    this.state = state;
  }

  /** Creates environments by sample number. */
  static Rehearsal.EnvironmentFactory factory(Problem problem, Plan plan, SampledDraws draws) {
    return (sample, state) -> {
      SampleEnvironment world = new SampleEnvironment(problem, plan, draws, (int) sample, state);
      return new SimulatedEnvironment(world, world);
    };
  }

  @Override
  public AttemptScript script(AttemptSpec attempt, Offer offer) {
    AttemptState started = state.get().attempts().get(attempt.attempt());
    Chain chain = problem.workload().chains().get(started.chain());
    TrialGroup group =
        chain.groups().stream()
            .filter(one -> one.name().equals(started.group()))
            .findFirst()
            .orElseThrow();
    int trial = position(started);
    scores.put(
        started.trial(),
        isDrawn(chain, group, offer) ? draws.promotionKey(group, trial, sample) : rank(started));
    double slowness =
        attempt.workers().stream()
            .map(AttemptSpec.Worker::lease)
            .mapToDouble(lease -> slowness(chain, lease, offer))
            .max()
            .orElseThrow();
    double factor = draws.factor(group, trial, offer, sample) * slowness;
    return new AttemptScript(
        draws.startupS(group, trial, offer, sample),
        secondsPerUnit(plan.of(group), offer) * factor,
        0,
        1,
        AttemptBehavior.NORMAL);
  }

  /**
   * Whether the sample draws the trials that continue after {@code group}, because instances differ
   * in speed and have more slots than the next group needs. Otherwise those on the lowest instances
   * continue, which then are the ones that are used again.
   */
  private boolean isDrawn(Chain chain, TrialGroup group, Offer offer) {
    int next = chain.groups().indexOf(group) + 1;
    if (next == chain.groups().size() || offer.billing().per() == BillingTerms.Per.USE) {
      return false;
    }
    Profile profile = problem.profile(offer).orElseThrow();
    TrialGroup following = chain.groups().get(next);
    Allocation allocation = plan.of(following);
    int slots = SlotCounts.teams(offer, allocation) * SlotCounts.trialsPerTeam(offer, allocation);
    return slots > following.trials()
        && (profile.instanceCv() > 0 || profile.instanceStraggler().probability() > 0);
  }

  /**
   * The simulator assigns trials to slots in slot order; the executor leaves trials where they are.
   * Draws therefore follow the slots: of the attempts started at the same time, the first in slot
   * order gets the draws of the simulator's next trial, and so on.
   */
  private int position(AttemptState attempt) {
    if (!positions.containsKey(attempt.attempt())) {
      state.get().attempts().values().stream()
          .filter(one -> one.group().equals(attempt.group()))
          .filter(one -> !positions.containsKey(one.attempt()))
          .sorted(
              Comparator.comparingInt(this::rank)
                  .thenComparingInt(one -> one.places().get(0).gpu()))
          .forEach(
              one -> positions.put(one.attempt(), started.merge(one.group(), 1, Integer::sum) - 1));
    }
    return positions.get(attempt.attempt());
  }

  /**
   * Of slots that become free at the same time, the one on the instance with the lowest number is
   * first.
   */
  private int rank(AttemptState attempt) {
    return attempt.places().stream()
        .mapToInt(gpuSlot -> number(lease(gpuSlot.lease())))
        .min()
        .orElseThrow();
  }

  private double secondsPerUnit(Allocation allocation, Offer offer) {
    Profile profile = problem.profile(offer).orElseThrow();
    return profile
        .secondsPerUnit(allocation.gpusPerTrial(), allocation.trialsPerGpu())
        .orElseThrow();
  }

  private double slowness(Chain chain, String lease, Offer offer) {
    return draws.slowness(chain.name(), number(lease(lease)), offer, sample);
  }

  private LeaseState lease(String id) {
    return state.get().leases().values().stream()
        .filter(lease -> lease.lease().equals(id))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the index of the lease in its chain, from 0. */
  private int number(LeaseState lease) {
    return (int)
        state.get().leases().values().stream()
            .filter(one -> one.pool() == lease.pool() && one.number() < lease.number())
            .count();
  }

  @Override
  public double queueS(LeaseRequest request) {
    LeaseState lease = lease(request.lease());
    return draws.queueS(chain(lease), number(lease), request.offer(), sample);
  }

  @Override
  public double bootS(LeaseRequest request) {
    LeaseState lease = lease(request.lease());
    return draws.bootS(chain(lease), number(lease), request.offer(), sample);
  }

  private String chain(LeaseState lease) {
    return problem.workload().chains().get(lease.pool()).name();
  }

  @Override
  public Map<String, Double> metrics(int trial, int unit) {
    return Map.of("acc", 1 / (1 + scores.getOrDefault(trial, 0.0)));
  }
}
