package io.elastune.simulator;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import java.util.List;
import java.util.stream.Stream;

/**
 * Samples of a plan that remember what every trial and every lease did. Its samples are those of
 * {@link Simulator} with the same number of samples. For showing, not for speed: apart from the
 * trials, all is decided by the same objects as there.
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
   * A run of {@code plan}, which must be legal.
   *
   * @param most most samples that will be asked for
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

  /** How many samples there are: one if nothing varies. */
  int samples() {
    return samples;
  }

  /** Whether nothing is released before the end of the last group. */
  boolean hold() {
    return hold;
  }

  /** Plays sample number {@code sample}; to be asked for in ascending order from 0. */
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

  /** The groups in the order in which they are simulated, as they were in the last sample. */
  List<GroupTrace> inOrder() {
    return Stream.of(steps).map(step -> groups[step.group()]).toList();
  }

  /** What the group at that index of the workload did in the last sample. */
  GroupTrace group(int index) {
    return groups[index];
  }

  /** The leases of a chain as they were in the last sample. */
  Cluster cluster(int chain) {
    return clusters[chain];
  }

  /** By the number of a chain's lease, the group that requested it. */
  int[] requesters(int chain) {
    return leases.get(chain).requesters();
  }
}
