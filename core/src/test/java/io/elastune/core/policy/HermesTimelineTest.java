package io.elastune.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares {@link HermesTimeline} with {@link HermesPolicy} on a {@link PolicyTimeline}. */
class HermesTimelineTest {
  private static final int CASES = Tier.runs(400, 4_000);

  /** Times of whole seconds make many events fall on the same moment. */
  private record Case(long seed, boolean isWhole, boolean hasTarget)
      implements PolicyTimeline.Model {
    private double draw(long number, double most) {
      double drawn = most * new Random(seed * 1_000_003 + number).nextDouble();
      return isWhole ? Math.rint(drawn) : drawn;
    }

    @Override
    public double startupS(int trial, boolean isFirst) {
      return draw(isFirst ? trial : -trial, 3);
    }

    @Override
    public double unitS(int trial, Width width, int instance) {
      return 1 + draw(10_000L + trial + 1_000L * instance, 2);
    }

    @Override
    public double checkpointS(int trial) {
      return draw(20_000, 2);
    }

    @Override
    public double pace(int trial, boolean hasReported) {
      return 1;
    }

    @Override
    public double loss(int trial, int unit) {
      double drawn = draw(30_000 + 100L * trial + unit, 4);
      return drawn < 0.1 ? Double.NaN : drawn;
    }

    @Override
    public OptionalInt targetUnit(int trial) {
      int unit = (int) draw(40_000L + trial, 60);
      return hasTarget && unit > 0 && unit < 20 ? OptionalInt.of(unit) : OptionalInt.empty();
    }
  }

  @Test
  void playsTheSameRunsAsThePureFunction() {
    int preemptions = 0;
    int targets = 0;
    for (long seed = 0; seed < CASES; seed++) {
      Random random = new Random(seed);
      Case model = new Case(seed, random.nextBoolean(), random.nextInt(3) == 0);
      HermesRule rule =
          new HermesRule(1 + random.nextInt(4), 2 + random.nextInt(3), random.nextBoolean());
      int gpus = 1 + random.nextInt(4);
      double[] readyS =
          IntStream.range(0, 1 + random.nextInt(3)).mapToDouble(i -> random.nextInt(30)).toArray();
      GroupTimeline expected = new PolicyTimeline<>(new HermesPolicy(rule), gpus, readyS);
      GroupTimeline actual = new HermesTimeline(rule, gpus, readyS);
      double startS = random.nextInt(3);
      for (int group = 0; group < 3 && !expected.reachedTarget(); group++) {
        Integer[] units = new Integer[1 + random.nextInt(30)];
        Arrays.setAll(units, trial -> 1 + random.nextInt(15));
        String name = "group " + group;
        String job = "seed " + seed + ", " + name;
        double endS = expected.run(name, List.of(units), startS, model);
        assertThat(actual.run(name, List.of(units), startS, model)).as(job).isEqualTo(endS);
        assertThat(actual.attempts()).as(job).isEqualTo(expected.attempts());
        assertThat(actual.preemptions()).as(job).isEqualTo(expected.preemptions());
        assertThat(actual.reachedTarget()).as(job).isEqualTo(expected.reachedTarget());
        for (int i = 0; i < readyS.length; i++) {
          assertThat(actual.usedS(i)).as(job).isEqualTo(expected.usedS(i));
          assertThat(actual.busyS(i)).as(job).isEqualTo(expected.busyS(i));
        }
        startS = endS;
      }
      preemptions += expected.preemptions();
      targets += expected.reachedTarget() ? 1 : 0;
    }
    assertThat(preemptions).isGreaterThan(10 * CASES);
    assertThat(targets).isGreaterThan(CASES / 20);
  }
}
