package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares placements of random states with all possible placements. */
class PlacementTest {
  private static final int STATES = 5000;

  /** The order of placements: fewer sites, then fewer moves, then fewer free slots. */
  private record Worth(int sites, int moves, int room) implements Comparable<Worth> {
    @Override
    public int compareTo(Worth other) {
      return Arrays.compare(
          new int[] {sites, moves, room}, new int[] {other.sites, other.moves, other.room});
    }
  }

  @Test
  void placementMovesTheFewestTrials() {
    for (long seed = 0; seed < STATES; seed++) {
      RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
      List<TrialSite> sites = sites(random, 1 + random.nextInt(4), false);
      int room = sites.stream().mapToInt(TrialSite::room).sum();
      int trials = 1 + random.nextInt(Math.min(6, room));
      List<Set<String>> homes =
          IntStream.range(0, trials)
              .mapToObj(trial -> random.nextInt(4) == 0 ? Set.<String>of() : Set.of(lease(random)))
              .toList();
      check(seed, sites, homes);
    }
  }

  @Test
  void placementMovesTheFewestTeamTrials() {
    for (long seed = 0; seed < STATES; seed++) {
      RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
      boolean teams = random.nextBoolean();
      List<TrialSite> sites = sites(random, 1 + random.nextInt(4), teams);
      // All sites are needed, as at a barrier: the surplus is released.
      int room = Math.min(6, sites.stream().mapToInt(TrialSite::room).sum());
      int least = sites.stream().mapToInt(TrialSite::room).min().orElseThrow();
      int trials = room - random.nextInt(least);
      if (room < sites.stream().mapToInt(TrialSite::room).sum()) {
        continue;
      }
      List<Set<String>> homes =
          IntStream.range(0, trials)
              .mapToObj(
                  trial -> {
                    String first = lease(random);
                    String second = lease(random);
                    return first.equals(second) ? Set.of(first) : Set.of(first, second);
                  })
              .toList();
      check(seed, sites, homes);
    }
  }

  private static List<TrialSite> sites(RandomGenerator random, int count, boolean teams) {
    List<TrialSite> sites = new ArrayList<>();
    for (int site = 0; site < count; site++) {
      sites.add(
          teams
              ? new TrialSite(List.of("i" + 2 * site, "i" + (2 * site + 1)), 1)
              : new TrialSite(List.of("i" + site), 1 + random.nextInt(4)));
    }
    return sites;
  }

  private static String lease(RandomGenerator random) {
    return "i" + random.nextInt(6);
  }

  private static void check(long seed, List<TrialSite> sites, List<Set<String>> homes) {
    int[] placed = Placement.of(sites, homes);

    String name = "seed " + seed + ": " + sites + ", " + homes + " -> " + Arrays.toString(placed);
    assertThat(isPossible(sites, placed)).as(name).isTrue();
    Worth best = best(sites, homes, new int[homes.size()], 0);
    Worth found = worth(sites, homes, placed);
    assertThat(found.sites()).as(name).isEqualTo(best.sites());
    assertThat(found.moves()).as(name).isEqualTo(best.moves());
    assertThat(found.room()).as(name).isEqualTo(best.room());
  }

  private static boolean isPossible(List<TrialSite> sites, int[] placed) {
    return IntStream.range(0, sites.size())
        .allMatch(
            site ->
                Arrays.stream(placed).filter(at -> at == site).count() <= sites.get(site).room());
  }

  /** The best value of all placements that start with {@code placed}. */
  private static Worth best(
      List<TrialSite> sites, List<Set<String>> homes, int[] placed, int next) {
    if (next == placed.length) {
      return isPossible(sites, placed)
          ? worth(sites, homes, placed)
          : new Worth(Integer.MAX_VALUE, 0, 0);
    }
    Worth best = new Worth(Integer.MAX_VALUE, 0, 0);
    for (int site = 0; site < sites.size(); site++) {
      placed[next] = site;
      Worth other = best(sites, homes, placed, next + 1);
      best = other.compareTo(best) < 0 ? other : best;
    }
    return best;
  }

  private static Worth worth(List<TrialSite> sites, List<Set<String>> homes, int[] placed) {
    int moves = 0;
    for (int trial = 0; trial < placed.length; trial++) {
      moves += sites.get(placed[trial]).isHome(homes.get(trial)) ? 0 : 1;
    }
    int[] used = Arrays.stream(placed).distinct().toArray();
    int room = Arrays.stream(used).map(site -> sites.get(site).room()).sum();
    return new Worth(used.length, moves, room);
  }

  @Test
  void newTrialsFillTheLowestNumbersFirst() {
    List<TrialSite> sites =
        List.of(new TrialSite(List.of("i1"), 2), new TrialSite(List.of("i2"), 2));
    List<Set<String>> homes = List.of(Set.of(), Set.of(), Set.of());
    assertThat(Placement.of(sites, homes)).containsExactly(0, 0, 1);
    assertThat(Placement.of(sites, homes.subList(0, 1))).containsExactly(0);
  }

  @Test
  void hungTrialMovesIfASlotIsFree() {
    List<TrialSite> sites =
        List.of(new TrialSite(List.of("i1"), 1), new TrialSite(List.of("i2"), 2));
    Set<String> none = Set.of();
    Set<String> first = Set.of("i1");
    assertThat(new HungTrialPlacement(sites, List.of(first)).place(new int[] {0}))
        .containsExactly(1);
    assertThat(new HungTrialPlacement(sites, List.of(none)).place(new int[] {0}))
        .containsExactly(0);
    // Without a free slot, it changes places with a trial that did not hang there,
    assertThat(new HungTrialPlacement(sites, List.of(none, none, first)).place(new int[] {1, 1, 0}))
        .containsExactly(0, 1, 1);
    // and if none can, it stays.
    assertThat(
            new HungTrialPlacement(sites, List.of(first, first, first)).place(new int[] {0, 1, 1}))
        .containsExactly(0, 1, 1);
    assertThat(new HungTrialPlacement(sites.subList(0, 1), List.of(first)).place(new int[] {0}))
        .containsExactly(0);
  }

  @Test
  void trialTakesTheBestFit() {
    List<TrialSite> sites =
        List.of(new TrialSite(List.of("i1"), 4), new TrialSite(List.of("i2"), 1));
    assertThat(Placement.of(sites, List.of(Set.of()))).containsExactly(1);
    assertThat(Placement.of(sites, List.of(Set.of("i1")))).containsExactly(0);
  }
}
