package io.elastune.simulator;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Plays a program once per sample. */
final class Sampler {
  private final Step[] steps;
  private final Ledger ledger;
  private final Cluster[] clusters;
  private final GroupRun groupRun;
  private final Releases releases;
  private final double[] endS;

  Sampler(Program program, Ledger ledger) {
    this.ledger = ledger;
    steps = program.steps();
    List<LeasePlan> leases = program.leases();
    clusters = leases.stream().map(plan -> new Cluster(plan, ledger)).toArray(Cluster[]::new);
    int most = leases.stream().mapToInt(LeasePlan::size).max().orElseThrow();
    int slots =
        Stream.of(steps).mapToInt(step -> step.teams() * step.perTeam()).max().orElseThrow();
    groupRun = new GroupRun(most, slots);
    releases = new Releases(program.hold(), most, clusters[0]);
    endS = new double[steps.length];
  }

  /** Plays sample number {@code sample} and adds it to {@code outcome}. */
  void play(int sample, Outcome outcome) {
    Arrays.fill(ledger.groupUsd, 0);
    for (Cluster cluster : clusters) {
      cluster.reset();
    }
    for (Step step : steps) {
      double startS = 0;
      for (int before : step.after()) {
        startS = Math.max(startS, endS[before]);
      }
      Cluster cluster = clusters[step.chain()];
      cluster.request(step.requested(), startS, sample);
      double groupEndS = groupRun.run(step, cluster, startS, sample);
      endS[step.group()] = groupEndS;
      releases.end(step, cluster, startS, groupEndS);
    }
    outcome.add(sample, endS, ledger.groupUsd);
  }
}
