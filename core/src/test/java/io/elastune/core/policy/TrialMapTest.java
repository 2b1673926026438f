package io.elastune.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares changes with those of another map. */
class TrialMapTest {
  private static final int CHANGES = 2000;
  private static final int TRIALS = 40;

  @Test
  void agreesWithHashMapAndNeverChanges() {
    Random random = new Random(1);
    Map<Integer, String> expected = new HashMap<>();
    TrialMap<String> map = TrialMap.empty();
    for (int i = 0; i < CHANGES; i++) {
      TrialMap<String> before = map;
      Map<Integer, String> expectedBefore = Map.copyOf(expected);
      TrialMap.Draft<String> draft = map.edit();
      for (int change = random.nextInt(3); change > 0; change--) {
        int trial = 1 + random.nextInt(TRIALS);
        if (random.nextBoolean()) {
          draft.put(trial, "value " + i);
          expected.put(trial, "value " + i);
        } else {
          draft.remove(trial);
          expected.remove(trial);
        }
      }
      map = draft.done();

      assertThat(map).isEqualTo(expected).hasSameSizeAs(expected);
      assertThat(List.copyOf(map.keySet())).isSorted();
      assertThat(before).isEqualTo(expectedBefore);
      int trial = random.nextInt(2 * TRIALS);
      assertThat(map.get(trial)).isEqualTo(expected.get(trial)).isEqualTo(map.of(trial));
      assertThat(map.containsKey(trial)).isEqualTo(expected.containsKey(trial));
    }
    assertThat(TrialMap.copyOf(expected)).isEqualTo(map);
  }
}
