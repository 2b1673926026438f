package io.elastune.core.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.search.SearchDecision.Train;
import io.elastune.core.timeline.PhaseSizes;
import io.elastune.core.timeline.PlayedRungs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * ASHA against successive halving when some tasks take much longer (appendix of arXiv 1810.05934):
 * eta 4, units 1 to 256, 256 trials, 25 workers, every task from unit 0, each time multiplied by 1
 * + |z|. An idle worker of successive halving starts another bracket of 256 trials.
 */
class StragglerTest {
  private static final int WORKERS = 25;
  private static final int TRIALS = 256;
  private static final int ETA = 4;
  private static final List<Integer> TARGETS = List.of(1, 4, 16, 64, 256);
  private static final int LAST = TARGETS.size() - 1;
  private static final int SEEDS = 15;
  private static final double LIMIT_S = 2_000;

  /** When the first trial was trained to the last target, and how many were by a time. */
  private record Result(double firstS, int trained) {}

  /** A task of successive halving that runs. */
  private record RunningTask(double endS, Bracket bracket, int trial) {}

  /** One successive halving. */
  private static final class Bracket {
    final Deque<Integer> waiting = new ArrayDeque<>();
    final List<Integer> ended = new ArrayList<>();
    int rung;
    int size = TRIALS;

    Bracket(int firstTrial) {
      IntStream.range(firstTrial, firstTrial + TRIALS).forEach(waiting::add);
    }

    /** Continues the best trials at a barrier. */
    void end(int trial, IntToDoubleFunction losses) {
      ended.add(trial);
      if (ended.size() == size && rung < LAST) {
        ended.sort(Comparator.comparingDouble(losses::applyAsDouble));
        size /= ETA;
        waiting.addAll(ended.subList(0, size));
        ended.clear();
        rung++;
      }
    }
  }

  @Test
  void trainsTheFirstTrialInTheTimesOfThePaper() {
    assertThat(halving(0, 1).firstS()).isCloseTo(360, withinPercentage(1));
    double meanS =
        IntStream.range(0, SEEDS).mapToDouble(seed -> ashaFirstS(0, seed)).average().orElseThrow();
    assertThat(meanS).isCloseTo(355, withinPercentage(2));
  }

  /** ASHA trains 1.2 to 1.5 times as many trials, and the more so the larger the spread is. */
  @Test
  void trainsMoreTrialsThanSuccessiveHalving() {
    double before = 0;
    for (double spread : new double[] {0.1, 0.56, 1.33}) {
      double ashaS = 0;
      double halvingS = 0;
      double asha = 0;
      double halving = 0;
      for (int seed = 0; seed < SEEDS; seed++) {
        Result synchronous = halving(spread, seed);
        halvingS += synchronous.firstS();
        halving += synchronous.trained();
        ashaS += ashaFirstS(spread, seed);
        asha += ashaTrained(spread, seed);
      }
      assertThat(ashaS).as("spread %s", spread).isLessThan(halvingS);
      double ratio = asha / halving;
      assertThat(ratio).as("spread %s", spread).isBetween(Math.max(1.2, before - 0.02), 1.55);
      before = ratio;
    }
  }

  /** The same times for both: by trial and rung. */
  private static double seconds(double spread, int seed, int trial, int rung) {
    long task = (100_003L * seed + trial) * TARGETS.size() + rung;
    Random random = new Random(new SplittableRandom(task).nextLong());
    return TARGETS.get(rung) * (1 + Math.abs(spread * random.nextGaussian()));
  }

  private static double loss(int seed, int trial) {
    return new SplittableRandom(7919L * seed + trial).nextDouble();
  }

  private static double ashaFirstS(double spread, int seed) {
    return asha(TRIALS, OptionalInt.of(1), spread, seed, new int[1]).timeline.play();
  }

  private static int ashaTrained(double spread, int seed) {
    int[] trained = new int[1];
    PlayedRungs played = asha(RungRule.UNLIMITED - 1, OptionalInt.empty(), spread, seed, trained);
    var unused = played.timeline.stoppedAt(LIMIT_S).play();
    return trained[0];
  }

  private static PlayedRungs asha(
      int trials, OptionalInt most, double spread, int seed, int[] trained) {
    RungRule rule =
        new RungRule(
            TARGETS, trials, ETA, Variant.PROMOTION, true, OptionalInt.empty(), most, true);
    PhaseSizes.Phase size = new PhaseSizes.Phase(WORKERS, 1);
    return new PlayedRungs(
        rule,
        new PhaseSizes.Plan(1, size, size, true),
        new double[WORKERS],
        0,
        new PlayedRungs.Model() {
          @Override
          public double seconds(Train task, int gpus, int instance, boolean starts) {
            return StragglerTest.seconds(spread, seed, task.trial(), task.rung());
          }

          @Override
          public double loss(int trial, int rung) {
            trained[0] += rung == LAST ? 1 : 0; // asked once, at the end of the task
            return StragglerTest.loss(seed, trial);
          }
        });
  }

  private static Result halving(double spread, int seed) {
    PriorityQueue<RunningTask> running =
        new PriorityQueue<>(Comparator.comparingDouble(RunningTask::endS));
    List<Bracket> brackets = new ArrayList<>();
    double nowS = 0;
    double firstS = Double.POSITIVE_INFINITY;
    int trained = 0;
    while (nowS <= LIMIT_S) {
      while (running.size() < WORKERS) {
        Bracket next = next(brackets);
        int trial = next.waiting.remove();
        running.add(new RunningTask(nowS + seconds(spread, seed, trial, next.rung), next, trial));
      }
      RunningTask ended = running.remove();
      nowS = ended.endS();
      if (ended.bracket().rung == LAST) {
        firstS = Math.min(firstS, nowS);
        trained += nowS <= LIMIT_S ? 1 : 0;
      }
      ended.bracket().end(ended.trial(), trial -> loss(seed, trial));
    }
    return new Result(firstS, trained);
  }

  /** The first bracket with a task that may start, or a new one. */
  private static Bracket next(List<Bracket> brackets) {
    return brackets.stream()
        .filter(bracket -> !bracket.waiting.isEmpty())
        .findFirst()
        .orElseGet(
            () -> {
              Bracket added = new Bracket(1 + TRIALS * brackets.size());
              brackets.add(added);
              return added;
            });
  }
}
