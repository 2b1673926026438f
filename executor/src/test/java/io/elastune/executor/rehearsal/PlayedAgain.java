package io.elastune.executor.rehearsal;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.executor.core.AttemptState;
import io.elastune.executor.core.LeaseState;
import io.elastune.executor.core.RunState;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.world.Conduct;
import io.elastune.executor.world.Course;
import io.elastune.executor.world.SimulatedWorld;
import io.elastune.executor.world.Training;
import io.elastune.executor.world.Waits;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.simulator.SampledDraws;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The world of one of a prediction's samples: each trial takes as long, and each instance comes as
 * late, as it did there. Which trials go on is left to chance, for it changes no duration: those
 * belong to a trial's place in its group.
 */
final class PlayedAgain implements Training, Waits {
  private final Problem problem;
  private final Plan plan;
  private final SampledDraws draws;
  private final int sample;
  private final Supplier<RunState> state;

  // By attempt: the how manieth of its group it is in the order of places.
  private final Map<String, Integer> turns = new HashMap<>();
  // By group: how many have started.
  private final Map<String, Integer> started = new HashMap<>();
  // By trial: the number of the instance that it was on last.
  private final Map<Integer, Integer> placed = new HashMap<>();

  private PlayedAgain(
      Problem problem, Plan plan, SampledDraws draws, int sample, Supplier<RunState> state) {
    this.problem = problem;
    this.plan = plan;
    this.draws = draws;
    this.sample = sample;
    this.state = state;
  }

  /** Worlds by the number of the sample. */
  static Rehearsal.Worlds worlds(Problem problem, Plan plan, SampledDraws draws) {
    return (sample, state) -> {
      PlayedAgain world = new PlayedAgain(problem, plan, draws, (int) sample, state);
      return new SimulatedWorld(world, world);
    };
  }

  @Override
  public Course course(AttemptSpec attempt, Offer offer) {
    AttemptState started = state.get().attempts().get(attempt.attempt());
    Chain chain = problem.workload().chains().get(started.chain());
    TrialGroup group =
        chain.groups().stream()
            .filter(one -> one.name().equals(started.group()))
            .findFirst()
            .orElseThrow();
    int trial = turn(started);
    placed.put(started.trial(), rank(started));
    double slowness =
        attempt.workers().stream()
            .map(AttemptSpec.Worker::lease)
            .mapToDouble(lease -> slowness(chain, lease, offer))
            .max()
            .orElseThrow();
    double factor = draws.factor(group, trial, offer, sample) * slowness;
    return new Course(
        draws.startupS(group, trial, offer, sample),
        secondsPerUnit(plan.of(group), offer) * factor,
        0,
        1,
        Conduct.WELL);
  }

  /**
   * The model has trials take slots in the order of slots; the executor leaves trials where they
   * are, so that slots are taken by others. Luck goes with the slot: the first of those started at
   * one moment has the luck of the model's next trial, and so on.
   */
  private int turn(AttemptState attempt) {
    if (!turns.containsKey(attempt.attempt())) {
      state.get().attempts().values().stream()
          .filter(one -> one.group().equals(attempt.group()))
          .filter(one -> !turns.containsKey(one.attempt()))
          .sorted(
              Comparator.comparingInt(this::rank)
                  .thenComparingInt(one -> one.places().get(0).gpu()))
          .forEach(
              one -> turns.put(one.attempt(), started.merge(one.group(), 1, Integer::sum) - 1));
    }
    return turns.get(attempt.attempt());
  }

  /** Of slots that are free equally early, the one on the lowest instance comes first. */
  private int rank(AttemptState attempt) {
    return attempt.places().stream()
        .mapToInt(place -> number(lease(place.lease())))
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

  /** Which of its chain's leases it is, from 0. */
  private int number(LeaseState lease) {
    return (int)
        state.get().leases().values().stream()
            .filter(one -> one.chain() == lease.chain() && one.number() < lease.number())
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
    return problem.workload().chains().get(lease.chain()).name();
  }

  @Override
  public Map<String, Double> metrics(int trial, int unit) {
    return Map.of("acc", 1.0 / (1 + placed.getOrDefault(trial, 0)));
  }
}
