package io.elastune.planner.cluster;

import io.elastune.core.allocation.PlanFault;
import io.elastune.core.allocation.PlanRules;
import io.elastune.core.job.Brackets;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.ListOptions;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.evaluate.PlannerInputs;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.TrialShape;
import io.elastune.planner.pool.PoolChoices;
import io.elastune.planner.sampled.PlanKind;
import io.elastune.planner.sampled.SampledPlanner;
import io.elastune.planner.sampled.WorkBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The plans of a fixed cluster (docs/searches.md, "Policies"), whose instances are held. With list
 * scheduling, a plan has the size of the trials of each group; another policy chooses them. Several
 * chains share the instances. Each offer is searched by itself.
 */
public final class ClusterChoices implements PlanKind<Plan> {
  /** The plans with shared instances that are sampled, the fastest ones for mean durations. */
  private static final int MOST_SAMPLED = 16;

  private final PlannerInputs inputs;
  private final Problem problem;
  private final int instances;
  private final PoolChoices pool;
  private final ChoiceSet choiceSet;

  public ClusterChoices(PlannerInputs inputs) {
    this.inputs = inputs;
    this.problem = inputs.problem();
    this.instances = problem.cluster().orElseThrow().instances();
    this.pool = new PoolChoices(inputs, List.of(), List.of());
    this.choiceSet = pool.choiceSet();
  }

  @Override
  public ChoiceSet choiceSet() {
    return choiceSet;
  }

  @Override
  public List<List<Plan>> statics() {
    return choiceSet.offerChoices().stream()
        .filter(this::isLargeEnough)
        .map(choice -> isConcurrent() ? shared(choice) : equal(choice))
        .toList();
  }

  private boolean isLargeEnough(OfferChoice choice) {
    return choice.maxInstances() >= instances;
  }

  private boolean isConcurrent() {
    return problem.workload().chains().size() > 1;
  }

  private List<Plan> shared(OfferChoice choice) {
    return pool.sizes(choice).isEmpty()
        ? List.of()
        : pool.heldOn(choice, instances).stream()
            .limit(MOST_SAMPLED)
            .map(candidate -> candidate.plan(problem.workload().groups(), true))
            .filter(this::isLegal)
            .toList();
  }

  /** Returns the plans with one size for all groups. */
  private List<Plan> equal(OfferChoice choice) {
    return shapes(choice)
        .map(this::equal)
        .filter(this::isLegal)
        .limit(problem.policy().choosesSizes() ? 1 : Long.MAX_VALUE)
        .toList();
  }

  private Plan equal(TrialShape shape) {
    Map<String, Allocation> allocations = new TreeMap<>();
    problem.workload().groups().forEach(group -> allocations.put(group.name(), allocation(shape)));
    return new Plan(true, allocations);
  }

  private Stream<TrialShape> shapes(OfferChoice choice) {
    return choiceSet.trialShapes().stream().filter(shape -> shape.offerChoice().equals(choice));
  }

  private Allocation allocation(TrialShape shape) {
    return new Allocation(
        shape.offerChoice().offer().name(), instances, shape.gpusPerTrial(), shape.trialsPerGpu());
  }

  private boolean isLegal(Plan plan) {
    return PlanRules.faults(problem, plan).isEmpty();
  }

  @Override
  public Plan plan(Plan candidate, boolean hold) {
    return candidate;
  }

  /** Groups run one after another: which size of a group is best depends little on the others. */
  @Override
  public int parts() {
    return problem.workload().groups().size();
  }

  /** Returns the plans with another size for one group. */
  @Override
  public List<Plan> neighbors(Plan from, int part) {
    if (isConcurrent() || problem.policy().choosesSizes()) {
      return List.of();
    }
    TrialGroup group = problem.workload().groups().get(part);
    return shapes(choice(from))
        .map(shape -> with(from, group, shape))
        .filter(plan -> !plan.equals(from) && isLegal(plan))
        .toList();
  }

  private Plan with(Plan plan, TrialGroup group, TrialShape shape) {
    Map<String, Allocation> allocations = new TreeMap<>(plan.allocations());
    allocations.put(group.name(), allocation(shape));
    return new Plan(true, allocations);
  }

  private OfferChoice choice(Plan plan) {
    String name = plan.of(problem.workload().groups().get(0)).offer();
    return choiceSet.offerChoices().stream()
        .filter(choice -> choice.offer().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** All instances boot, and are held until the training ends. */
  @Override
  public Bounds<Plan> bounds() {
    WorkBounds work = new WorkBounds(certain(), choiceSet.trialShapes(), false, false);
    ToDoubleFunction<OfferChoice> seconds =
        choice -> choice.readyAfterS() + work.trainingS(choice, instances);
    ToDoubleFunction<OfferChoice> usd =
        choice ->
            instances
                * choice.usdPerS()
                * (choice.billedByUse()
                    ? work.gpuS(choice) / (instances * choice.offer().gpus())
                    : choice.offer().bootS().mean() + work.trainingS(choice, instances));
    return new Bounds<>(
        plan -> seconds.applyAsDouble(choice(plan)),
        plan -> usd.applyAsDouble(choice(plan)),
        least(seconds),
        least(usd));
  }

  private double least(ToDoubleFunction<OfferChoice> value) {
    return choiceSet.offerChoices().stream()
        .filter(this::isLargeEnough)
        .mapToDouble(value)
        .min()
        .orElse(0);
  }

  /**
   * The groups of each chain. Of an asynchronous search only the units of the first rung are
   * certain, and none if it ends at a time, because how many trials start is unknown.
   */
  private List<List<TrialGroup>> certain() {
    if (problem.hyperSched().isPresent() || problem.workload().endsAtTime()) {
      return List.of();
    }
    return problem
        .workload()
        .rungs()
        .map(ClusterChoices::first)
        .orElseGet(() -> problem.workload().chains().stream().map(Chain::groups).toList());
  }

  private static List<List<TrialGroup>> first(RungRule rule) {
    int certain = Math.min(rule.trials(), rule.trained().orElse(rule.trials()));
    return List.of(List.of(new TrialGroup("r0", certain, 0, rule.target(0))));
  }

  @Override
  public String refusal() {
    List<String> reasons = new ArrayList<>(choiceSet.refusals());
    for (OfferChoice choice : choiceSet.offerChoices()) {
      reasons.add(
          choice.offer().name()
              + ": "
              + (isLargeEnough(choice)
                  ? noPlan(choice)
                  : "at most " + choice.maxInstances() + " of " + instances + " instances"));
    }
    return reasons.isEmpty() ? "there are no offers" : String.join("\n", reasons);
  }

  /** Returns what is wrong with the plan with the smallest size for all groups. */
  private String noPlan(OfferChoice choice) {
    return isConcurrent()
        ? "no measured size of a trial fits on one instance, which brackets that share instances"
            + " need; use brackets: sequential"
        : String.join(
            "; ",
            shapes(choice)
                .limit(1)
                .flatMap(shape -> PlanRules.faults(problem, equal(shape)).stream())
                .map(PlanFault::message)
                .distinct()
                .toList());
  }

  /**
   * Under another policy, shows what list scheduling would need; where brackets share the
   * instances, what they would need one after the other. Nothing if the search ends at a time: its
   * completion time does not show what it reaches.
   */
  @Override
  public List<Baseline> baselines() {
    if (problem.workload().endsAtTime()) {
      return List.of();
    }
    if (problem.policy().choosesSizes()) {
      FixedCluster list = new FixedCluster(instances, ListOptions.DEFAULT);
      return baseline(ListOptions.DEFAULT.word(), problem.withCluster(list));
    }
    return isConcurrent()
        ? baseline(Brackets.SEQUENTIAL.word(), PoolChoices.withOneChain(problem))
        : List.of();
  }

  private List<Baseline> baseline(String name, Problem other) {
    PlannerInputs with = inputs.with(other);
    return new SampledPlanner<>(with, new ClusterChoices(with)).fastest(name).stream().toList();
  }

  @Override
  public String remark(boolean isBestOfAll) {
    return problem.policy().choosesSizes()
        ? "a prediction; policy "
            + problem.policy().word()
            + " decides during the run, and the bound counts only the work"
        : "the sizes of each group were compared by sampling, and the bound counts only the work";
  }
}
