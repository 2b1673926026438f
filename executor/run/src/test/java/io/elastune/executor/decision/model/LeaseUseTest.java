package io.elastune.executor.decision.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeaseUseTest {
  private static final Instant BEGIN = Instant.parse("2026-11-20T06:00:00Z");

  @Test
  void countsByTheControllerWhileTrialsRun() {
    LeaseUse use = LeaseUse.NONE.started(at(10)).started(at(20)).ended(known(11), at(15));

    assertThat(use.usedS(at(40))).isEqualTo(30);
  }

  /** The controller was away from second 15 on, and the attempts ended with it. */
  @Test
  void countsByTheEngineAfterTheLastEnd() {
    LeaseUse use =
        LeaseUse.NONE
            .started(at(10))
            .ended(known(11), at(15))
            .ended(known(13), at(16))
            .idle(at(300));

    assertThat(use.usedS(at(400))).isEqualTo(5);
  }

  @Test
  void countsOneClockOnly() {
    int skewS = -1000;
    LeaseUse use =
        LeaseUse.NONE.started(at(10)).ended(known(10 + skewS), at(40 + skewS)).idle(at(41));

    assertThat(use.usedS(at(50))).isEqualTo(30);
  }

  @Test
  void keepsItsCountIfTheEngineDoesNotKnowAStart() {
    LeaseUse use =
        LeaseUse.NONE
            .started(at(10))
            .ended(Optional.empty(), at(15))
            .ended(known(11), at(12))
            .idle(at(30));

    assertThat(use.usedS(at(50))).isEqualTo(20);
  }

  @Test
  void countsNothingForAnAttemptThatNeverStarted() {
    LeaseUse use = LeaseUse.NONE.started(at(10)).ended(known(300), at(300)).idle(at(301));

    assertThat(use.usedS(at(400))).isZero();
  }

  @Test
  void endsWithTheLeaseUntilTheEngineReports() {
    LeaseUse released = LeaseUse.NONE.started(at(10)).until(at(20), 0).until(at(30), 0);

    assertThat(released.usedS(at(15))).isEqualTo(5);
    assertThat(released.usedS(at(50))).isEqualTo(10);
    assertThat(released.ended(known(10), at(12)).idle(at(60)).usedS(at(70))).isEqualTo(2);
    assertThat(released.ended(Optional.empty(), at(12)).idle(at(60)).usedS(at(70))).isEqualTo(10);
  }

  @Test
  void addsOneUseToAnother() {
    LeaseUse use =
        LeaseUse.NONE
            .started(at(10))
            .ended(known(10), at(20))
            .idle(at(20))
            .started(at(30))
            .ended(known(30), at(34))
            .idle(at(40));

    assertThat(use.usedS(at(50))).isEqualTo(14);
    assertThat(use.isBusy()).isFalse();
  }

  /** The clock of the controller that has started the trial may have been ahead. */
  @Test
  void countsTheErrorOfAnotherClockUntilTheEngineReports() {
    LeaseUse use = LeaseUse.NONE.started(at(10)).resumed(120).resumed(120);

    assertThat(use.usedS(at(20))).isEqualTo(130);
    assertThat(use.ended(known(5), at(25)).idle(at(30)).usedS(at(40))).isEqualTo(20);
    assertThat(LeaseUse.NONE.resumed(120).usedS(at(20))).isZero();
  }

  /** The cloud ends it by its own clock, and this controller's may be ahead. */
  @Test
  void countsTheErrorOfThisClockUntilATimeOfTheCloud() {
    LeaseUse use = LeaseUse.NONE.started(at(10));

    assertThat(use.byAnotherClock(30).usedS(at(20))).isEqualTo(40);
    assertThat(use.usedS(at(20))).isEqualTo(10);
    assertThat(use.resumed(5).byAnotherClock(30).usedS(at(20)))
        .as("an earlier controller's clock, which is known better")
        .isEqualTo(15);
    assertThat(use.until(at(15), 0).byAnotherClock(30).usedS(at(20))).isEqualTo(5);
    assertThat(LeaseUse.NONE.byAnotherClock(30).usedS(at(20))).isZero();
    assertThat(use.ended(known(10), at(20)).idle(at(20)).started(at(25)).withoutPresent())
        .isEqualTo(use.ended(known(10), at(20)).idle(at(20)));
  }

  private static Optional<Instant> known(int seconds) {
    return Optional.of(at(seconds));
  }

  private static Instant at(int seconds) {
    return BEGIN.plusSeconds(seconds);
  }

  /**
   * Rehearsal `u4` 813001826: the clock was 68 s ahead when a trial started, and the instance ended
   * 77 s later, 9 s after that start by the cloud's clock. The use counted as 9 s.
   */
  @Test
  void anInstanceThatHasEndedWasUsedSinceTheTrialStartedByOneClock() {
    LeaseState used =
        LeaseState.requested("r-1", 1, 0, "1", "g5.xlarge", 1, at(-100))
            .running(at(-160))
            .with(LeaseUse.NONE.started(at(0)));

    LeaseUse use = used.gone(at(9), at(77), 120).use();
    assertThat(use.usedS(at(9))).isEqualTo(77);
    assertThat(use.usedS(at(1000))).isEqualTo(77);
    assertThat(used.gone(at(9), at(77), 20).use().usedS(at(9)))
        .as("the error of the clock is known better")
        .isEqualTo(9 + 20);
    assertThat(use.ended(known(-68), at(-5)).idle(at(90)).usedS(at(100)))
        .as("the engine's times")
        .isEqualTo(63);
    LeaseState inherited = used.with(used.use().resumed(70));
    assertThat(inherited.gone(at(9), at(20), 120).use().usedS(at(9)))
        .as("of the clock of an earlier controller")
        .isEqualTo(9 + 70);
  }

  /** The controller may not reach the instance: its trials run until the cloud has ended it. */
  @Test
  void aReleasedInstanceIsUsedUntilItsEnd() {
    Instant start = Instant.parse("2026-11-20T06:00:00Z");
    LeaseState released =
        LeaseState.requested("r-1", 1, 0, "1", "g5.xlarge", 1, start)
            .running(start)
            .with(LeaseUse.NONE.started(start))
            .releasing(start.plusSeconds(10));

    assertThat(released.use().usedS(start.plusSeconds(40))).isEqualTo(40);
    LeaseState gone = released.gone(start.plusSeconds(40), start.plusSeconds(40), 0);
    assertThat(gone.use().usedS(start.plusSeconds(60))).isEqualTo(40);
  }
}
