package io.elastune.core.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.RungRule.Variant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Compares asynchronous searches with one and several brackets with a slow implementation. */
class RungTimelineTest {
  private static final Offset<Double> EXACT = within(1e-9);
  private static final int CASES = Integer.getInteger("elastune.rungs.cases", 400);

  @Test
  void agreesWithTheReference() {
    for (int seed = 0; seed < CASES; seed++) {
      RandomRungs random = new RandomRungs(seed);
      RungSearch search = new RungSearch(random.rule);
      RungTimeline timeline =
          new RungTimeline(search, search.initial(), random.pool, random.readyS, random);
      if (Double.isFinite(random.stopS)) {
        timeline.stopAt(random.stopS, random.unitS());
      }
      timeline.run();
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

      assertThat(timeline.endS()).as("%s", random).isCloseTo(reference.run(), EXACT);
      assertThat(timeline.closingS()).as("%s", random).isCloseTo(reference.closingS, EXACT);
      assertThat(timeline.releasedS).as("%s", random).containsExactly(reference.releasedS, EXACT);
      int[] counts = new int[random.rule.targets().size()];
      reference.tasks.forEach(task -> counts[task.rung]++);
      assertThat(timeline.tasks).as("%s", random).containsExactly(counts);
    }
  }

  /** Releasing idle instances delays no search whose phases may hold equally many. */
  @Test
  void releasingDelaysNothing() {
    int released = 0;
    for (int seed = 0; seed < CASES; seed++) {
      RandomRungs random = new RandomRungs(seed);
      int open = random.pool.open().instances();
      RungTimeline.PhaseSize closing =
          new RungTimeline.PhaseSize(open, random.pool.closing().gpus());
      RungTimeline[] played = new RungTimeline[2];
      for (int hold = 0; hold < played.length; hold++) {
        RungSearch search = new RungSearch(random.rule);
        RungTimeline.Pool pool = new RungTimeline.Pool(4, random.pool.open(), closing, hold == 1);
        played[hold] = new RungTimeline(search, search.initial(), pool, random.readyS, random);
        played[hold].run();
      }

      assertThat(played[0].endS()).as("%s", random).isEqualTo(played[1].endS());
      assertThat(played[0].tasks).as("%s", random).isEqualTo(played[1].tasks);
      released += Arrays.stream(played[0].releasedS).anyMatch(s -> s < played[1].endS()) ? 1 : 0;
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
  private static final class RandomRungs implements RungTimeline.Model {
    final RungRule rule;
    final RungTimeline.Pool pool;
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
          new RungTimeline.Pool(
              4,
              new RungTimeline.PhaseSize(instances, open),
              new RungTimeline.PhaseSize(
                  1 + random.nextInt(instances), stops ? open : 1 << random.nextInt(3)),
              random.nextInt(4) == 0);
      readyS = random.doubles(instances).map(u -> Math.rint(10 * u)).toArray();
      stopS = random.nextInt(3) == 0 ? 5 + random.nextInt(150) + 0.5 : Double.POSITIVE_INFINITY;
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
