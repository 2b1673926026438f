package io.elastune.simulator;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import java.util.List;
import java.util.stream.Stream;

/**
 * Simulates samples of a plan and records every trial and lease. Its samples equal those of {@link
 * Simulator} with the same number of samples. It serves display, not speed; except for trials, it
 * uses the same classes as {@link Simulator}.
 */
final class TracedRun {
  private final Step[] steps;
  private final List<LeasePlan> leases;
  private final int samples;
  private final boolean hold;
  private final Cluster[] clusters;
  private final GroupTrace[] groups;
  private final Releases releases;

  /**
   * Creates a traced run of {@code plan}, which must be legal.
   *
   * @param most maximum number of samples
   */
  TracedRun(Problem problem, Plan plan, int most) {
    Draws draws = new Draws(problem, most);
    samples = draws.samples();
    Program program = new Program(problem, plan, new ExecutionDag(problem.workload()), draws);
    steps = program.steps();
    leases = program.leases();
    hold = program.hold();
    Ledger ledger = new Ledger(steps.length);
    clusters = leases.stream().map(chain -> new Cluster(chain, ledger)).toArray(Cluster[]::new);
    int mostLeases = leases.stream().mapToInt(LeasePlan::size).max().orElseThrow();
    releases = new Releases(hold, mostLeases, clusters[0]);
    groups = new GroupTrace[steps.length];
    for (Step step : steps) {
      groups[step.group()] = new GroupTrace(step, leases.get(step.chain()).size());
    }
  }

  /** Returns the number of samples; 1 if nothing varies. */
  int samples() {
    return samples;
  }

  /** Returns whether nothing is released before the end of the last group. */
  boolean hold() {
    return hold;
  }

  /** Simulates sample {@code sample}; calls must be in ascending order from 0. */
  void play(int sample) {
    for (Cluster cluster : clusters) {
      cluster.reset();
    }
    for (Step step : steps) {
      double startS = 0;
      for (int before : step.after()) {
        startS = Math.max(startS, groups[before].groupEndS());
      }
      Cluster cluster = clusters[step.chain()];
      cluster.request(step.requested(), startS, sample);
      GroupTrace group = groups[step.group()];
      group.run(cluster, startS, sample);
      releases.end(step, cluster, startS, group.groupEndS());
    }
  }

  /** Returns the groups of the last sample in simulation order. */
  List<GroupTrace> inOrder() {
    return Stream.of(steps).map(step -> groups[step.group()]).toList();
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
