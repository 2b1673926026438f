package io.elastune.core.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Tests the comparisons on plain numbers that sampling uses: each is strict and breaks ties as
 * specified.
 */
class AllocationOrderTest {
  @Test
  void ordersSlotsByTimeThenRank() {
    assertThat(FreeSlot.before(5, 9, 6, 0)).isTrue();
    assertThat(FreeSlot.before(6, 0, 5, 9)).isFalse();
    assertThat(FreeSlot.before(5, 0, 5, 9)).isTrue();
    assertThat(FreeSlot.before(5, 9, 5, 0)).isFalse();
    assertThat(FreeSlot.before(5, 9, 5, 9)).isFalse();
    assertThat(FreeSlot.before(-0.0, 1, 0.0, 0)).isFalse();
    assertThat(FreeSlot.before(0.0, 0, -0.0, 1)).isTrue();
  }

  @Test
  void ordersTeamMembersByReadyTimeThenNumber() {
    assertThat(TeamMember.before(5, 9, 6, 0)).isTrue();
    assertThat(TeamMember.before(6, 0, 5, 9)).isFalse();
    assertThat(TeamMember.before(5, 0, 5, 9)).isTrue();
    assertThat(TeamMember.before(5, 9, 5, 0)).isFalse();
    assertThat(TeamMember.before(5, 9, 5, 9)).isFalse();
  }

  @Test
  @DisplayName("Releases by idle time, then instances that are not ready, then the higher number")
  void ordersReleases() {
    assertThat(IdleInstance.before(5, true, 0, 6, false, 9)).isTrue();
    assertThat(IdleInstance.before(6, false, 9, 5, true, 0)).isFalse();
    assertThat(IdleInstance.before(5, false, 0, 5, true, 9)).isTrue();
    assertThat(IdleInstance.before(5, true, 9, 5, false, 0)).isFalse();
    assertThat(IdleInstance.before(5, true, 9, 5, true, 0)).isTrue();
    assertThat(IdleInstance.before(5, true, 0, 5, true, 9)).isFalse();
    assertThat(IdleInstance.before(5, true, 9, 5, true, 9)).isFalse();
  }
}
