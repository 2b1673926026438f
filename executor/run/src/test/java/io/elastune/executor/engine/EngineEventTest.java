package io.elastune.executor.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class EngineEventTest {
  @Test
  void attemptThatAFullDiskHasEndedNamesIt() {
    assertThat(ended("the disk is full (/data (old)/trial-1): exit 1").fullDisk())
        .contains("/data (old)/trial-1");
    assertThat(ended("the disk is full: exit 1").fullDisk()).isEmpty();
    assertThat(ended("exit 1; last lines:\nthe disk is full (/x): no").fullDisk()).isEmpty();
  }

  private static EngineEvent.Ended ended(String message) {
    return new EngineEvent.Ended(
        "1-1-1", 1, OptionalInt.empty(), false, message, Instant.EPOCH, false);
  }
}
