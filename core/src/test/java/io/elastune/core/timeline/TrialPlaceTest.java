package io.elastune.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * Trials that ran before the timeline, on two instances with a GPU that are ready at once. A
 * start-up takes 5 s, and a unit 10 s, on the second instance 20 s.
 */
class TrialPlaceTest {
  private static final OptionalDouble ENDED = OptionalDouble.empty();

  private final ChainsRun search = new ChainsRun(List.of(List.of(new ChainsRun.Group(1, 0, 1))));

  @Test
  void trialsContinueWhereTheyRan() {
    assertThat(playedS(place(0, ENDED))).isEqualTo(5 + 10);
    assertThat(playedS(place(1, ENDED))).isEqualTo(5 + 20);
  }

  @Test
  void programsWaitForAtMostAnHour() {
    assertThat(playedS(place(1, OptionalDouble.of(3600)))).isEqualTo(20);
    assertThat(playedS(place(1, OptionalDouble.of(3601)))).isEqualTo(5 + 20);
  }

  /** The program of another trial waits for less long on the same GPU. */
  @Test
  void laterProgramsEndEarlierOnes() {
    Timeline timeline = timeline(search);
    timeline.begin();
    timeline.ranBefore(search.before(0, 0), place(1, OptionalDouble.of(30)));
    timeline.ranBefore(search.endedBefore(0), place(1, OptionalDouble.of(10)));

    assertThat(timeline.play()).isEqualTo(5 + 20);
  }

  /** A place belongs to one play of a timeline. */
  @Test
  void anotherPlayKnowsNoPlaces() {
    Timeline timeline = timeline(search);
    timeline.begin();
    timeline.ranBefore(search.before(0, 0), place(1, OptionalDouble.of(30)));
    assertThat(timeline.play()).isEqualTo(20);

    assertThat(timeline.play()).isEqualTo(5 + 10);
  }

  @Test
  void placesOnInstancesThatAreNotHeldAreUnknown() {
    TrialPlace place = new TrialPlace(List.of(0, 2), 0, 1, 1, OptionalDouble.of(30));

    assertThat(place.on(number -> number - 1))
        .isEqualTo(new TrialPlace(List.of(1), 0, 1, 1, ENDED));
    assertThat(place.after(5).waitsS()).hasValue(35);
  }

  private double playedS(TrialPlace place) {
    Timeline timeline = timeline(search);
    timeline.begin();
    timeline.ranBefore(search.before(0, 0), place);
    return timeline.play();
  }

  private static TrialPlace place(int instance, OptionalDouble waitsS) {
    return new TrialPlace(List.of(instance), 0, 1, 1, waitsS);
  }

  private static Timeline timeline(ChainsRun search) {
    GroupsPolicy.Group group = new GroupsPolicy.Group(2, 1, 1, 1, 1, 1, 0, 0, false);
    return new Timeline(
            search.withPlaces((chain, of) -> new int[0]),
            new GroupsPolicy(search, List.of(group), false),
            (task, instance, starts) -> task.trains(starts ? 5 : 0, 10 * instance.slowness()),
            (instance, nowS) -> {
              instance.boots(nowS, nowS, false);
              instance.isSlowerBy(1 + instance.number());
            },
            1)
        .withPlaces(true);
  }
}
