package io.elastune.simulator.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.allocation.FreeSlot;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class SlotTreeTest {
  private static final int MOST = 70;

  @Test
  void returnsSlotsInListSchedulingOrder() {
    SlotTree tree = new SlotTree(MOST);
    for (long seed = 0; seed < 1000; seed++) {
      RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
      int slots = 1 + random.nextInt(MOST);
      double[] freeS = random.doubles(slots).map(free -> Math.floor(free * slots)).toArray();
      PriorityQueue<FreeSlot> queue = new PriorityQueue<>();
      for (int slot = 0; slot < slots; slot++) {
        queue.add(new FreeSlot(freeS[slot], 0, slot));
      }
      tree.build(freeS, slots);
      for (int trial = 0; trial < 3 * slots; trial++) {
        FreeSlot next = queue.remove();
        assertThat(tree.first()).as("seed %s, trial %s", seed, trial).isEqualTo(next.slot());
        assertThat(tree.firstFreeS()).isEqualTo(next.freeS());
        double untilS = next.freeS() + random.nextInt(4);
        tree.occupyFirst(untilS);
        queue.add(new FreeSlot(untilS, 0, next.slot()));
      }
    }
  }
}
