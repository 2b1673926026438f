package io.elastune.simulator;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Simulates a compiled plan block by block. Not thread-safe. */
final class Sampler {
  private final Step[] steps;
  private final DrawReader[] xs;
  private final DrawReader[] startups;
  private final Ledger ledger;
  private final Cluster[] clusters;
  private final GroupRun groupRun;
  private final Releases releases;
  private final double[] endS;

  Sampler(Program program) {
    steps = program.steps();
    xs = Stream.of(steps).map(step -> new DrawReader(step.x())).toArray(DrawReader[]::new);
    startups =
        Stream.of(steps).map(step -> new DrawReader(step.startups())).toArray(DrawReader[]::new);
    ledger = new Ledger(steps.length);
    List<LeasePlan> leases = program.leases();
    clusters = leases.stream().map(plan -> new Cluster(plan, ledger)).toArray(Cluster[]::new);
    int most = leases.stream().mapToInt(LeasePlan::size).max().orElseThrow();
    int slots =
        Stream.of(steps).mapToInt(step -> step.teams() * step.perTeam()).max().orElseThrow();
    groupRun = new GroupRun(most, slots);
    releases = new Releases(program.hold(), most, clusters[0]);
    endS = new double[steps.length];
  }

  /** Simulates the samples of block {@code block} within the capacity of {@code outcome}. */
  void play(int block, Outcome outcome) {
    int end = Blocks.end(block, outcome.samples());
    for (int sample = Blocks.start(block); sample < end; sample++) {
      play(sample);
      outcome.add(sample, endS, ledger.groupUsd);
    }
    outcome.close(block, ledger.take());
  }

  private void play(int sample) {
    Arrays.fill(ledger.groupUsd, 0);
    for (Cluster cluster : clusters) {
      cluster.reset();
    }
    for (int i = 0; i < steps.length; i++) {
      Step step = steps[i];
      double startS = 0;
      for (int before : step.after()) {
        startS = Math.max(startS, endS[before]);
      }
      Cluster cluster = clusters[step.chain()];
      cluster.request(step.requested(), startS, sample);
      double groupEndS = groupRun.run(step, xs[i], startups[i], cluster, startS, sample);
      endS[step.group()] = groupEndS;
      releases.end(step, cluster, startS, groupEndS);
    }
  }
}
