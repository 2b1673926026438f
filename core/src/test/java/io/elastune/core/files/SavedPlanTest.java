package io.elastune.core.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SavedPlanTest {
  private static final Instant THEN = Instant.parse("2026-11-20T06:00:00Z");
  private static final SavedPlan SAVED = saved(THEN, "name: a\n", "gpu: V100\n", Map.of("o", 10.0));

  private static SavedPlan saved(
      Instant at, String job, String profile, Map<String, Double> prices) {
    return SavedPlan.of(
        at, new SavedPlan.SavedJob("j", "/", job), List.of(profile), "offers: []", prices);
  }

  @Test
  void isFreshForADayWhileNothingChanges() {
    Instant later = THEN.plus(Duration.ofHours(24));
    assertThat(SAVED.staleBecause(saved(later, "name: a\n", "gpu: V100\n", Map.of("o", 10.5))))
        .isEmpty();
    assertThat(SAVED.staleBecause(saved(later, "name: a\n", "gpu: V100\n", Map.of("o", 9.5))))
        .isEmpty();
  }

  @Test
  void isStaleForEachReason() {
    Instant later = THEN.plus(Duration.ofHours(24)).plusSeconds(1);
    assertThat(SAVED.staleBecause(saved(later, "name: b\n", "gpu: A100\n", Map.of("o", 10.6))))
        .containsExactly(
            "the job has changed since",
            "the profile has changed since",
            "the price of o went from 10.0 to 10.6 USD/h",
            "the plan is more than 24 h old");
    assertThat(SAVED.staleBecause(saved(THEN, "name: a\n", "gpu: V100\n", Map.of())))
        .containsExactly("the offer o is gone");
  }

  @Test
  void isStaleWhenItsJobWasEdited() {
    SavedPlan edited =
        new SavedPlan(
            THEN,
            new SavedPlan.SavedJob("j", "/", "name: c\n"),
            SAVED.profiles(),
            SAVED.offers(),
            SAVED.hashes(),
            SAVED.usdPerHour());
    assertThat(edited.staleBecause(SAVED)).containsExactly("the job has changed since");
  }
}
