package io.elastune.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.search.SearchDecision.Train;
import java.util.List;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * ASHA against successive halving when some tasks take much longer (appendix of arXiv 1810.05934):
 * eta 4, units 1 to 256, 256 trials, 25 workers, each time multiplied by 1 + |z|.
 */
class StragglerTest {
  private static final int WORKERS = 25;
  private static final int TRIALS = 256;
  private static final List<Integer> TARGETS = List.of(1, 4, 16, 64, 256);
  private static final int SEEDS = 20;

  /** The first fully trained trial comes earlier, and the more so the larger the spread is. */
  @Test
  void trainsTheFirstTrialEarlierTheMoreTimesVary() {
    double before = 0;
    for (double spread : new double[] {0.1, 0.56, 1.33}) {
      double synchronous = 0;
      double asynchronous = 0;
      for (int seed = 0; seed < SEEDS; seed++) {
        synchronous += halvingS(spread, seed);
        asynchronous += ashaS(spread, seed);
      }
      double ratio = synchronous / asynchronous;
      assertThat(ratio).as("spread %s", spread).isGreaterThan(Math.max(1, before));
      before = ratio;
    }
  }

  /** The same times for both: by trial and rung. */
  private static double seconds(double spread, int seed, int trial, int rung) {
    int from = rung == 0 ? 0 : TARGETS.get(rung - 1);
    Random random = new Random(31L * (31L * seed + trial) + rung);
    random.nextInt();
    return (TARGETS.get(rung) - from) * (1 + Math.abs(spread * random.nextGaussian()));
  }

  private static double ashaS(double spread, int seed) {
    RungRule rule =
        new RungRule(
            TARGETS,
            TRIALS,
            4,
            Variant.PROMOTION,
            true,
            OptionalInt.empty(),
            OptionalInt.of(1),
            false);
    RungTimeline.PhaseSize size = new RungTimeline.PhaseSize(WORKERS, 1);
    RungSearch search = new RungSearch(rule);
    RungTimeline timeline =
        new RungTimeline(
            search,
            search.initial(),
            new RungTimeline.Pool(1, size, size, true),
            new double[WORKERS],
            new RungTimeline.Model() {
              @Override
              public double seconds(Train task, int gpus, int instance, boolean starts) {
                return StragglerTest.seconds(spread, seed, task.trial(), task.rung());
              }

              @Override
              public double loss(int trial, int rung) {
                return quality(seed, trial);
              }
            });
    timeline.run();
    return timeline.endS();
  }

  private static double quality(int seed, int trial) {
    return new Random(7919L * seed + trial).nextDouble();
  }

  /** Successive halving with a barrier after each rung. */
  private static double halvingS(double spread, int seed) {
    List<Integer> alive = IntStream.rangeClosed(1, TRIALS).boxed().toList();
    double startS = 0;
    for (int rung = 0; rung < TARGETS.size(); rung++) {
      PriorityQueue<Double> free = new PriorityQueue<>();
      for (int worker = 0; worker < WORKERS; worker++) {
        free.add(startS);
      }
      double endS = startS;
      for (int trial : alive) {
        double trialEndS = free.remove() + seconds(spread, seed, trial, rung);
        free.add(trialEndS);
        endS = Math.max(endS, trialEndS);
      }
      startS = endS;
      alive =
          alive.stream()
              .map(trial -> new TrialResult(trial, quality(seed, trial)))
              .sorted()
              .limit(alive.size() / 4)
              .map(TrialResult::trial)
              .sorted()
              .toList();
    }
    return startS;
  }
}
