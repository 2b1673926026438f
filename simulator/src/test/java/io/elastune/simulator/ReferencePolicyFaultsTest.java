package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.allocation.FluidRules;
import io.elastune.core.allocation.HyperSchedRules;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.FluidOptions;
import io.elastune.core.policy.FluidPolicy;
import io.elastune.core.policy.FluidRule;
import io.elastune.core.policy.HermesOptions;
import io.elastune.core.policy.HermesPolicy;
import io.elastune.core.policy.HyperSchedOptions;
import io.elastune.core.policy.HyperSchedPolicy;
import io.elastune.core.policy.HyperSchedRule;
import io.elastune.core.policy.HyperSchedState;
import io.elastune.core.policy.PolicyOptions;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.policy.TaskSource;
import io.elastune.core.policy.Width;
import io.elastune.core.policy.WidthSeconds;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProfileBuilder;
import io.elastune.core.properties.Tier;
import io.elastune.core.search.NewTrials;
import io.elastune.core.search.RungTaskSource;
import io.elastune.core.search.SearchDecision.Train;
import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.draw.DrawTable;
import io.elastune.simulator.fault.TornCheckpoints;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.sample.SamplingLimit;
import io.elastune.simulator.timeline.CompiledRungPlan;
import io.elastune.simulator.timeline.LossDraws;
import io.elastune.simulator.timeline.RungDraws;
import io.elastune.simulator.timeline.RungLosses;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Compares samples of clusters that policies divide with those of a slow implementation, with and
 * without faults.
 */
class ReferencePolicyFaultsTest {
  private static final int JOBS = Tier.runs(32, 200);
  private static final int SAMPLES = RandomProblems.samples(3);
  private static final Offset<Double> ROUNDING = within(1e-6);

  @Test
  void agreesOnGroupsUnderFluid() {
    compare(ReferencePolicyFaultsTest::ofFluid, ReferencePolicyFaultsTest::fluid);
  }

  @Test
  void agreesOnHermes() {
    compare(ReferencePolicyFaultsTest::ofHermes, ReferencePolicyFaultsTest::hermes);
  }

  @Test
  void agreesOnRungsUnderFluid() {
    compare(ReferencePolicyFaultsTest::ofFluidRungs, ReferencePolicyFaultsTest::fluidRungs);
  }

  @Test
  void agreesOnHyperSched() {
    compare(ReferencePolicyFaultsTest::ofHyperSched, ReferencePolicyFaultsTest::hyperSched);
  }

  private interface Jobs {
    Problem of(Problem random, Random draw);
  }

  private interface References {
    ReferencePolicyFaults<?> of(Problem problem, Plan plan, Draws draws, int sample);
  }

  private static void compare(Jobs jobs, References references) {
    int different = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      RandomProblems random = new RandomProblems(seed, seed % 4 > 0);
      Problem any = random.problem();
      Problem one = any.with(List.of(any.offers().get(0)), saving(any.profiles(), seed));
      Problem without = jobs.of(one, new Random(seed));
      Problem with = random.withFaults(without);
      double[] plain = compare("without faults, seed " + seed, without, references);
      double[] faulty = compare("with faults, seed " + seed, with, references);
      different += DoubleStream.of(plain).sum() != DoubleStream.of(faulty).sum() ? 1 : 0;
    }
    assertThat(different).isGreaterThan(JOBS / 3);
  }

  private static double[] compare(String name, Problem problem, References references) {
    Plan plan = plan(problem);
    Draws draws = new Draws(problem, SAMPLES);
    JointSamples samples = new Simulator(problem, SAMPLES).sample(plan);
    for (int sample = 0; sample < draws.samples(); sample++) {
      ReferencePolicyFaults<?> slow = references.of(problem, plan, draws, sample);
      String where = name + ", sample " + sample + ", plan " + plan;
      assertThat(samples.completionS()[sample]).as(where).isCloseTo(slow.run(), ROUNDING);
      assertThat(samples.costUsd()[sample]).as(where).isCloseTo(slow.costUsd(), ROUNDING);
    }
    return samples.completionS();
  }

  private static Map<String, Profile> saving(Map<String, Profile> profiles, long seed) {
    Map<String, Profile> saving = new TreeMap<>();
    Spread checkpointS = new Spread(seed % 3, 0);
    profiles.forEach(
        (gpu, profile) ->
            saving.put(gpu, ProfileBuilder.builder(profile).checkpointS(checkpointS).build()));
    return saving;
  }

  private static Plan plan(Problem problem) {
    int instances = problem.cluster().orElseThrow().instances();
    Allocation each = new Allocation(problem.offers().get(0).name(), instances, 1, 1);
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    if (problem.workload().rungs().isPresent()) {
      allocations.put(Workload.OPEN, each);
      allocations.put(Workload.CLOSING, each);
    } else {
      problem.workload().groups().forEach(group -> allocations.put(group.name(), each));
    }
    return new Plan(true, allocations);
  }

  private static Problem cluster(Problem problem, Random draw, PolicyOptions options) {
    return problem.withCluster(new FixedCluster(1 + draw.nextInt(4), options));
  }

  private static FluidOptions fluid(Random draw) {
    return new FluidOptions(
        draw.nextInt(4) > 0,
        draw.nextInt(4) == 0 ? OptionalInt.of(1 + draw.nextInt(3)) : OptionalInt.empty(),
        OptionalInt.empty(),
        FluidOptions.DEFAULT_SHARE_GAIN,
        Optional.empty());
  }

  private static List<TrialGroup> groups(Random draw, int groups) {
    List<TrialGroup> made = new ArrayList<>();
    int unit = 0;
    for (int group = 1; group <= groups; group++) {
      int next = unit + 1 + draw.nextInt(9);
      made.add(new TrialGroup(Integer.toString(group), 1 + draw.nextInt(25), unit, next));
      unit = next;
    }
    return made;
  }

  private static Problem ofFluid(Problem random, Random draw) {
    Workload workload = new Workload(List.of(new Chain("", groups(draw, 1 + draw.nextInt(3)))));
    return cluster(random.withWorkload(workload), draw, fluid(draw));
  }

  private static ReferencePolicyFaults<?> fluid(
      Problem problem, Plan plan, Draws draws, int sample) {
    FluidRule rule = FluidRules.of(problem, problem.offers().get(0));
    WidthSeconds seconds = FluidRules.seconds(profile(problem));
    return new ReferencePolicyFaults<>(
        problem,
        problem.offers().get(0),
        draws,
        sample,
        new FluidPolicy(rule, seconds),
        new Groups(problem, draws, sample),
        seconds,
        slowestUnitS(rule, seconds),
        (trial, unit) -> Double.NaN,
        PolicyView.Timing.NONE,
        Double.POSITIVE_INFINITY);
  }

  private static double slowestUnitS(FluidRule rule, WidthSeconds seconds) {
    double shared = rule.share() > 1 ? seconds.perUnit(Width.shared(rule.share())) : 0;
    return rule.sizes().stream()
        .mapToDouble(size -> seconds.perUnit(Width.of(size)))
        .reduce(shared, Math::max);
  }

  private static Problem ofHermes(Problem random, Random draw) {
    Workload workload = new Workload(List.of(new Chain("", groups(draw, 1))));
    HermesOptions options =
        new HermesOptions(1 + draw.nextInt(4), 2 + draw.nextInt(3), draw.nextBoolean());
    return cluster(random.withWorkload(workload), draw, options);
  }

  private static ReferencePolicyFaults<?> hermes(
      Problem problem, Plan plan, Draws draws, int sample) {
    HermesOptions options = problem.hermes().orElseThrow();
    WidthSeconds seconds = FluidRules.seconds(profile(problem));
    LossDraws.Sampled losses =
        LossDraws.of(
                RankModel.of(problem),
                draws.qualities(problem.workload().trials()),
                options.isMinimized())
            .of(sample);
    return new ReferencePolicyFaults<>(
        problem,
        problem.offers().get(0),
        draws,
        sample,
        new HermesPolicy(options.rule()),
        new Groups(problem, draws, sample),
        seconds,
        seconds.perUnit(Width.of(1)),
        (trial, unit) -> losses.loss(trial + 1, unit),
        PolicyView.Timing.NONE,
        Double.POSITIVE_INFINITY);
  }

  private static RungRule rungs(Random draw, RungRule.Variant variant) {
    int eta = 2 + draw.nextInt(3);
    List<Integer> targets = new ArrayList<>(List.of(1 + draw.nextInt(2)));
    for (int rung = 1 + draw.nextInt(2); rung > 0; rung--) {
      targets.add(targets.get(targets.size() - 1) * eta);
    }
    boolean isStopping = variant == RungRule.Variant.STOPPING;
    return new RungRule(
        targets,
        1 + draw.nextInt(30),
        eta,
        variant,
        !isStopping && draw.nextBoolean(),
        !isStopping && draw.nextInt(3) == 0
            ? OptionalInt.of(1 + draw.nextInt(6))
            : OptionalInt.empty(),
        OptionalInt.empty(),
        false);
  }

  private static Problem ofFluidRungs(Problem random, Random draw) {
    RungRule rule = rungs(draw, RungRule.Variant.PROMOTION);
    RungRule bracketed = rule.withBrackets(1 + draw.nextInt(rule.targets().size()));
    return cluster(random.withWorkload(Workload.of(bracketed)), draw, fluid(draw));
  }

  private static ReferencePolicyFaults<?> fluidRungs(
      Problem problem, Plan plan, Draws draws, int sample) {
    FluidRule rule = FluidRules.of(problem, problem.offers().get(0));
    WidthSeconds seconds = FluidRules.seconds(profile(problem));
    return new ReferencePolicyFaults<>(
        problem,
        problem.offers().get(0),
        draws,
        sample,
        FluidPolicy.ofOpenGroup(rule, seconds),
        new Rungs(problem, plan, draws, sample),
        seconds,
        slowestUnitS(rule, seconds),
        (trial, unit) -> Double.NaN,
        PolicyView.Timing.NONE,
        Double.POSITIVE_INFINITY);
  }

  private static Problem ofHyperSched(Problem random, Random draw) {
    RungRule rule = rungs(draw, RungRule.Variant.STOPPING);
    HyperSchedOptions options = new HyperSchedOptions(1.1, 1 + draw.nextInt(3), draw.nextBoolean());
    Limits limits =
        new Limits(
            OptionalDouble.of(60 + draw.nextInt(1000)),
            OptionalDouble.empty(),
            0.95,
            64,
            Double.POSITIVE_INFINITY);
    return cluster(random.withWorkload(Workload.of(rule)).withLimits(limits), draw, options);
  }

  private static ReferencePolicyFaults<?> hyperSched(
      Problem problem, Plan plan, Draws draws, int sample) {
    RungRule rungs = problem.workload().rungs().orElseThrow();
    HyperSchedRule rule = HyperSchedRules.of(problem, problem.offers().get(0));
    Profile profile = profile(problem);
    WidthSeconds seconds = FluidRules.seconds(profile);
    LossDraws.Sampled losses =
        LossDraws.ofRungs(
                RankModel.of(problem),
                rungs,
                RungLosses.Tables.of(rungs, draws),
                problem.hyperSched().orElseThrow().isMinimized())
            .of(sample);
    Trials trials = new Trials(problem, draws, sample);
    ReferencePolicyFaults<HyperSchedState> reference =
        new ReferencePolicyFaults<>(
            problem,
            problem.offers().get(0),
            draws,
            sample,
            new HyperSchedPolicy(rule, seconds),
            trials,
            seconds,
            rule.sizes().stream()
                .mapToDouble(size -> seconds.perUnit(Width.of(size)))
                .max()
                .orElseThrow(),
            losses::loss,
            HyperSchedRules.timing(0, profile, rule),
            problem.limits().deadlineS().orElseThrow());
    trials.reference = reference;
    return reference;
  }

  private static Profile profile(Problem problem) {
    return problem.profile(problem.offers().get(0)).orElseThrow();
  }

  private static ReferenceTasks.Numbers numbers(
      Draws draws, TrialGroup group, Profile profile, int column, boolean isResumed) {
    TornCheckpoints.Tables torn = draws.torn(group, profile);
    return new ReferenceTasks.Numbers(
        draws.trialFaults(group),
        draws.trialFaultStreams(group),
        torn.counts(),
        torn.stops(),
        torn.streams(),
        column,
        isResumed);
  }

  private static double draw(DrawTable table, int sample, int column) {
    DrawReader reader = new DrawReader(table);
    int first = reader.offset(sample);
    return reader.values()[first + column];
  }

  /** Trial groups, one after the other. */
  private static final class Groups implements ReferenceTasks {
    private final List<TrialGroup> groups;
    private final Profile profile;
    private final Draws draws;
    private final int sample;
    private int present;
    private int issued;
    private int left;

    Groups(Problem problem, Draws draws, int sample) {
      groups = problem.workload().groups();
      profile = profile(problem);
      this.draws = draws;
      this.sample = sample;
      left = groups.get(0).trials();
    }

    @Override
    public String group() {
      return groups.get(present).name();
    }

    @Override
    public List<Job> issue(double nowS, int unfinished) {
      if (issued > present) {
        return List.of();
      }
      issued = present + 1;
      TrialGroup group = groups.get(present);
      return IntStream.range(0, group.trials())
          .mapToObj(
              trial ->
                  new Job(
                      trial,
                      group,
                      numbers(draws, group, profile, trial, !group.fromScratch()),
                      draw(draws.startups(group, profile), sample, trial),
                      draw(draws.trials(group, profile), sample, trial),
                      true))
          .toList();
    }

    @Override
    public void ended(Job job) {
      left--;
      if (left == 0) {
        present++;
        left = present < groups.size() ? groups.get(present).trials() : 0;
      }
    }

    @Override
    public boolean hasEnded() {
      return present == groups.size();
    }
  }

  /** An asynchronous search. */
  private static final class Rungs implements ReferenceTasks {
    private final RungRule rule;
    private final CompiledRungPlan plan;
    private final RungDraws own;
    private final Draws draws;
    private final Profile profile;
    private final RungTaskSource source;

    Rungs(Problem problem, Plan of, Draws draws, int sample) {
      rule = problem.workload().rungs().orElseThrow();
      profile = profile(problem);
      this.draws = draws;
      plan = new CompiledRungPlan(problem, of, draws, RankModel.of(problem));
      own = new RungDraws(plan, SamplingLimit.NONE.counter());
      own.select(sample);
      int gpus = problem.cluster().orElseThrow().instances() * problem.offers().get(0).gpus();
      source = new RungTaskSource(rule, gpus, own);
    }

    @Override
    public String group() {
      return FluidPolicy.OPEN_GROUP;
    }

    @Override
    public List<Job> issue(double nowS, int unfinished) {
      return source.issue(nowS, unfinished).stream().map(this::job).toList();
    }

    private Job job(TaskSource.Task issued) {
      Train task = source.task(issued.trial());
      boolean startsLater =
          task.rung() > 0
              && rule.brackets() > 1
              && rule.shares().bracket(task.trial()) == task.rung();
      TrialGroup group =
          startsLater ? rule.laterStarts().get(task.rung() - 1) : rule.rungs().get(task.rung());
      double factor =
          own.workS(task.trial(), task.rung(), task.from(), task.to(), 1) / issued.units();
      TrialGroup trained = new TrialGroup(group.name(), group.trials(), task.from(), task.to());
      return new Job(
          task.trial(),
          trained,
          numbers(draws, group, profile, plan.column(task.trial()), true),
          own.startupS(task.trial(), task.rung()),
          factor,
          true);
    }

    @Override
    public void ended(Job job) {
      source.ended(job.trial);
    }

    @Override
    public boolean hasEnded() {
      return source.hasEnded();
    }
  }

  /** The trials of HyperSched. */
  private static final class Trials implements ReferenceTasks {
    private final TrialGroup whole;
    private final Profile profile;
    private final Draws draws;
    private final int sample;
    private final NewTrials source;
    private ReferencePolicyFaults<HyperSchedState> reference;

    Trials(Problem problem, Draws draws, int sample) {
      RungRule rule = problem.workload().rungs().orElseThrow();
      whole = new TrialGroup("r", rule.trials(), 0, rule.target(rule.lastRung()));
      profile = profile(problem);
      this.draws = draws;
      this.sample = sample;
      int gpus = problem.cluster().orElseThrow().instances() * problem.offers().get(0).gpus();
      source = new NewTrials(rule, gpus, () -> reference.state().started().cardinality());
    }

    @Override
    public String group() {
      return NewTrials.GROUP;
    }

    @Override
    public List<Job> issue(double nowS, int unfinished) {
      return source.issue(nowS, unfinished).stream()
          .map(
              issued ->
                  new Job(
                      issued.trial(),
                      whole,
                      numbers(draws, whole, profile, issued.trial() - 1, true),
                      draw(draws.startups(whole, profile), sample, issued.trial() - 1),
                      draw(draws.trials(whole, profile), sample, issued.trial() - 1),
                      false))
          .toList();
    }

    @Override
    public void ended(Job job) {}

    @Override
    public boolean hasEnded() {
      return reference.isIdle();
    }
  }
}
