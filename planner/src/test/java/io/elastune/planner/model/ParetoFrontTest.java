package io.elastune.planner.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Compares Pareto sets with a comparison of all pairs of points. */
class ParetoFrontTest {
  private static final int ROUNDS = 300;

  private record Point(double completionS, double costUsd, int name) implements TimeAndCost {}

  @Test
  void holdsThePointsThatNoOtherDominates() {
    for (long seed = 0; seed < ROUNDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<Point> all = new ArrayList<>();
      ParetoFront<Point> paretoFront = new ParetoFront<>(Comparator.comparingInt(Point::name));
      for (int i = 0; i < 40; i++) {
        // Whole numbers, so that ties are frequent.
        Point point = new Point(random.nextInt(20), random.nextInt(20), random.nextInt(100));
        boolean wanted = paretoFront.accepts(point.completionS(), point.costUsd());
        boolean kept = paretoFront.add(point);
        assertThat(wanted || !kept).as("seed %d", seed).isTrue();
        all.add(point);
      }
      List<Point> best =
          all.stream()
              .filter(point -> all.stream().noneMatch(other -> dominates(other, point)))
              .distinct()
              .sorted(Comparator.comparingDouble(Point::completionS))
              .toList();

      assertThat(paretoFront.items()).as("seed %d", seed).isEqualTo(best);
      for (int deadline = 0; deadline < 20; deadline++) {
        double untilS = deadline;
        List<Point> inTime = best.stream().filter(p -> p.completionS() <= untilS).toList();
        assertThat(paretoFront.countWithin(untilS)).as("seed %d", seed).isEqualTo(inTime.size());
        assertThat(paretoFront.cheapestWithin(untilS))
            .as("seed %d", seed)
            .isEqualTo(inTime.stream().reduce((faster, cheaper) -> cheaper));
      }
    }
  }

  private static boolean dominates(Point a, Point b) {
    boolean noWorse = a.completionS() <= b.completionS() && a.costUsd() <= b.costUsd();
    boolean better = a.completionS() < b.completionS() || a.costUsd() < b.costUsd();
    return noWorse && (better || a.name() < b.name());
  }
}
