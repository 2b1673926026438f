package io.elastune.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks guarantees of Fluid on random clusters and trials. */
class FluidPropertiesTest {
  private static final int CASES = 150;
  private static final double ROUNDING = 1e-6;
  private static final double PROHIBITIVE = 1e9;

  /** Trials of random length on equal instances. */
  private record Case(
      int gpus,
      List<Double> readyS,
      int share,
      int largest,
      double alpha,
      double beta,
      double resizeS,
      List<Integer> units)
      implements GroupTimeline.Model {
    static Case random(long seed, int instances) {
      Random random = new Random(seed);
      int share = 1 + random.nextInt(2);
      int gpus = 1 + random.nextInt(8);
      int largest = 1 + random.nextInt(gpus);
      double alpha = 1 + (share == 1 ? 0 : random.nextDouble() * 0.99 / (share - 1));
      double beta = 1 + random.nextDouble() * 0.99 / largest;
      List<Integer> units =
          IntStream.range(0, 1 + random.nextInt(20))
              .mapToObj(i -> 1 + (int) Math.exp(random.nextDouble() * 5))
              .toList();
      List<Double> readyS =
          IntStream.range(0, instances).mapToObj(i -> i * random.nextInt(3) * 10.0).toList();
      return new Case(gpus, readyS, share, largest, alpha, beta, 0, units);
    }

    Case withLinearScaling() {
      return new Case(gpus, readyS, share, largest, alpha, 1, resizeS, units);
    }

    Case withResizeS(double other) {
      return new Case(gpus, readyS, share, largest, alpha, beta, other, units);
    }

    Case withShare(int other) {
      double equal = Math.pow(other, 1.0 / (other - 1));
      return new Case(gpus, readyS, other, largest, equal, beta, resizeS, units);
    }

    FluidPolicy policy(boolean isDynamic) {
      TreeSet<Integer> sizes =
          IntStream.rangeClosed(1, largest).boxed().collect(Collectors.toCollection(TreeSet::new));
      return new FluidPolicy(new FluidRule(isDynamic, sizes, share, resizeS), this::perUnit);
    }

    private double perUnit(Width width) {
      return width.isShared()
          ? Math.pow(alpha, width.trialsPerGpu() - 1.0)
          : Math.pow(beta, width.gpus() - 1.0) / width.gpus();
    }

    double boundS() {
      int cluster = gpus * readyS.size();
      double total = units.stream().mapToInt(Integer::intValue).sum();
      int longest = units.stream().mapToInt(Integer::intValue).max().orElseThrow();
      return Math.max(total / cluster, (double) longest / Math.min(largest, cluster));
    }

    private double[] ready() {
      return readyS.stream().mapToDouble(i -> i).toArray();
    }

    double playS(boolean isDynamic) {
      return new PolicyTimeline<>(new CheckedPolicy<>(policy(isDynamic), share), gpus, ready())
          .run("1", units, 0, this);
    }

    @Override
    public double startupS(int trial, boolean isFirst) {
      return isFirst ? 0 : resizeS;
    }

    @Override
    public double unitS(int trial, Width width, int instance) {
      return perUnit(width);
    }

    @Override
    public double checkpointS(int trial) {
      return 0;
    }

    @Override
    public double pace(int trial, boolean hasReported) {
      return 1;
    }

    @Override
    public double loss(int trial, int unit) {
      return Double.NaN; // Fluid uses no metrics
    }
  }

  @Test
  void endsWithinTwiceTheBound() {
    List<Double> ratios = new ArrayList<>();
    for (int seed = 0; seed < CASES; seed++) {
      Case random = Case.random(seed, 1).withLinearScaling();
      ratios.add(random.playS(false) / random.boundS());
      ratios.add(random.playS(true) / random.boundS());
    }

    assertThat(ratios).allMatch(ratio -> ratio <= 2 + ROUNDING);
  }

  /** With more trials per GPU, the factor is their number; sharing that neither gains nor loses. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void endsWithinTheTrialsPerGpuTimesTheBound(int share) {
    for (int seed = 0; seed < CASES; seed++) {
      Case random = Case.random(seed, 1).withLinearScaling().withShare(share);

      assertThat(random.playS(false)).isLessThanOrEqualTo(share * random.boundS() + ROUNDING);
    }
  }

  @Test
  void neverPutsTooMuchOnAnInstance() {
    for (int seed = 0; seed < CASES; seed++) {
      Case random = Case.random(seed, 3).withResizeS(seed % 3);

      assertThat(random.playS(true)).isFinite();
    }
  }

  @Test
  void keepsWidthsIfAChangeNeverPays() {
    for (int seed = 0; seed < CASES; seed++) {
      Case random = Case.random(seed, 2).withResizeS(PROHIBITIVE);

      assertThat(random.playS(true)).isEqualTo(random.playS(false));
    }
  }

  /** Without GPUs to divide, Fluid is list scheduling if each trial can have a GPU. */
  @Test
  void gainsNothingBySharingAloneIfEachTrialHasAGpu() {
    for (int trials = 1; trials <= 8; trials++) {
      List<Integer> units = IntStream.rangeClosed(1, trials).boxed().toList();
      Case single = new Case(8, List.of(0.0), 2, 1, 1.5, 1, 0, units);

      assertThat(single.playS(true)).isEqualTo(trials);
    }
  }

  @Test
  void gainsLessWithMoreTrials() {
    List<Double> speedUps = new ArrayList<>();
    for (int trials : List.of(3, 5, 7)) {
      List<Integer> units = IntStream.range(0, trials).mapToObj(i -> 10).toList();
      Case equal = new Case(8, List.of(0.0), 2, 4, 1.5, 1.05, 0, units);
      speedUps.add(10 / equal.playS(true));
    }

    assertThat(speedUps.get(0)).isGreaterThan(1.5);
    assertThat(speedUps.subList(1, 3)).containsExactly(1.0, 1.0);
  }

  @Test
  void givesWholeGpusThatExist() {
    for (int seed = 0; seed < CASES; seed++) {
      Case random = Case.random(seed, 2);
      FluidPolicy policy = random.policy(true);
      List<PolicyView.Task> tasks =
          IntStream.range(0, random.units().size())
              .mapToObj(i -> new PolicyView.Task(i + 1, random.units().get(i), 1))
              .toList();
      List<PolicyView.Instance> instances =
          List.of(
              new PolicyView.Instance(0, random.gpus(), true),
              new PolicyView.Instance(1, random.gpus(), false));
      FluidState state =
          policy.assign(policy.initial(), new PolicyView("1", instances, tasks, List.of())).state();

      int whole =
          state.widths().values().stream()
              .filter(width -> !width.isShared() && random.share() > 1)
              .mapToInt(Width::gpus)
              .sum();
      assertThat(whole).isLessThanOrEqualTo(2 * random.gpus());
      assertThat(state.widths().values()).allMatch(width -> width.gpus() <= random.largest());
    }
  }
}
