package io.elastune.core.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.TrialGroup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests slots, list-scheduling order, teams, release order and holdings. */
class AllocationRulesTest {
  @ParameterizedTest
  @CsvSource({
    // G, I, g, k: team size, teams, slots per team, waves of 10 trials, share of an instance
    "4, 2, 1, 1, 1, 2, 4, 2, 0.25",
    "4, 2, 2, 1, 1, 2, 2, 3, 0.5",
    "4, 2, 3, 1, 1, 2, 1, 5, 0.75",
    "4, 2, 4, 1, 1, 2, 1, 5, 1",
    "4, 5, 8, 1, 2, 2, 1, 5, 2",
    "1, 3, 3, 1, 3, 1, 1, 10, 3",
    "4, 2, 1, 3, 1, 2, 12, 1, 0.0833333333333333333",
  })
  void countsSlots(
      int gpus,
      int instances,
      int size,
      int sharing,
      int team,
      int teams,
      int slots,
      int waves,
      double share) {
    var offer = TestProblems.offer("t", "A", gpus);
    Allocation allocation = new Allocation(offer.name(), instances, size, sharing);

    assertThat(SlotCounts.teamSize(offer, allocation)).isEqualTo(team);
    assertThat(SlotCounts.teams(offer, allocation)).isEqualTo(teams);
    assertThat(SlotCounts.trialsPerTeam(offer, allocation)).isEqualTo(slots);
    assertThat(SlotCounts.concurrentTrials(offer, allocation)).isEqualTo(teams * slots);
    assertThat(SlotCounts.waves(offer, allocation, 10)).isEqualTo(waves);
    assertThat(SlotCounts.instanceShare(offer, allocation)).isEqualTo(share);
  }

  @Test
  void ordersFreeSlotsByTimeThenNumbers() {
    List<FreeSlot> inOrder =
        List.of(
            new FreeSlot(5, 9, 9),
            new FreeSlot(6, 0, 1),
            new FreeSlot(6, 1, 0),
            new FreeSlot(6, 1, 3),
            new FreeSlot(7, 0, 0));

    assertOrder(inOrder);
  }

  @Test
  void timesAsBitsKeepTheirOrder() {
    double[] times = {0, Double.MIN_VALUE, 1e-9, 1, Math.nextUp(1.0), 2, 1e300, 1.0 / 0};
    for (int a = 0; a < times.length; a++) {
      for (int b = 0; b < times.length; b++) {
        for (int rankA = 0; rankA < 3; rankA++) {
          long order =
              FreeSlot.order(
                  Double.doubleToRawLongBits(times[a]),
                  rankA,
                  Double.doubleToRawLongBits(times[b]),
                  1);
          int expected = a == b ? Integer.compare(rankA, 1) : Integer.compare(a, b);
          assertThat(Long.signum(order)).isEqualTo(expected);
          assertThat(FreeSlot.before(times[a], rankA, times[b], 1)).isEqualTo(expected < 0);
        }
      }
    }
    assertThat(FreeSlot.before(-0.0, 1, 0.0, 2)).isTrue();
    assertThat(FreeSlot.before(0.0, 1, -0.0, 2)).isTrue();
  }

  @Test
  void fillsTeamsByReadyTimeThenNumber() {
    List<TeamMember> members =
        List.of(
            new TeamMember(50, 4),
            new TeamMember(70, 0),
            new TeamMember(70, 1),
            new TeamMember(80, 3),
            new TeamMember(90, 2));

    assertOrder(members);
    assertThat(TeamMember.teams(members, 2)).containsExactly(List.of(4, 0), List.of(1, 3));
    assertThat(TeamMember.teams(members, 5)).containsExactly(List.of(4, 0, 1, 3, 2));
    assertThat(TeamMember.teams(members, 6)).isEmpty();
  }

  @Test
  void ordersReleasesByIdleTimeReadinessAndNumber() {
    List<IdleInstance> inOrder =
        List.of(
            new IdleInstance(10, true, 0),
            new IdleInstance(20, false, 7),
            new IdleInstance(20, false, 2),
            new IdleInstance(20, true, 9),
            new IdleInstance(20, true, 1));

    assertOrder(inOrder);
    assertThat(IdleInstance.released(inOrder, 3)).isEqualTo(inOrder.subList(0, 2));
    assertThat(IdleInstance.released(inOrder, 5)).isEmpty();
    assertThat(IdleInstance.released(inOrder, 8)).isEmpty();
  }

  @Test
  void isIdleOnceNoTrialCanStart() {
    assertThat(IdleInstance.idleS(30, 20)).isEqualTo(30);
    assertThat(IdleInstance.idleS(10, 20)).isEqualTo(20);
  }

  @Test
  void requestsMissingAndKeepsNeededInstances() {
    Chain chain = chain(5);
    Plan plan = plan("a 4", "a 2", "a 3", "b 3", "a 1");

    assertThat(GroupHolding.of(chain, plan))
        .containsExactly(
            new GroupHolding(4, 2),
            new GroupHolding(0, 2),
            new GroupHolding(1, 0),
            new GroupHolding(3, 0),
            new GroupHolding(1, 0));
    assertThat(GroupHolding.maximum(chain, plan, allocation -> 1)).isEqualTo(4);
  }

  @Test
  void holdCountsEveryRequest() {
    Plan released = plan("a 4", "a 2", "a 4");
    Plan held = new Plan(true, released.allocations());

    assertThat(GroupHolding.maximum(chain(3), released, allocation -> 2)).isEqualTo(8);
    assertThat(GroupHolding.maximum(chain(3), held, allocation -> 2)).isEqualTo(12);
  }

  private static Chain chain(int groups) {
    return new Chain(
        "",
        IntStream.rangeClosed(1, groups)
            .mapToObj(i -> new TrialGroup(String.valueOf(i), 1, i, i + 1))
            .toList());
  }

  private static Plan plan(String... offersAndInstances) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (String each : offersAndInstances) {
      int space = each.indexOf(' ');
      allocations.put(
          String.valueOf(allocations.size() + 1),
          new Allocation(
              each.substring(0, space), Integer.parseInt(each.substring(space + 1)), 1, 1));
    }
    return new Plan(false, allocations);
  }

  /**
   * Asserts that all pairs compare in list order, in both directions, and that each element equals
   * only itself.
   */
  private static <T extends Comparable<T>> void assertOrder(List<T> inOrder) {
    for (int i = 0; i < inOrder.size(); i++) {
      for (int j = 0; j < inOrder.size(); j++) {
        assertThat(Integer.signum(inOrder.get(i).compareTo(inOrder.get(j))))
            .as("%s against %s", inOrder.get(i), inOrder.get(j))
            .isEqualTo(Integer.compare(i, j));
      }
    }
    assertThat(Stream.concat(inOrder.stream(), inOrder.stream()).distinct().sorted().toList())
        .isEqualTo(inOrder);
  }
}
