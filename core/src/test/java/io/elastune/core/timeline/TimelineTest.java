package io.elastune.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.core.search.PoolGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Plays small searches whose events can be computed by hand. */
class TimelineTest {
  private static final double STARTUP_S = 2;
  private static final double UNIT_S = 10;

  /** Two chains of groups of equal trials on one instance with one GPU. */
  private static final List<List<PoolGroup>> CHAINS =
      List.of(
          List.of(new PoolGroup(2, 1, 30), new PoolGroup(1, 1, 30)),
          List.of(new PoolGroup(1, 1, 20)));

  private final List<String> events = new ArrayList<>();
  private final ChainsRun search = ChainsRun.of(CHAINS);

  @Test
  void servesTheLongestPathFirst() {
    assertThat(timeline(list(), Faults.NONE).play()).isEqualTo(1 + 3 * 30 + 20);
    assertThat(events)
        .containsExactly("1: 0.0 starts", "31: 0.0 starts", "61: 0.1 starts", "91: 1.0 starts");
  }

  /** The example of a new policy: the same search in the opposite order of chains. */
  @Test
  void playsAnotherPolicy() {
    ShortestFirstPolicy.Remaining remaining =
        chain -> {
          List<PoolGroup> groups = CHAINS.get(chain);
          return groups.subList(search.group(chain), groups.size()).stream()
              .mapToDouble(group -> group.trials() * group.taskS())
              .sum();
        };
    PolicyRun policy = new ShortestFirstPolicy(search, remaining, 1, 1);

    assertThat(timeline(policy, Faults.NONE).play()).isEqualTo(1 + 3 * 30 + 20);
    assertThat(events)
        .containsExactly("1: 1.0 starts", "21: 0.0 starts", "51: 0.0 starts", "81: 0.1 starts");
  }

  @Test
  void playsTheSameAgain() {
    Timeline timeline = timeline(list(), Faults.NONE);
    double endS = timeline.play();
    List<String> first = List.copyOf(events);
    events.clear();

    assertThat(timeline.play()).isEqualTo(endS);
    assertThat(events).isEqualTo(first);
  }

  @Test
  void discardsWhatRunsAtItsTime() {
    Timeline timeline = timeline(list(), Faults.NONE).stoppedAt(40);

    assertThat(timeline.play()).isEqualTo(40);
    assertThat(search.endS(0, 0)).isEqualTo(40);
    assertThat(timeline.instance(0).usedS()).isEqualTo(39);
    assertThat(timeline.releasedS()).containsExactly(40);
  }

  /** The instance is lost at 21 s, when the first trial has completed one of its units. */
  @Test
  void replacesALostInstance() {
    Timeline timeline =
        new Timeline(onlyChain(3), only(3), units(), InstanceTimes.readyAt(new double[] {1, 50}), 1)
            .withFaults(lossAt(21))
            .tracedTo(recorder());

    // Two of three units are left, after a start-up on the replacement.
    assertThat(timeline.play()).isEqualTo(50 + STARTUP_S + 2 * UNIT_S);
    assertThat(timeline.releasedS()).containsExactly(21, 72);
    assertThat(timeline.instance(0).usedS()).isEqualTo(20);
  }

  @Test
  void repeatsTheUnitsOfATornCheckpoint() {
    TrialTimes torn =
        new TrialTimes() {
          @Override
          public void begin(Task task, Instance instance, boolean starts) {
            units().begin(task, instance, starts);
          }

          @Override
          public int intact(Task task, int repeated) {
            return repeated == 0 ? 2 : task.units();
          }
        };
    Timeline timeline =
        new Timeline(onlyChain(3), only(3), torn, InstanceTimes.readyAt(new double[] {0}), 1);

    assertThat(timeline.play()).isEqualTo(2 * STARTUP_S + 4 * UNIT_S);
  }

  @Test
  void refusesToWaitForNothing() {
    Timeline timeline =
        new Timeline(
            onlyChain(1),
            only(1),
            units(),
            InstanceTimes.readyAt(new double[] {Double.POSITIVE_INFINITY}),
            1);

    assertThatThrownBy(timeline::play).hasMessageContaining("no instance is left");
  }

  private ChainsRun alone = search;

  private ChainsRun onlyChain(int toUnit) {
    alone = new ChainsRun(List.of(List.of(new ChainsRun.Group(1, 0, toUnit))));
    return alone;
  }

  /** The policy of {@link #onlyChain}. */
  private PolicyRun only(int toUnit) {
    List<List<PoolGroup>> chains = List.of(List.of(new PoolGroup(1, 1, toUnit * UNIT_S)));
    return new ListPolicy(alone, new PoolSizes(chains, alone, 1, 1, false), 1);
  }

  private static TrialTimes units() {
    return (task, instance, starts) ->
        task.lasts(STARTUP_S, UNIT_S, STARTUP_S + (task.units() - task.done()) * UNIT_S);
  }

  private PolicyRun list() {
    return new ListPolicy(search, new PoolSizes(CHAINS, search, 1, 1, false), 1);
  }

  private Timeline timeline(PolicyRun policy, Faults faults) {
    return new Timeline(
            search,
            policy,
            (task, instance, starts) -> {
              double seconds = CHAINS.get(task.queue()).get(task.group()).taskS();
              task.lasts(0, seconds, seconds);
            },
            InstanceTimes.readyAt(new double[] {1}),
            1)
        .withFaults(faults)
        .tracedTo(recorder());
  }

  private TimelineRecipient recorder() {
    return new TimelineRecipient() {
      @Override
      public void started(Task task, double nowS) {
        events.add(
            String.format(Locale.ROOT, "%.0f: %d.%d starts", nowS, task.queue(), task.group()));
      }
    };
  }

  /** The first instance is lost at a time, and nothing else fails. */
  private static Faults lossAt(double atS) {
    return new Faults() {
      @Override
      public double lostS(Instance requested, double nowS) {
        return requested.number() == 0 ? atS : Instance.NEVER;
      }

      @Override
      public Loss lostWith(Instance struck, ManagedCluster cluster) {
        return new Loss(List.of(struck), false);
      }

      @Override
      public double strikesAfterS(Task task, double passS) {
        // The clock of the trial runs through both attempts.
        assertThat(passS).isIn(STARTUP_S + 3 * UNIT_S, 20 + STARTUP_S + 2 * UNIT_S);
        return Instance.NEVER;
      }

      @Override
      public Strike strike(Task task) {
        return Strike.NONE;
      }
    };
  }
}
