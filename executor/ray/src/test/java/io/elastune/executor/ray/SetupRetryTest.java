package io.elastune.executor.ray;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SetupRetryTest {
  private static final String LOCK =
      "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812 (apt-get)";

  private final SetupRetry retry = new SetupRetry(SetupRetry.PAUSES);

  @Test
  void anyFailureIsRepeatedOnce() {
    assertThat(retry.pause("no such wheel")).contains(Duration.ofSeconds(5));
    assertThat(retry.pause("no such wheel")).isEmpty();
  }

  /** The updates that an image installs after its first boot take minutes. */
  @Test
  void lockIsWaitedForAboutTenMinutes() {
    List<Duration> pauses = new ArrayList<>();
    for (Optional<Duration> pause = retry.pause(LOCK);
        pause.isPresent();
        pause = retry.pause(LOCK)) {
      pauses.add(pause.get());
    }
    assertThat(pauses).isSorted().startsWith(Duration.ofSeconds(5), Duration.ofSeconds(10));
    assertThat(pauses.stream().reduce(Duration.ZERO, Duration::plus))
        .isBetween(Duration.ofMinutes(10), Duration.ofMinutes(11));
  }

  @Test
  void failureAfterLockIsRepeatedOnce() {
    assertThat(retry.pause(LOCK)).isPresent();
    assertThat(retry.pause("no such wheel")).isPresent();
    assertThat(retry.pause(LOCK)).isPresent();
    assertThat(retry.pause("no such wheel")).isEmpty();
  }

  /** Messages of apt 1.6 to 2.6 and of dpkg. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 812 (apt-get)",
        "E: Could not get lock /var/lib/dpkg/lock-frontend - open (11: Resource temporarily"
            + " unavailable)",
        "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another"
            + " process using it?",
        "E: Unable to lock the administration directory (/var/lib/dpkg/), is another process"
            + " using it?",
        "dpkg: error: dpkg frontend lock was locked by another process with pid 812",
        "dpkg: error: dpkg status database is locked by another process",
      })
  void messagesOfLocksAreRecognized(String message) {
    assertLocked(message, true);
  }

  /** These do not pass: the setup lacks sudo. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "E: Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission denied)",
        "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), are you root?",
        "Successfully locked dependencies",
      })
  void otherMessagesAreNoLocks(String message) {
    assertLocked(message, false);
  }

  private void assertLocked(String message, boolean expected) {
    String output = "exit 100; last lines:\nReading package lists...\n" + message;
    assertThat(retry.pause(output)).isPresent();
    assertThat(retry.pause(output).isPresent()).isEqualTo(expected);
  }
}
