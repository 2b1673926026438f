package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.allocation.IllegalPlanException;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.simulator.draw.FastSimulatorDraws;
import io.elastune.simulator.graph.CompletedDag;
import io.elastune.simulator.graph.CompletedDag.DagEdge;
import io.elastune.simulator.graph.CompletedDag.DagNode;
import io.elastune.simulator.graph.CompletedDag.DagNodeType;
import io.elastune.simulator.group.CompletedDagBuilder;
import io.elastune.simulator.group.TracedRun;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.sample.JointSamples;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Compares the completed DAG of random jobs and plans with both simulators. */
class CompletedDagTest {
  private static final int JOBS = RandomProblems.some(2000);
  private static final int SAMPLES = 2;
  private static final double ROUNDING = 1e-9;

  /** One sample of a random job and plan. */
  private record Case(
      long seed, int sample, Problem problem, Plan plan, CompletedDag dag, JointSamples samples) {
    double completionS() {
      return samples.completionS()[sample];
    }

    ReferenceSimulator slow() {
      return new ReferenceSimulator(
          problem, plan, FastSimulatorDraws.of(new Draws(problem, SAMPLES), sample));
    }

    @Override
    public String toString() {
      return "seed " + seed + ", sample " + sample + ", plan " + plan;
    }
  }

  /** Checks all properties in one test, because building the DAGs is expensive. */
  @Test
  void completedDagsMatchTheirSamples() {
    forAll(
        each -> {
          theLongestPathIsTheCompletion(each);
          everyNodeStartsWhenTheLastBeforeItHasEnded(each);
          thereIsNoCycle(each);
          everyTrialBarrierAndLeaseIsThereOnce(each);
          instancesAreReleasedAtTheModelsMomentsAndBootOnlyOnceRunning(each);
        });
  }

  private static void forAll(Consumer<Case> property) {
    for (long seed = 0; seed < JOBS; seed++) {
      RandomProblems jobs = new RandomProblems(seed, seed % 4 > 0);
      Problem problem = jobs.problem();
      Plan plan = jobs.plan(problem);
      JointSamples jointSamples = new Simulator(problem, SAMPLES).sample(plan);
      TracedRun run = new TracedRun(problem, plan, SAMPLES);
      for (int sample = 0; sample < run.samples(); sample++) {
        run.simulate(sample); // only the last sample is checked: earlier ones must leave no state
      }
      CompletedDag dag = new CompletedDagBuilder(problem, run).dag();
      property.accept(new Case(seed, run.samples() - 1, problem, plan, dag, jointSamples));
    }
  }

  private static boolean same(double a, double b) {
    return Math.abs(a - b) <= ROUNDING * Math.max(1, b);
  }

  private static void theLongestPathIsTheCompletion(Case each) {
    assertThat(same(each.dag().longestPathS(), each.completionS()))
        .as("%s: longest path %s", each, each.dag().longestPathS())
        .isTrue();
    List<DagNode> dagNodes = each.dag().nodes();
    List<DagNode> path = each.dag().criticalPath().stream().map(dagNodes::get).toList();
    assertThat(same(path.stream().mapToDouble(DagNode::seconds).sum(), each.completionS()))
        .as("%s: path %s", each, path)
        .isTrue();
    assertThat(path.get(0).kind()).isEqualTo(DagNodeType.ACQUIRE);
    assertThat(path.get(path.size() - 1).kind()).isEqualTo(DagNodeType.SYNC);
  }

  private static void everyNodeStartsWhenTheLastBeforeItHasEnded(Case each) {
    double[] endsS = each.dag().endsS();
    List<DagNode> dagNodes = each.dag().nodes();
    for (int node = 0; node < endsS.length; node++) {
      if (!same(endsS[node], dagNodes.get(node).endS())) {
        assertThat(endsS[node])
            .as("%s, %s", each, dagNodes.get(node))
            .isEqualTo(dagNodes.get(node).endS());
      }
    }
  }

  /** Uses Kahn's algorithm, independent of the graph library. */
  private static void thereIsNoCycle(Case each) {
    int[] waitsFor = new int[each.dag().nodes().size()];
    List<List<Integer>> after = new ArrayList<>();
    each.dag().nodes().forEach(dagNode -> after.add(new ArrayList<>()));
    for (DagEdge dagEdge : each.dag().edges()) {
      waitsFor[dagEdge.to()]++;
      after.get(dagEdge.from()).add(dagEdge.to());
    }
    List<Integer> done = new ArrayList<>();
    for (int node = 0; node < waitsFor.length; node++) {
      if (waitsFor[node] == 0) {
        done.add(node);
      }
    }
    for (int i = 0; i < done.size(); i++) {
      for (int next : after.get(done.get(i))) {
        if (--waitsFor[next] == 0) {
          done.add(next);
        }
      }
    }
    assertThat(done.size()).as("%s", each).isEqualTo(waitsFor.length);
  }

  private static void everyTrialBarrierAndLeaseIsThereOnce(Case each) {
    List<String> expected = new ArrayList<>();
    for (TrialGroup group : each.problem().workload().groups()) {
      expected.add("SYNC " + group.name() + " 0");
      for (int trial = 1; trial <= group.trials(); trial++) {
        expected.add("TRAIN " + group.name() + " " + trial);
      }
    }
    for (ReferenceLease lease : each.slow().leases) {
      String name = chain(lease.releaser) + " " + (lease.number + 1);
      expected.add("QUEUE " + name);
      expected.add("RELEASE " + name);
    }
    List<String> found = new ArrayList<>();
    for (DagNode dagNode : each.dag().nodes()) {
      if (dagNode.kind() != DagNodeType.ACQUIRE && dagNode.kind() != DagNodeType.BOOT) {
        boolean groups = dagNode.kind() == DagNodeType.TRAIN || dagNode.kind() == DagNodeType.SYNC;
        String where = groups ? dagNode.group() : dagNode.chain();
        found.add(dagNode.kind() + " " + where + " " + dagNode.number());
      }
    }
    assertThat(found.stream().sorted().toList())
        .as("%s", each)
        .isEqualTo(expected.stream().sorted().toList());
  }

  private static String chain(String group) {
    return group.contains(".") ? group.substring(0, group.indexOf('.')) : "";
  }

  private static void instancesAreReleasedAtTheModelsMomentsAndBootOnlyOnceRunning(Case each) {
    boolean exact = !interpolates(each.problem(), each.plan());
    Map<String, List<Double>> expected = new TreeMap<>();
    int booting = 0;
    for (ReferenceLease lease : each.slow().leases) {
      note(expected, lease.releaser, lease.number + 1, exact, lease.releasedS);
      booting += lease.releasedS > lease.runningS ? 1 : 0;
    }
    Map<String, List<Double>> found = new TreeMap<>();
    for (DagNode dagNode : each.dag().nodes()) {
      if (dagNode.kind() == DagNodeType.RELEASE) {
        note(found, dagNode.group(), dagNode.number(), exact, dagNode.startS());
      }
    }
    assertThat(found.keySet()).as("%s", each).isEqualTo(expected.keySet());
    expected.forEach((key, times) -> assertSame(each + ", " + key, found.get(key), times));
    assertThat(each.dag().nodes().stream().filter(n -> n.kind() == DagNodeType.BOOT).count())
        .as("%s", each)
        .isEqualTo(booting);
  }

  private static void note(
      Map<String, List<Double>> times, String group, int number, boolean exact, double atS) {
    times.computeIfAbsent(group + (exact ? "/" + number : ""), any -> new ArrayList<>()).add(atS);
  }

  private static void assertSame(String name, List<Double> found, List<Double> expected) {
    assertThat(found).as(name).hasSameSizeAs(expected);
    List<Double> sorted = found.stream().sorted().toList();
    List<Double> wanted = expected.stream().sorted().toList();
    for (int i = 0; i < sorted.size(); i++) {
      assertThat(same(sorted.get(i), wanted.get(i))).as(name + sorted + wanted).isTrue();
    }
  }

  /**
   * Compares times only. Between measured sizes, the two simulators round differently, so the
   * release order of instances with the same idle time may differ.
   */
  private static boolean interpolates(Problem problem, Plan plan) {
    for (Allocation allocation : plan.allocations().values()) {
      Profile profile = problem.offer(allocation.offer()).flatMap(problem::profile).orElseThrow();
      if (!profile.secondsByGpus().containsKey(allocation.gpusPerTrial())) {
        return true;
      }
    }
    return false;
  }

  @Test
  void rejectsCycles() {
    CompletedDag dag = new CompletedDag();
    int first = dag.add(new DagNode(DagNodeType.SYNC, "", "1", 0, List.of(), 0, 0));
    int second = dag.add(new DagNode(DagNodeType.SYNC, "", "2", 0, List.of(), 0, 0));
    dag.addPrecedence(first, second);
    assertThatThrownBy(() -> dag.addPrecedence(second, first))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void buildsDagOfWorkedExample() {
    CompletedDag dag =
        Simulator.dagAtMeans(
            WorkedExample.problem(0.05, 0.1, 0.4), WorkedExample.plan("4×1 2×1 2×2 2×4", false));

    assertThat(dag.longestPathS()).isCloseTo(242.163, within(0.0005));
    List<DagNode> dagNodes = dag.nodes();
    assertThat(dag.criticalPath().stream().map(dagNodes::get).map(n -> n.kind() + " " + n.number()))
        .containsExactly(
            "ACQUIRE 4",
            "QUEUE 1",
            "BOOT 1",
            "TRAIN 1",
            "SYNC 0",
            "TRAIN 1",
            "SYNC 0",
            "TRAIN 1",
            "SYNC 0",
            "TRAIN 1",
            "SYNC 0");
    assertThat(
            dagNodes.stream()
                .filter(dagNode -> dagNode.kind() == DagNodeType.RELEASE)
                .map(dagNode -> dagNode.group() + ":" + dagNode.number()))
        .containsExactly("1:3", "1:4", "4:1", "4:2");
  }

  @Test
  void releasesWaitForTheLastStartedTrial() {
    // Group 4 requests three instances, but its trials run on the existing one, one after another.
    CompletedDag dag =
        Simulator.dagAtMeans(
            WorkedExample.problem(0, 0, 0), WorkedExample.plan("1×4 1×4 1×4 4×4", false));

    assertThat(into(dag, "RELEASE 4/1 []"))
        .containsExactlyInAnyOrder("BOOT 1/1 []", "SYNC 3/0 []", "TRAIN 4/1 [1]", "TRAIN 4/2 [1]");
    for (int number : List.of(2, 3, 4)) {
      assertThat(into(dag, "RELEASE 4/" + number + " []"))
          .containsExactlyInAnyOrder("BOOT 4/" + number + " []", "SYNC 3/0 []", "TRAIN 4/1 [1]");
    }
  }

  @Test
  @DisplayName("A barrier waits for the last trial of every slot, and a team for all its instances")
  void barriersAndTeamsWaitForAll() {
    CompletedDag dag =
        Simulator.dagAtMeans(
            WorkedExample.problem(0, 0, 0), WorkedExample.plan("1×1 1×2 1×4 2×8", false));

    assertThat(into(dag, "SYNC 1/0 []"))
        .containsExactlyInAnyOrder(
            "TRAIN 1/13 [1]", "TRAIN 1/14 [1]", "TRAIN 1/15 [1]", "TRAIN 1/16 [1]");
    assertThat(into(dag, "TRAIN 4/1 [1, 2]"))
        .containsExactlyInAnyOrder("SYNC 3/0 []", "BOOT 4/2 []");
    assertThat(into(dag, "TRAIN 4/2 [1, 2]")).containsExactly("TRAIN 4/1 [1, 2]");
    assertThat(into(dag, "SYNC 4/0 []")).containsExactly("TRAIN 4/2 [1, 2]");
  }

  private static List<String> into(CompletedDag dag, String node) {
    List<String> names = dag.nodes().stream().map(CompletedDagTest::name).toList();
    assertThat(names).contains(node);
    return dag.edges().stream()
        .filter(dagEdge -> names.get(dagEdge.to()).equals(node))
        .map(dagEdge -> names.get(dagEdge.from()))
        .toList();
  }

  private static String name(DagNode dagNode) {
    return dagNode.kind()
        + " "
        + dagNode.group()
        + "/"
        + dagNode.number()
        + " "
        + dagNode.instances();
  }

  @Test
  void rejectsIllegalPlans() {
    Problem problem = WorkedExample.problem(0, 0, 0);
    Plan tooLarge = WorkedExample.plan("99×1 1×1 1×1 1×1", false);
    assertThatThrownBy(() -> Simulator.dagAtMeans(problem, tooLarge))
        .isInstanceOf(IllegalPlanException.class);
    assertThatThrownBy(() -> Contributions.of(problem, tooLarge))
        .isInstanceOf(IllegalPlanException.class);
  }
}
