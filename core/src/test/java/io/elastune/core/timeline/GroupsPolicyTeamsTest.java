package io.elastune.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** The fastest plan of a job without a budget may have thousands of instances for few trials. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void instancesAreLeftInLinearTime(boolean hold) {
    int instances = 2_000;
    AtomicInteger accesses = new AtomicInteger();
    ChainsRun search =
        new ChainsRun(List.of(List.of(new ChainsRun.Group(1, 0, 1), new ChainsRun.Group(1, 1, 1))));
    GroupsPolicy policy =
        new GroupsPolicy(
            search,
            List.of(
                new GroupsPolicy.Group(instances, 1, 2, 1, 2, 1, 0, 2, false),
                new GroupsPolicy.Group(2, 1, 2, 1, 2, 1, 0, 0, false)),
            hold);
    PolicyRun counted =
        intercepted(
            PolicyRun.class,
            policy,
            argument ->
                argument instanceof ManagedCluster cluster
                    ? intercepted(
                        ManagedCluster.class,
                        cluster,
                        passed -> {
                          accesses.incrementAndGet();
                          return passed;
                        })
                    : argument);

    timeline(search, counted).play();

    assertThat(accesses.get()).isLessThan(30 * instances);
  }

  /** Returns an object whose methods pass their arguments on through a function. */
  private static <T> T intercepted(Class<T> type, T object, UnaryOperator<Object> arguments) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, passed) -> {
              Object[] changed =
                  passed == null ? null : Arrays.stream(passed).map(arguments).toArray();
              return method.invoke(object, changed);
            }));
  }

  private static Timeline timeline(int trials, int instances, Faults faults) {
    ChainsRun search =
        new ChainsRun(List.of(List.of(new ChainsRun.Group(trials, 0, 1)))).withGroupPhases();
    GroupsPolicy policy =
        new GroupsPolicy(
            search, List.of(new GroupsPolicy.Group(instances, 1, 2, 1, 2, 1, 0, 0, false)), false);
    return timeline(search, policy).withFaults(faults);
  }

  private static Timeline timeline(ChainsRun search, PolicyRun policy) {
    return new Timeline(
        search,
        policy,
        (task, instance, starts) -> task.trains(0, 10 * instance.slowness()),
        INSTANCES,
        1);
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
