package io.elastune.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Trials on teams of two instances. An instance is ready 5 s after its request; a trial takes 10 s,
 * on an instance with an odd number twice as long.
 */
class GroupsPolicyTeamsTest {
  private static final InstanceTimes INSTANCES =
      (instance, nowS) -> {
        instance.boots(nowS, nowS + 5, false);
        instance.isSlowerBy(1 + instance.number() % 2);
      };

  /** Three trials on two teams of four instances; a fifth instance is left over. */
  @Test
  void teamsAreAsSlowAsTheirSlowestMember() {
    Timeline timeline = timeline(3, 5, Faults.NONE);

    assertThat(timeline.play()).isCloseTo(5 + 20 + 20, within(1e-9));
    // No trial waits after 25 s: the instance that is left over, and then the second team.
    assertThat(timeline.releasedS()).containsExactly(45, 45, 25, 25, 25);
    assertThat(timeline.instance(1).usedS()).isCloseTo(40, within(1e-9));
    assertThat(timeline.instance(1).busyS()).isCloseTo(40, within(1e-9));
  }

  /** Instance 1 is lost after 12 s. Its replacement is ready after 17 s, and is a fast one. */
  @Test
  void lossOfOneMemberInterruptsTheTrial() {
    Timeline timeline = timeline(1, 2, lostAfter(1, 12));

    assertThat(timeline.play()).isCloseTo(17 + 10, within(1e-9));
    assertThat(timeline.instance(0).usedS()).isCloseTo(7 + 10, within(1e-9));
    assertThat(timeline.releasedS()).containsExactly(27, 12, 27);
  }

  private static Timeline timeline(int trials, int instances, Faults faults) {
    ChainsRun search =
        new ChainsRun(List.of(List.of(new ChainsRun.Group(trials, 0, 1)))).withGroupPhases();
    GroupsPolicy policy =
        new GroupsPolicy(
            search, List.of(new GroupsPolicy.Group(instances, 1, 2, 1, 2, 1, 0, 0)), false);
    return new Timeline(
            search,
            policy,
            (task, instance, starts) -> task.trains(0, 10 * instance.slowness()),
            INSTANCES,
            1)
        .withFaults(faults);
  }

  private static Faults lostAfter(int number, double atS) {
    return new Faults() {
      @Override
      public double lostS(Instance requested, double nowS) {
        return requested.number() == number ? atS : Double.POSITIVE_INFINITY;
      }

      @Override
      public Loss lostWith(Instance struck, ManagedCluster cluster) {
        return new Loss(List.of(struck), false);
      }

      @Override
      public double strikesAfterS(Task task, double passS) {
        return Double.POSITIVE_INFINITY;
      }

      @Override
      public Strike strike(Task task) {
        return Strike.NONE;
      }
    };
  }
}
