package io.elastune.simulator.group;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.instance.CompiledGroup;
import io.elastune.simulator.instance.CostTotals;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.instance.LeasePlan;
import java.util.List;
import java.util.stream.Stream;

/**
 * Simulates samples of a plan and records every trial and lease. Its samples equal those of {@link
 * Simulator} with the same number of samples. It serves display, not speed; except for trials, it
 * uses the same classes as {@link Simulator}.
 */
public final class TracedRun {
  private final CompiledGroup[] compiledGroups;
  private final List<LeasePlan> leases;
  private final int samples;
  private final boolean hold;
  private final Cluster[] clusters;
  private final GroupTrace[] groups;
  private final SurplusReleases surplusReleases;

  /**
   * Creates a traced run of {@code plan}, which must be legal.
   *
   * @param most maximum number of samples
   */
  public TracedRun(Problem problem, Plan plan, int most) {
    this(problem, plan, new Draws(problem, most));
  }

  /** Creates a traced run of {@code plan}, which must be legal, with other draws. */
  public TracedRun(Problem problem, Plan plan, Draws draws) {
    samples = draws.samples();
    CompiledPlan compiledPlan =
        new CompiledPlan(problem, plan, new ExecutionDag(problem.workload()), draws);
    compiledGroups = compiledPlan.steps();
    leases = compiledPlan.leases();
    hold = compiledPlan.hold();
    CostTotals costTotals = new CostTotals(compiledGroups.length);
    clusters = leases.stream().map(chain -> new Cluster(chain, costTotals)).toArray(Cluster[]::new);
    int mostLeases = leases.stream().mapToInt(LeasePlan::size).max().orElseThrow();
    surplusReleases = new SurplusReleases(hold, mostLeases, clusters[0]);
    Promotions promotions = new Promotions(compiledGroups, leases.stream());
    groups = new GroupTrace[compiledGroups.length];
    for (CompiledGroup compiledGroup : compiledGroups) {
      groups[compiledGroup.group()] =
          new GroupTrace(compiledGroup, leases.get(compiledGroup.chain()).size(), promotions);
    }
  }

  /** Returns the number of samples; 1 if nothing varies. */
  public int samples() {
    return samples;
  }

  /** Returns whether nothing is released before the end of the last group. */
  boolean hold() {
    return hold;
  }

  /** Simulates sample {@code sample}; calls must be in ascending order from 0. */
  public void simulate(int sample) {
    for (Cluster cluster : clusters) {
      cluster.reset();
    }
    for (CompiledGroup compiledGroup : compiledGroups) {
      double startS = 0;
      for (int before : compiledGroup.after()) {
        startS = Math.max(startS, groups[before].groupEndS());
      }
      Cluster cluster = clusters[compiledGroup.chain()];
      cluster.request(compiledGroup.requested(), startS, sample);
      GroupTrace group = groups[compiledGroup.group()];
      group.run(cluster, startS, sample);
      surplusReleases.endGroup(compiledGroup, cluster, startS, group.groupEndS());
    }
  }

  /** Returns the groups of the last sample in simulation order. */
  List<GroupTrace> inOrder() {
    return Stream.of(compiledGroups).map(compiledGroup -> groups[compiledGroup.group()]).toList();
  }

  /** Returns the last sample of the group at an index of the workload. */
  GroupTrace group(int index) {
    return groups[index];
  }

  /** Returns the leases of a chain in the last sample. */
  Cluster cluster(int chain) {
    return clusters[chain];
  }

  /** Returns the requesting group of each lease of a chain. */
  int[] requesters(int chain) {
    return leases.get(chain).requesters();
  }
}
