package io.elastune.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.search.SearchDecision;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Compares asynchronous searches with one and several brackets with a slow implementation. */
class AsynchronousSearchTest {
  private static final Offset<Double> EXACT = within(1e-9);
  private static final int CASES = Integer.getInteger("elastune.rungs.cases", 400);

  @Test
  void agreesWithTheReference() {
    for (int seed = 0; seed < CASES; seed++) {
      RandomRungs random = new RandomRungs(seed);
      PlayedRungs played = random.played(random.pool);
      if (Double.isFinite(random.stopS)) {
        var unused = played.timeline.stoppedAt(random.stopS);
      }
      double endS = played.timeline.play();
      // The trial numbers of brackets, counted one by one.
      ReferenceRungs reference =
          new ReferenceRungs(
              random.rule,
              random.pool,
              random.readyS,
              random,
              trial -> bracket(random.rule, trial),
              random.stopS,
              random.unitS());

      assertThat(endS).as("%s", random).isCloseTo(reference.run(), EXACT);
      assertThat(played.timeline.phaseStartS())
          .as("%s", random)
          .isCloseTo(reference.closingS, EXACT);
      assertThat(played.timeline.releasedS())
          .as("%s", random)
          .containsExactly(reference.releasedS, EXACT);
      int[] counts = new int[random.rule.targets().size()];
      reference.tasks.forEach(task -> counts[task.rung]++);
      assertThat(played.search.counts()).as("%s", random).containsExactly(counts);
    }
  }

  /** Releasing idle instances delays no search whose phases may hold equally many. */
  @Test
  void releasingDelaysNothing() {
    int released = 0;
    for (int seed = 0; seed < CASES; seed++) {
      RandomRungs random = new RandomRungs(seed);
      int open = random.pool.open().instances();
      PhaseSizes.Phase closing = new PhaseSizes.Phase(open, random.pool.closing().gpus());
      PlayedRungs[] played = new PlayedRungs[2];
      double[] endS = new double[2];
      for (int hold = 0; hold < played.length; hold++) {
        PhaseSizes.Plan pool = new PhaseSizes.Plan(4, random.pool.open(), closing, hold == 1);
        played[hold] = random.played(pool);
        endS[hold] = played[hold].timeline.play();
      }

      assertThat(endS[0]).as("%s", random).isEqualTo(endS[1]);
      assertThat(played[0].search.counts()).as("%s", random).isEqualTo(played[1].search.counts());
      double[] releasedS = played[0].timeline.releasedS();
      released += Arrays.stream(releasedS).anyMatch(s -> s < endS[1]) ? 1 : 0;
    }
    assertThat(released).isGreaterThan(CASES / 4);
  }

  /** By the numbers of Hyperband: whenever the share of the later brackets grows by a whole. */
  private static int bracket(RungRule rule, int trial) {
    int rungs = rule.targets().size();
    double[] tails = new double[rule.brackets() + 1];
    for (int b = rule.brackets() - 1; b >= 0; b--) {
      int above = rungs - 1 - b;
      tails[b] = tails[b + 1] + Math.ceil(rungs * Math.pow(rule.eta(), above) / (above + 1) - 1e-9);
    }
    int index = trial;
    for (int b = 0; b < rule.brackets() - 1; b++) {
      int after = (int) Math.floor(index * tails[b + 1] / tails[b] + 1e-9);
      int before = (int) Math.floor((index - 1) * tails[b + 1] / tails[b] + 1e-9);
      if (after == before) {
        return b;
      }
      index = after;
    }
    return rule.brackets() - 1;
  }

  /** A random search, pool and order of trials. */
  private static final class RandomRungs implements PlayedRungs.Model {
    final RungRule rule;
    final PhaseSizes.Plan pool;
    final double[] readyS;
    final double stopS;

    private final long seed;

    RandomRungs(long seed) {
      this.seed = seed;
      Random random = new Random(seed);
      int eta = 2 + random.nextInt(3);
      List<Integer> targets = new ArrayList<>(List.of(1 + random.nextInt(3)));
      int rungs = 2 + random.nextInt(3);
      while (targets.size() < rungs) {
        targets.add(targets.get(targets.size() - 1) * eta);
      }
      boolean stops = random.nextInt(3) == 0;
      rule =
          new RungRule(
                  targets,
                  1 + random.nextInt(40),
                  eta,
                  stops ? Variant.STOPPING : Variant.PROMOTION,
                  random.nextBoolean(),
                  random.nextInt(3) == 0
                      ? OptionalInt.of(1 + random.nextInt(6))
                      : OptionalInt.empty(),
                  random.nextInt(4) == 0
                      ? OptionalInt.of(1 + random.nextInt(3))
                      : OptionalInt.empty(),
                  !stops && random.nextInt(4) == 0)
              .withBrackets(1 + random.nextInt(rungs));
      int instances = 1 + random.nextInt(4);
      int open = 1 << random.nextInt(3);
      pool =
          new PhaseSizes.Plan(
              4,
              new PhaseSizes.Phase(instances, open),
              new PhaseSizes.Phase(
                  1 + random.nextInt(instances), stops ? open : 1 << random.nextInt(3)),
              random.nextInt(4) == 0);
      readyS = random.doubles(instances).map(u -> Math.rint(10 * u)).toArray();
      stopS = random.nextInt(3) == 0 ? 5 + random.nextInt(150) + 0.5 : Double.POSITIVE_INFINITY;
    }

    PlayedRungs played(PhaseSizes.Plan plan) {
      return new PlayedRungs(rule, plan, readyS, unitS(), this);
    }

    double unitS() {
      return 1.0 / pool.open().gpus();
    }

    @Override
    public double seconds(SearchDecision.Train task, int gpus, int instance, boolean starts) {
      Random random =
          new Random(seed * 31 + Arrays.hashCode(new int[] {task.trial(), task.rung()}));
      random.nextDouble();
      double factor = seed % 2 == 0 ? 1 : 1 + random.nextDouble(); // even seeds have many ties
      return (starts ? 2 : 0) + (task.to() - task.from()) * factor / gpus;
    }

    @Override
    public double loss(int trial, int rung) {
      Random random = new Random(seed * 17 + Arrays.hashCode(new int[] {rung, trial}));
      random.nextDouble();
      return random.nextInt(20);
    }

    @Override
    public String toString() {
      return "seed " + seed + ": " + rule + ", " + pool;
    }
  }
}
