package io.elastune.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RungRankingTest {
  private static final int RESULTS = 800;

  @Test
  void dividesResultsInAnyOrder() {
    Random random = new Random(1);
    check("random", 4, 0, trial -> random.nextGaussian());
    check("each better than all before", 3, 0, trial -> -trial);
    check("each worse than all before", 3, 0, trial -> trial);
    check("ties", 2, 1, trial -> random.nextInt(5));
    check("failed trials", 4, 1, trial -> trial % 3 == 0 ? Double.NaN : random.nextDouble());
    check("better in waves", 2, 0, trial -> -Math.floorMod(trial * 389L, 977) - trial / 200 * 50);
  }

  /** Adds results, promotes some of them, and compares with the sorted results. */
  private static void check(String order, int share, int least, IntToDoubleFunction lossOf) {
    Random random = new Random(2);
    RungRanking ranking = new RungRanking(share, least);
    for (int run = 0; run < 2; run++) { // the second one in the memory of the first
      ranking.clear();
      List<TrialResult> sorted = new ArrayList<>();
      Set<TrialResult> promoted = new HashSet<>();
      List<TrialResult> added = new ArrayList<>();
      for (int trial = 1; trial <= RESULTS; trial++) {
        TrialResult result = new TrialResult(trial, lossOf.applyAsDouble(trial));
        assertThat(ranking.add(trial, result.loss(), false)).isEqualTo(added.size());
        added.add(result);
        int place = 0;
        while (place < sorted.size() && sorted.get(place).compareTo(result) < 0) {
          place++;
        }
        sorted.add(place, result);
        int most = Math.max(Math.min(least, trial), trial / share);
        @Nullable TrialResult firstOpen = null;
        int open = 0;
        for (TrialResult one : sorted.subList(0, most)) {
          boolean isOpen = one.isValid() && !promoted.contains(one);
          firstOpen = isOpen && firstOpen == null ? one : firstOpen;
          open += isOpen ? 1 : 0;
        }
        assertThat(ranking.open()).as(order).isEqualTo(open);
        int first = ranking.firstOpen();
        assertThat(first).as(order).isEqualTo(firstOpen == null ? -1 : firstOpen.trial() - 1);
        if (trial % 71 == 0 || trial < 20) {
          Set<TrialResult> best = new HashSet<>(sorted.subList(0, most));
          for (int index = 0; index < trial; index++) {
            assertThat(ranking.isBest(index)).as(order).isEqualTo(best.contains(added.get(index)));
          }
        }
        if (first >= 0 && random.nextInt(4) > 0) {
          ranking.promote(first);
          promoted.add(added.get(first));
        }
      }
    }
  }
}
