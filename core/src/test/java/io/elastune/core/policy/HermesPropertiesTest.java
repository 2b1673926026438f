package io.elastune.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Properties of Hermes over random clusters, trials and curves (docs/searches.md, "Hermes"). */
class HermesPropertiesTest {
  private static final int CASES = 300;
  private static final Width ONE = Width.of(1);

  /** A random cluster, on which each trial has its own speed and random metrics. */
  private record Case(
      long seed, HermesRule rule, int gpus, List<Double> readyS, int trials, int units)
      implements GroupTimeline.Model {
    static Case random(long seed) {
      Random random = new Random(seed);
      List<Double> readyS =
          IntStream.range(0, 1 + random.nextInt(3))
              .mapToObj(i -> 10.0 * random.nextInt(1 + 4 * i))
              .toList();
      return new Case(
          seed,
          new HermesRule(1 + random.nextInt(4), 2 + random.nextInt(3), random.nextBoolean()),
          1 + random.nextInt(4),
          readyS,
          1 + random.nextInt(30),
          1 + random.nextInt(20));
    }

    double[] ready() {
      return readyS.stream().mapToDouble(i -> i).toArray();
    }

    private Random of(long number) {
      return new Random(seed * 1_000_003 + number);
    }

    @Override
    public double startupS(int trial, boolean isFirst) {
      return 3 * of(trial).nextDouble();
    }

    @Override
    public double unitS(int trial, Width width, int instance) {
      return 0.5 + of(-trial).nextDouble();
    }

    @Override
    public double checkpointS(int trial) {
      return 1;
    }

    @Override
    public double pace(int trial, boolean hasReported) {
      return 1;
    }

    @Override
    public double loss(int trial, int unit) {
      double drawn = of(1000L * trial + unit).nextDouble();
      return drawn < 0.05 ? Double.NaN : drawn;
    }
  }

  /** Hermes, with a check of what each trial waits for. */
  private static final class Observed implements SchedulingPolicy<HermesState> {
    private final CheckedPolicy<HermesState> policy;
    private final HermesRule rule;

    /** By trial that waits for its first slice: the trials that it has seen end a slice. */
    private final Map<Integer, Set<Integer>> passed = new HashMap<>();

    Observed(HermesRule rule) {
      this.policy = new CheckedPolicy<>(new HermesPolicy(rule), 1);
      this.rule = rule;
    }

    @Override
    public HermesState initial() {
      return policy.initial();
    }

    @Override
    public boolean usesUnitEnds(HermesState state) {
      return policy.usesUnitEnds(state);
    }

    @Override
    public boolean usesReports() {
      return policy.usesReports();
    }

    @Override
    public PolicyStep<HermesState> assign(HermesState state, PolicyView view) {
      PolicyStep<HermesState> step = policy.assign(state, view);
      Map<HermesState.Gpu, Integer> load = new HashMap<>();
      step.state().gpus().values().forEach(gpu -> load.merge(gpu, 1, Integer::sum));
      assertThat(load.values()).allMatch(trials -> trials <= rule.jobsPerGpu());
      for (PolicyDecision decision : step.decisions()) {
        if (decision instanceof PolicyDecision.Start start) {
          HermesState.Gpu gpu = new HermesState.Gpu(start.instance(), start.gpus().get(0));
          assertThat(step.state().gpus()).containsEntry(start.trial(), gpu);
          record(step.state(), view, start.trial(), gpu);
        }
      }
      return step;
    }

    /** A trial without its first slice is overtaken by others without theirs only. */
    private void record(HermesState state, PolicyView view, int started, HermesState.Gpu gpu) {
      for (PolicyView.Task task : view.waiting()) {
        boolean waits = task.reports().isEmpty() && gpu.equals(state.gpus().get(task.trial()));
        if (waits && task.trial() != started) {
          assertThat(passed.computeIfAbsent(task.trial(), trial -> new HashSet<>()).add(started))
              .as("trial %d starts twice before trial %d starts", started, task.trial())
              .isTrue();
        }
      }
    }
  }

  @Test
  void starvesNoTrialAndUsesEachGpuForOneAtATime() {
    int preemptions = 0;
    for (int seed = 0; seed < CASES; seed++) {
      Case random = Case.random(seed);
      PolicyTimeline<HermesState> timeline =
          new PolicyTimeline<>(new Observed(random.rule()), random.gpus(), random.ready());
      timeline.run("1", Collections.nCopies(random.trials(), random.units()), 0, random);

      assertThat(timeline.endS()).hasSize(random.trials());
      preemptions += timeline.preemptions();
    }
    assertThat(preemptions).isGreaterThan(CASES);
  }

  /** Without competition for GPUs, nothing is preempted. */
  @Test
  void preemptsNothingIfEveryTrialHasItsOwnGpu() {
    for (int seed = 0; seed < CASES; seed++) {
      Case random = Case.random(seed);
      int trials = Math.min(random.trials(), random.gpus() * random.readyS().size());
      PolicyTimeline<HermesState> timeline =
          new PolicyTimeline<>(new Observed(random.rule()), random.gpus(), random.ready());
      timeline.run("1", Collections.nCopies(trials, random.units()), 0, random);

      assertThat(timeline.preemptions()).isZero();
    }
  }

  /** Each preemption costs at most a checkpoint and a start-up on one GPU. */
  @Test
  void costsNoMoreThanItsPreemptions() {
    for (int seed = 0; seed < CASES; seed++) {
      Case random = Case.random(seed);
      double[] readyS = {0};
      PolicyTimeline<HermesState> timeline =
          new PolicyTimeline<>(new Observed(random.rule()), 1, readyS);
      double endS =
          timeline.run("1", Collections.nCopies(random.trials(), random.units()), 0, random);

      double workS = 0;
      for (int trial : List.copyOf(timeline.endS().keySet())) {
        workS += random.startupS(trial, true) + random.units() * random.unitS(trial, ONE, 0);
      }
      assertThat(endS).isBetween(workS - 1e-6, workS + timeline.preemptions() * (1 + 3) + 1e-6);
    }
  }
}
