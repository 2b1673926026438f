package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.FluidOptions;
import io.elastune.simulator.Contributions.GroupTime;
import io.elastune.simulator.Contributions.Saving;
import io.elastune.simulator.graph.CompletedDag;
import io.elastune.simulator.graph.CompletedDag.DagNode;
import io.elastune.simulator.group.CompletedDagBuilder;
import io.elastune.simulator.group.TracedRun;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ContributionsTest {
  private static final int JOBS = RandomProblems.some(1000);
  private static final int SAMPLES = 10;

  private static double total(Contributions contributions) {
    return contributions.byGroup().stream().mapToDouble(ContributionsTest::total).sum();
  }

  private static double total(GroupTime time) {
    return time.queueS() + time.bootS() + time.startupS() + time.trainingS() + time.stragglingS();
  }

  private static double sum(Contributions contributions, ToDoubleFunction<GroupTime> part) {
    return contributions.byGroup().stream().mapToDouble(part).sum();
  }

  private static Map<DelayCause, Double> savings(Contributions contributions) {
    return contributions.wouldHelp().stream()
        .collect(Collectors.toMap(Saving::cause, Saving::soonerS));
  }

  private static Offset<Double> relative(double value) {
    return within(1e-9 * Math.max(1, value));
  }

  @Test
  void contributionsAddUpToMeanCompletion() {
    for (long seed = 0; seed < JOBS; seed++) {
      RandomProblems jobs = new RandomProblems(seed, seed % 4 > 0);
      Problem problem = jobs.problem();
      Plan plan = jobs.plan(problem);
      double meanS =
          Arrays.stream(new Simulator(problem, SAMPLES).sample(plan).completionS())
              .average()
              .orElseThrow();

      Contributions contributions = Contributions.of(problem, plan, SAMPLES);

      String name = "seed " + seed + ", plan " + plan;
      assertThat(total(contributions)).as(name).isCloseTo(meanS, relative(meanS));
      assertThat(contributions.completionS()).as(name).isCloseTo(meanS, relative(meanS));
    }
  }

  /** The walk over flat arrays finds the same path as the graph. */
  @Test
  void criticalPathMatchesCompletedDag() {
    for (long seed = 0; seed < JOBS; seed++) {
      RandomProblems jobs = new RandomProblems(seed, seed % 4 > 0);
      Problem problem = jobs.problem();
      Plan plan = jobs.plan(problem);
      TracedRun run = new TracedRun(problem, plan, 1);
      run.simulate(0);
      CompletedDag dag = new CompletedDagBuilder(problem, run).dag();
      List<DagNode> path = dag.criticalPath().stream().map(dag.nodes()::get).toList();

      Contributions contributions = Contributions.of(problem, plan, 1);

      String name = "seed " + seed + ", plan " + plan;
      for (GroupTime time : contributions.byGroup()) {
        assertSum(name, path, time.group(), CompletedDag.DagNodeType.QUEUE, time.queueS());
        assertSum(name, path, time.group(), CompletedDag.DagNodeType.BOOT, time.bootS());
        assertSum(
            name,
            path,
            time.group(),
            CompletedDag.DagNodeType.TRAIN,
            time.startupS() + time.trainingS() + time.stragglingS());
      }
    }
  }

  private static void assertSum(
      String name,
      List<DagNode> path,
      String group,
      CompletedDag.DagNodeType dagNodeType,
      double seconds) {
    double onPath =
        path.stream()
            .filter(dagNode -> dagNode.kind() == dagNodeType && dagNode.group().equals(group))
            .mapToDouble(DagNode::seconds)
            .sum();
    assertThat(seconds)
        .as("%s, %s of group %s", name, dagNodeType, group)
        .isCloseTo(onPath, relative(onPath));
  }

  @Test
  void causesSaveTheirPathTimeWithoutSpread() {
    Contributions contributions =
        Contributions.of(
            WorkedExample.problem(0, 0, 0), WorkedExample.plan("4×1 2×1 2×2 2×4", false));

    assertThat(contributions.samples()).isOne();
    assertThat(contributions.completionS()).isCloseTo(242.163, within(0.0005));
    GroupTime first = contributions.byGroup().get(0);
    assertThat(first).isEqualTo(new GroupTime("1", 15, 60, 10, 30, 0));
    assertThat(sum(contributions, GroupTime::startupS)).isCloseTo(40, within(1e-9));
    assertThat(sum(contributions, GroupTime::stragglingS)).isCloseTo(0.0, within(1e-9));
    assertThat(contributions.wouldHelp().stream().map(Saving::cause))
        .containsExactly(
            DelayCause.BOOT, DelayCause.STARTUP, DelayCause.QUEUEING, DelayCause.STRAGGLERS);
    assertThat(savings(contributions).get(DelayCause.BOOT)).isCloseTo(60, within(1e-9));
    assertThat(savings(contributions).get(DelayCause.STARTUP)).isCloseTo(40, within(1e-9));
    assertThat(savings(contributions).get(DelayCause.QUEUEING)).isCloseTo(15, within(1e-9));
    assertThat(savings(contributions).get(DelayCause.STRAGGLERS)).isCloseTo(0.0, within(1e-9));
  }

  @Test
  void attributesBootToTheRequestingGroup() {
    Contributions contributions =
        Contributions.of(
            WorkedExample.problem(0, 0, 0), WorkedExample.plan("2×1 1×1 1×4 2×8", false));

    // The trials of the last group use both instances: one boots while the other waits.
    assertThat(contributions.byGroup().stream().map(GroupTime::queueS))
        .containsExactly(15.0, 0.0, 0.0, 15.0);
    assertThat(contributions.byGroup().stream().map(GroupTime::bootS))
        .containsExactly(60.0, 0.0, 0.0, 60.0);
    assertThat(savings(contributions).get(DelayCause.BOOT)).isCloseTo(120, within(1e-9));
  }

  @Test
  void bootsOffTheCriticalPathCostNoTime() {
    Contributions contributions =
        Contributions.of(
            WorkedExample.problem(0, 0, 0), WorkedExample.plan("2×1 1×1 2×2 2×4", false));

    // In group 3, one of two instances is ready at once and runs all four trials in pairs.
    assertThat(contributions.byGroup().stream().map(GroupTime::bootS))
        .containsExactly(60.0, 0.0, 0.0, 0.0);
    assertThat(total(contributions)).isCloseTo(364.249, within(0.0005));
  }

  @Test
  void removingStragglersSavesMoreThanTheirPathTime() {
    Contributions contributions =
        Contributions.of(
            WorkedExample.problem(0.3, 0, 0), WorkedExample.plan("4×1 4×1 4×1 4×1", true));

    assertThat(contributions.samples()).isEqualTo(1000);
    assertThat(sum(contributions, GroupTime::stragglingS)).isGreaterThan(60);
    assertThat(contributions.wouldHelp().get(0).cause()).isEqualTo(DelayCause.STRAGGLERS);
    // All trials of a group run at once: without variation, the last would take the mean.
    assertThat(savings(contributions).get(DelayCause.STRAGGLERS))
        .isCloseTo(sum(contributions, GroupTime::stragglingS), within(1e-6));
  }

  @Test
  void sameSeedGivesSameNumbers() {
    Problem problem = WorkedExample.problem(0.05, 0.1, 0.4);
    Plan plan = WorkedExample.plan("2×1 1×1 2×2 2×4", false);
    assertThat(Contributions.of(problem, plan)).isEqualTo(Contributions.of(problem, plan));
  }

  /**
   * Two waves of eight trials have a GPU each for a unit of 30 s. Later groups have more GPUs for
   * each trial.
   */
  @Test
  void attributesTheTimeUnderAPolicy() {
    Problem fluid =
        WorkedExample.problem(0, 0, 0).withCluster(new FixedCluster(2, FluidOptions.DEFAULT));

    Contributions contributions =
        Contributions.of(fluid, WorkedExample.plan("2×1 2×1 2×1 2×1", true));

    assertThat(contributions.samples()).isEqualTo(1);
    assertThat(contributions.byGroup())
        .extracting(GroupTime::queueS, GroupTime::bootS, GroupTime::startupS)
        .containsExactly(
            tuple(15.0, 60.0, 20.0),
            tuple(0.0, 0.0, 10.0),
            tuple(0.0, 0.0, 10.0),
            tuple(0.0, 0.0, 10.0));
    assertThat(sum(contributions, GroupTime::trainingS))
        .isCloseTo(contributions.completionS() - 75 - 50, within(1e-6));
    assertThat(savings(contributions).get(DelayCause.STARTUP)).isCloseTo(50, within(1e-6));
    assertThat(savings(contributions).get(DelayCause.BOOT)).isCloseTo(60, within(1e-6));
  }

  /** At its time, it ends in any case. */
  @Test
  void emptyIfTheSearchEndsAtATime() {
    RungRule rule =
        new RungRule(
                List.of(1, 4),
                16,
                4,
                RungRule.Variant.PROMOTION,
                true,
                OptionalInt.empty(),
                OptionalInt.empty(),
                false)
            .withTime(Optional.of(new RungRule.TimeLimit(OptionalDouble.of(200))));

    Contributions contributions =
        Contributions.of(
            RungPredictionTest.problem(rule), RungPredictionTest.plan("2×1 2×1", false));

    assertThat(contributions.byGroup()).isEmpty();
    assertThat(contributions.wouldHelp()).isEmpty();
  }

  @Test
  void hugeJobsUseFewerSamples() {
    Problem job = WorkedExample.problem(0.05, 0, 0);
    List<TrialGroup> huge = List.of(new TrialGroup("1", 40_000, 0, 1));
    Problem problem =
        WorkedExample.problem(
            List.of(new Chain("", huge)), job.offers(), WorkedExample.profile(0.05, 0));
    Plan plan = new Plan(false, Map.of("1", new Allocation(job.offers().get(0).name(), 8, 1, 1)));

    assertThat(Contributions.of(problem, plan).samples()).isEqualTo(100);
  }
}
