package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.Straggler;
import io.elastune.simulator.draw.FastSimulatorDraws;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.sample.JointSamples;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Compares the choice among equal instances, for use and for release, with the slow simulator,
 * sample by sample. Such ties are rare in random jobs.
 */
class TiesTest {
  private static final int SAMPLES = 300;
  private static final Offset<Double> ROUNDING = within(1e-6);

  /** Long queues with a large spread, so that instances are often still pending at a barrier. */
  private static final Spread QUEUE = new Spread(100, 3);

  @Test
  void releasesPendingInstancesFirst() {
    // Two trials run on the first two ready instances. The third may still be pending when the
    // second group has used its one slot, and is then released before a ready one.
    compare(offer(1, QUEUE, Spread.NONE), 0.3, "2:3×1 1:3×1 2:2×1");
    compare(offer(1, QUEUE, new Spread(50, 1)), 0.3, "3:5×1 1:5×1 3:3×1 1:2×1");
  }

  @Test
  void releasesHigherNumbersFirst() {
    compare(offer(2, Spread.exactly(15), Spread.exactly(60)), 0.8, "1:6×1 4:3×1 8:2×1");
    compare(offer(2, Spread.exactly(15), new Spread(60, 2)), 0.8, "3:6×2 6:4×1 8:2×2");
  }

  @Test
  void usesLowestOfEquallyFreeTeams() {
    // In the second group all are ready: teams are filled by ready time and used by number.
    compare(offer(1, QUEUE, Spread.NONE), 0.8, "3:6×2 2:6×2 4:6×3");
    compare(offer(2, Spread.exactly(15), Spread.exactly(60)), 0.8, "5:7×4 2:7×4 3:7×6");
    compare(offer(1, QUEUE, new Spread(60, 1)), 0.8, "7:7×2 1:7×3 5:5×2 2:4×2");
  }

  @Test
  void packsTrialsOnLowestInstances() {
    compare(offer(4, Spread.exactly(15), Spread.exactly(60)), 0.8, "6:5×1 5:4×1 3:2×1");
    compare(offer(4, Spread.exactly(15), new Spread(60, 1)), 0.8, "9:5×1 13:4×2 2:2×1");
  }

  /** Compares plans; groups have the format {@code trials:instances×gpus}. */
  private static void compare(Offer offer, double instanceCv, String groups) {
    List<TrialGroup> chain = new ArrayList<>();
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (String group : groups.split(" ", -1)) {
      String[] parts = group.split("[:×]", -1);
      int number = chain.size() + 1;
      chain.add(
          new TrialGroup(String.valueOf(number), Integer.parseInt(parts[0]), number - 1, number));
      allocations.put(
          String.valueOf(number),
          new Allocation(offer.name(), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]), 1));
    }
    Problem problem =
        WorkedExample.problem(List.of(new Chain("", chain)), List.of(offer), profile(instanceCv));
    for (boolean hold : new boolean[] {false, true}) {
      Plan plan = new Plan(hold, allocations);
      JointSamples fast = new Simulator(problem, SAMPLES).sample(plan);
      Draws draws = new Draws(problem, SAMPLES);
      for (int sample = 0; sample < SAMPLES; sample++) {
        ReferenceSimulator slow =
            new ReferenceSimulator(problem, plan, FastSimulatorDraws.of(draws, sample));
        String name = "sample " + sample + " of " + plan;
        assertThat(fast.completionS()[sample]).as(name).isCloseTo(slow.completionS(), ROUNDING);
        assertThat(fast.costUsd()[sample]).as(name).isCloseTo(slow.costUsd(), ROUNDING);
      }
    }
  }

  private static Offer offer(int gpus, Spread queueS, Spread bootS) {
    BillingTerms terms = new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0);
    return WorkedExample.offer("p3.8xlarge", "V100", gpus, terms, queueS, bootS);
  }

  private static Profile profile(double instanceCv) {
    Map<Integer, Double> seconds = Map.of(1, 30.0, 2, 17.0, 4, 10.0, 6, 8.0);
    Profile plain = WorkedExample.profile("V100", seconds, Map.of(), Spread.exactly(10), 0, 0.5);
    return WorkedExample.with(plain, Straggler.NONE, List.of(), instanceCv, Straggler.NONE);
  }
}
