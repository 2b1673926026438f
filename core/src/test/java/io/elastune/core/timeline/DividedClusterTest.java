package io.elastune.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.FluidPolicy;
import io.elastune.core.policy.FluidRule;
import io.elastune.core.policy.GroupTimeline;
import io.elastune.core.policy.HermesPolicy;
import io.elastune.core.policy.HermesRule;
import io.elastune.core.policy.HyperSchedPolicy;
import io.elastune.core.policy.HyperSchedRule;
import io.elastune.core.policy.HyperSchedState;
import io.elastune.core.policy.PolicyAttempt;
import io.elastune.core.policy.PolicyState;
import io.elastune.core.policy.PolicyTimeline;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.policy.SchedulingPolicy;
import io.elastune.core.policy.Width;
import io.elastune.core.policy.WidthSeconds;
import io.elastune.core.properties.Tier;
import io.elastune.core.search.NewTrials;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.RungTaskSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Plays clusters that policies divide. Without faults, they are compared with {@link
 * PolicyTimeline}; with faults, the fast form of Hermes is compared with its pure function.
 */
class DividedClusterTest {
  private static final int CASES = Tier.runs(300, 4_000);
  private static final double STARTUP_S = 3;
  private static final double UNIT_S = 2;

  /** An attempt, as far as it is compared. */
  private record Attempt(
      int trial, int from, int to, Width width, int instance, double startS, double endS) {
    static Attempt of(PolicyAttempt attempt, int first) {
      return new Attempt(
          attempt.start().trial() - first,
          attempt.from(),
          attempt.to(),
          attempt.start().width(),
          attempt.start().instance(),
          attempt.startS(),
          attempt.endS());
    }
  }

  /** Lists the attempts of a timeline. */
  private static final class Attempts implements TimelineRecipient {
    final List<Attempt> all = new ArrayList<>();
    private final Map<Task, Integer> before = new HashMap<>();

    @Override
    public void started(Task task, double nowS) {
      before.put(task, task.done());
    }

    @Override
    public void left(Task task, double nowS) {
      all.add(
          new Attempt(
              task.trial(),
              Objects.requireNonNull(before.remove(task)),
              task.done(),
              new Width(task.gpus(), task.trialsPerGpu()),
              task.instance(),
              task.startS(),
              nowS));
    }
  }

  /** Times of whole seconds make many events fall on the same moment. */
  private record Case(long seed, boolean isWhole, boolean hasTarget, double stopS, int first)
      implements GroupTimeline.Model, TrialTimes {
    private double draw(long number, double most) {
      double drawn = most * new Random(seed * 1_000_003 + number).nextDouble();
      return isWhole ? Math.rint(drawn) : drawn;
    }

    @Override
    public double startupS(int trial, boolean isFirst) {
      return draw(trial, STARTUP_S);
    }

    @Override
    public double unitS(int trial, Width width, int instance) {
      return (1 + draw(10_000L + trial + 1_000L * instance, UNIT_S)) * seconds(width);
    }

    @Override
    public double checkpointS(int trial) {
      return checkpointS();
    }

    @Override
    public double checkpointS() {
      return draw(20_000, 2);
    }

    @Override
    public double pace(int trial, boolean hasReported) {
      return hasReported ? 1 + draw(10_000L + trial, UNIT_S) : 1;
    }

    @Override
    public double loss(int trial, int unit) {
      double drawn = draw(30_000 + 100L * trial + unit, 4);
      return drawn < 0.1 ? Double.NaN : drawn;
    }

    @Override
    public OptionalInt targetUnit(int trial) {
      int unit = (int) draw(40_000L + trial, 60);
      return hasTarget && unit > 0 && unit < 20 ? OptionalInt.of(unit) : OptionalInt.empty();
    }

    @Override
    public PolicyView.Timing timing(double nowS) {
      return new PolicyView.Timing(stopS - nowS, STARTUP_S, UNIT_S);
    }

    private int number(Task task) {
      return task.trial() + first;
    }

    @Override
    public void begin(Task task, Instance instance, boolean starts) {
      int trial = number(task);
      double startupS = startupS(trial, true);
      double unitS =
          unitS(trial, new Width(task.gpus(), task.trialsPerGpu()), instance.number() % 5);
      int units = task.units() - task.done();
      task.lasts(startupS, unitS, startupS + units * unitS);
      int target = targetUnit(trial).orElse(0) - task.done();
      if (target > 0 && target <= units) {
        task.reportsTargetAfter(startupS + target * unitS);
      }
    }

    @Override
    public double pace(Task task, boolean hasReported) {
      return pace(number(task), hasReported);
    }

    @Override
    public double loss(Task task) {
      return draw(50_000 + 100L * task.trial() + task.group(), 400);
    }

    @Override
    public double loss(Task task, int unit) {
      return loss(number(task), unit);
    }
  }

  private static double seconds(Width width) {
    return width.isShared() ? 0.8 * width.trialsPerGpu() : Math.pow(width.gpus(), -0.9);
  }

  /** Instances of a random cluster. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Instances(int gpus, double[] readyS) {
    static Instances of(Random random) {
      int gpus = 1 + random.nextInt(4);
      return new Instances(
          gpus,
          IntStream.range(0, 1 + random.nextInt(3)).mapToDouble(i -> random.nextInt(30)).toArray());
    }

    int all() {
      return gpus * readyS.length;
    }

    Timeline timeline(SearchRun search, PolicyRun policy, TrialTimes times, Attempts attempts) {
      return new Timeline(search, policy, times, InstanceTimes.readyAt(readyS), gpus)
          .tracedTo(attempts);
    }

    HyperSchedRun.Cluster cluster(int trials) {
      return new HyperSchedRun.Cluster(
          readyS.length, gpus, trials, new PolicyView.Timing(0, STARTUP_S, UNIT_S));
    }

    ViewPolicy.Cluster cluster(Admission admission, IntFunction<String> groups) {
      return new ViewPolicy.Cluster(
          readyS.length, gpus, admission, groups, new PolicyView.Timing(0, STARTUP_S, UNIT_S));
    }
  }

  private static HyperSchedRule hyperSched(Random random, RungRule rungs, Instances instances) {
    return new HyperSchedRule(
        rungs.targets(),
        rungs.eta(),
        fluidWithin(random, instances).sizes(),
        1.1,
        1 + random.nextInt(3));
  }

  private static Case of(long seed, Random random, double stopS, int first) {
    return new Case(seed, random.nextBoolean(), random.nextInt(3) == 0, stopS, first);
  }

  private static FluidRule fluid(Random random) {
    TreeSet<Integer> sizes = new TreeSet<>(List.of(1));
    for (int size = 2; size <= 4; size++) {
      if (random.nextBoolean()) {
        sizes.add(size);
      }
    }
    return new FluidRule(random.nextInt(4) > 0, sizes, 1 + random.nextInt(3), random.nextInt(4));
  }

  private static HermesRule hermes(Random random) {
    return new HermesRule(1 + random.nextInt(4), 2 + random.nextInt(3), random.nextBoolean());
  }

  private static List<ChainsRun.Group> groups(Random random) {
    return IntStream.range(0, 1 + random.nextInt(3))
        .mapToObj(group -> new ChainsRun.Group(1 + random.nextInt(30), 0, 1 + random.nextInt(15)))
        .toList();
  }

  /** Trial groups under Fluid and Hermes, with the same attempts as before. */
  @Test
  void playsGroups() {
    int ended = 0;
    for (long seed = 0; seed < CASES; seed++) {
      Random random = new Random(seed);
      Case model = of(seed, random, Double.POSITIVE_INFINITY, 1);
      Instances instances = Instances.of(random);
      List<ChainsRun.Group> groups = groups(random);
      FluidPolicy fluid =
          new FluidPolicy(fluidWithin(random, instances), DividedClusterTest::seconds);
      HermesRule hermes = hermes(random);
      if (seed % 2 == 0) {
        ended += compareGroups("fluid " + seed, model, instances, groups, fluid);
      } else {
        ended +=
            compareGroups("hermes " + seed, model, instances, groups, new HermesPolicy(hermes));
        ChainsRun search = new ChainsRun(List.of(groups)).withGroupPhases();
        HermesRun fast =
            new HermesRun(hermes, search, model, instances.readyS().length, instances.gpus());
        compareGroups(
            "fast " + seed, model, instances, groups, new HermesPolicy(hermes), fast, search);
      }
    }
    assertThat(ended).isGreaterThan(5 * CASES);
  }

  private static FluidRule fluidWithin(Random random, Instances instances) {
    FluidRule rule = fluid(random);
    return new FluidRule(
        rule.isDynamic(),
        new TreeSet<>(rule.sizes().headSet(instances.gpus(), true)),
        rule.share(),
        rule.resizeS());
  }

  private static <P extends PolicyState> int compareGroups(
      String job,
      Case model,
      Instances instances,
      List<ChainsRun.Group> groups,
      SchedulingPolicy<P> policy) {
    ChainsRun search = new ChainsRun(List.of(groups)).withGroupPhases();
    ViewPolicy<P> run =
        new ViewPolicy<>(
            policy, search, model, instances.cluster(Admission.ALL, group -> "group " + group));
    return compareGroups(job, model, instances, groups, policy, run, search);
  }

  private static <P extends PolicyState> int compareGroups(
      String job,
      Case model,
      Instances instances,
      List<ChainsRun.Group> groups,
      SchedulingPolicy<P> policy,
      PolicyRun run,
      ChainsRun search) {
    PolicyTimeline<P> expected = new PolicyTimeline<>(policy, instances.gpus(), instances.readyS());
    double startS = 0;
    for (int group = 0; group < groups.size() && !expected.reachedTarget(); group++) {
      ChainsRun.Group of = groups.get(group);
      startS =
          expected.run("group " + group, Collections.nCopies(of.trials(), of.to()), startS, model);
    }
    Attempts attempts = new Attempts();
    Timeline timeline = instances.timeline(search, run, model, attempts);
    for (int repeat = 0; repeat < 2; repeat++) {
      attempts.all.clear();
      assertThat(timeline.play()).as(job).isEqualTo(startS);
      check(job, attempts.all, expected, 1, run);
    }
    return attempts.all.size();
  }

  private static void check(
      String job, List<Attempt> actual, GroupTimeline expected, int first, PolicyRun run) {
    assertThat(actual)
        .as(job)
        .containsExactlyInAnyOrderElementsOf(
            expected.attempts().stream().map(attempt -> Attempt.of(attempt, first)).toList());
    assertThat(run.resizes()).as(job).isEqualTo(expected.resizes());
    assertThat(run.preemptions()).as(job).isEqualTo(expected.preemptions());
  }

  /** Searches made of rungs under Fluid. */
  @Test
  void playsRungs() {
    for (long seed = 0; seed < CASES; seed++) {
      Random random = new Random(seed);
      double stopS = random.nextInt(3) == 0 ? 20 + random.nextInt(100) : Double.POSITIVE_INFINITY;
      Case model = of(seed, random, stopS, 0);
      Instances instances = Instances.of(random);
      RungRule rule = rungs(random);
      FluidPolicy policy =
          FluidPolicy.ofOpenGroup(fluidWithin(random, instances), DividedClusterTest::seconds);
      RungTaskSource source =
          new RungTaskSource(
              rule,
              instances.all(),
              (trial, rung) -> model.draw(50_000 + 100L * trial + rung, 400));
      source.stopAt(stopS, UNIT_S);
      PolicyTimeline<?> expected =
          new PolicyTimeline<>(policy, instances.gpus(), instances.readyS());
      double endS = expected.run(RungTaskSource.GROUP, source, 0, model);

      RungsRun search = new RungsRun(rule, new RungSearch(rule).initial(), UNIT_S);
      Admission admission = Admission.unfinished(RungTaskSource.mostTasks(rule, instances.all()));
      ViewPolicy<?> run =
          new ViewPolicy<>(
              policy, search, model, instances.cluster(admission, phase -> RungTaskSource.GROUP));
      Attempts attempts = new Attempts();
      Timeline timeline = instances.timeline(search, run, model, attempts).stoppedAt(stopS);
      assertThat(timeline.play()).as("seed " + seed).isEqualTo(endS);
      check("seed " + seed, attempts.all, expected, 0, run);
      assertThat(search.counts()).as("seed " + seed).isEqualTo(source.tasks);
      if (!Double.isNaN(source.closingS())) {
        assertThat(timeline.phaseStartS()).as("seed " + seed).isEqualTo(source.closingS());
      }
    }
  }

  private static RungRule rungs(Random random) {
    List<Integer> targets = new ArrayList<>(List.of(1 + random.nextInt(2)));
    for (int rung = 1 + random.nextInt(3); rung > 0; rung--) {
      targets.add(targets.get(targets.size() - 1) * 2 + random.nextInt(3));
    }
    return new RungRule(
        targets,
        1 + random.nextInt(30),
        2 + random.nextInt(2),
        RungRule.Variant.PROMOTION,
        false,
        random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(1 + random.nextInt(12)),
        OptionalInt.empty(),
        false);
  }

  /** HyperSched to a deadline. */
  @Test
  void playsHyperSched() {
    for (long seed = 0; seed < CASES; seed++) {
      Random random = new Random(seed);
      double stopS = 20 + random.nextInt(150);
      Case model = of(seed, random, stopS, 0);
      Instances instances = Instances.of(random);
      RungRule rungs = rungs(random);
      int units = rungs.target(rungs.lastRung());
      HyperSchedRule rule = hyperSched(random, rungs, instances);
      WidthSeconds seconds = DividedClusterTest::seconds;
      HyperSchedPolicy policy = new HyperSchedPolicy(rule, seconds);
      PolicyTimeline<HyperSchedState> expected =
          new PolicyTimeline<>(policy, instances.gpus(), instances.readyS());
      NewTrials source =
          new NewTrials(rungs, instances.all(), () -> expected.state().started().cardinality());
      double endS = expected.run(NewTrials.GROUP, source, 0, model);

      TrialsRun search = new TrialsRun(rungs.trials(), units);
      ViewPolicy<HyperSchedState> run =
          new ViewPolicy<>(
              policy,
              search,
              model,
              instances.cluster(
                  Admission.startable(rungs.trials(), instances.all()), phase -> NewTrials.GROUP));
      PolicyRun fast =
          new HyperSchedRun(rule, seconds, search, model, instances.cluster(rungs.trials()));
      for (PolicyRun each : List.of(run, fast)) {
        Attempts attempts = new Attempts();
        Timeline timeline = instances.timeline(search, each, model, attempts).stoppedAt(stopS);
        for (int repeat = 0; repeat < 2; repeat++) {
          attempts.all.clear();
          assertThat(timeline.play()).as("seed " + seed).isEqualTo(endS);
          check("seed " + seed, attempts.all, expected, 0, each);
        }
      }
    }
  }

  /** Random faults that do not depend on the order in which they are asked for. */
  private static final class RandomFaults implements Faults {
    private final long seed;
    private final double meanS;
    private final int[] strikes = new int[100];
    private int losses;
    private int most;

    RandomFaults(long seed, double meanS) {
      this.seed = seed;
      this.meanS = meanS;
    }

    private double draw(long number) {
      return -meanS * Math.log(1 - new Random(seed * 7919 + number).nextDouble());
    }

    @Override
    public double lostS(Instance requested, double nowS) {
      return nowS + 3 * draw(requested.number());
    }

    @Override
    public Loss lostWith(Instance struck, ManagedCluster cluster) {
      if (losses++ > 20) {
        struck.lostAt(Double.POSITIVE_INFINITY);
        return Loss.NONE;
      }
      List<Instance> lost = new ArrayList<>(List.of(struck));
      for (int number = 0; number < cluster.requested(); number++) {
        Instance other = cluster.instance(number);
        if (other != struck && other.isHeld() && (number + losses) % 3 == 0) {
          lost.add(other);
        }
      }
      return new Loss(lost, losses % 2 == 0);
    }

    @Override
    public double strikesAfterS(Task task, double passS) {
      int before = strikes[task.trial()];
      return before > 3 ? passS : draw(1_000 + 10L * task.trial() + before);
    }

    @Override
    public Strike strike(Task task) {
      most++;
      return strikes[task.trial()]++ % 2 == 0 ? Strike.CRASH : Strike.HANG;
    }
  }

  /** The fast form of Hermes agrees with the pure function when instances and trials fail. */
  @Test
  void playsHermesWithFaults() {
    int faults = 0;
    int losses = 0;
    int preemptions = 0;
    for (long seed = 0; seed < CASES; seed++) {
      Random random = new Random(seed);
      Case model = of(seed, random, Double.POSITIVE_INFINITY, 1);
      Instances few = Instances.of(random);
      double[] readyS = Arrays.copyOf(few.readyS(), 200);
      for (int i = few.readyS().length; i < readyS.length; i++) {
        readyS[i] = random.nextInt(10);
      }
      InstanceTimes instanceTimes =
          (instance, nowS) -> instance.boots(nowS, nowS + readyS[instance.number()], false);
      HermesRule rule = hermes(random);
      List<ChainsRun.Group> group =
          List.of(new ChainsRun.Group(1 + random.nextInt(30), 0, 1 + random.nextInt(15)));
      double meanS = 10 + random.nextInt(60);
      List<List<Attempt>> played = new ArrayList<>();
      for (boolean isFast : List.of(false, true)) {
        ChainsRun search = new ChainsRun(List.of(group)).withGroupPhases();
        PolicyRun run =
            isFast
                ? new HermesRun(rule, search, model, few.readyS().length, few.gpus())
                : new ViewPolicy<>(
                    new HermesPolicy(rule),
                    search,
                    model,
                    few.cluster(Admission.ALL, of -> "group"));
        Attempts attempts = new Attempts();
        RandomFaults faulty = new RandomFaults(seed, meanS);
        var unused =
            new Timeline(search, run, model, instanceTimes, few.gpus())
                .withFaults(faulty)
                .tracedTo(attempts)
                .play();
        played.add(attempts.all);
        faults += faulty.most;
        losses += faulty.losses;
        preemptions += run.preemptions();
      }
      assertThat(played.get(1)).as("seed " + seed).isEqualTo(played.get(0));
    }
    assertThat(faults).isGreaterThan(CASES);
    assertThat(losses).isGreaterThan(CASES);
    assertThat(preemptions).isGreaterThan(CASES);
  }

  /** The same for HyperSched. */
  @Test
  void playsHyperSchedWithFaults() {
    int faults = 0;
    int losses = 0;
    int stops = 0;
    for (long seed = 0; seed < CASES; seed++) {
      Random random = new Random(seed);
      double stopS = 20 + random.nextInt(300);
      Case model = of(seed, random, stopS, 0);
      Instances few = Instances.of(random);
      double[] readyS = IntStream.range(0, 400).mapToDouble(i -> random.nextInt(10)).toArray();
      InstanceTimes instanceTimes =
          (instance, nowS) -> instance.boots(nowS, nowS + readyS[instance.number()], false);
      RungRule rungs = rungs(random);
      HyperSchedRule rule = hyperSched(random, rungs, few);
      WidthSeconds seconds = DividedClusterTest::seconds;
      double meanS = 10 + random.nextInt(60);
      List<List<Attempt>> played = new ArrayList<>();
      List<int[]> passed = new ArrayList<>();
      for (boolean isFast : List.of(false, true)) {
        TrialsRun search = new TrialsRun(rungs.trials(), rungs.target(rungs.lastRung()));
        HyperSchedRun fast =
            new HyperSchedRun(rule, seconds, search, model, few.cluster(rungs.trials()));
        PolicyRun run =
            isFast
                ? fast
                : new ViewPolicy<>(
                    new HyperSchedPolicy(rule, seconds),
                    search,
                    model,
                    few.cluster(
                        Admission.startable(rungs.trials(), few.all()), of -> NewTrials.GROUP));
        Attempts attempts = new Attempts();
        RandomFaults faulty = new RandomFaults(seed, meanS);
        var unused =
            new Timeline(search, run, model, instanceTimes, few.gpus())
                .withFaults(faulty)
                .tracedTo(attempts)
                .stoppedAt(stopS)
                .play();
        played.add(attempts.all);
        passed.add(new int[] {run.preemptions(), run.resizes()});
        faults += faulty.most;
        losses += faulty.losses;
        stops += run.preemptions() + run.resizes();
      }
      assertThat(played.get(1)).as("seed " + seed).isEqualTo(played.get(0));
      assertThat(passed.get(1)).as("seed " + seed).isEqualTo(passed.get(0));
    }
    assertThat(faults).isGreaterThan(CASES);
    assertThat(losses).isGreaterThan(CASES);
    assertThat(stops).isGreaterThan(CASES);
  }
}
