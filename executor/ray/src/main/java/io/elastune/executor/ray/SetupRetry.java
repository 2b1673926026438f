package io.elastune.executor.ray;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Decides when a setup that failed is repeated. A failure of any kind may pass, such as that of a
 * download, and is repeated once. A lock of a package manager passes when the updates are complete
 * that images install after their first boot, which takes minutes.
 */
final class SetupRetry {
  /** Pauses of ten minutes in total. */
  static final List<Duration> PAUSES =
      Stream.concat(Stream.of(5, 10, 20, 40), Collections.nCopies(9, 60).stream())
          .map(Duration::ofSeconds)
          .toList();

  /** What apt and dpkg write if another process holds a lock, and not if they lack the right. */
  private static final Pattern LOCKED =
      Pattern.compile(
          "Could not get lock /|Unable to (acquire|lock) .*, is another process using it\\?"
              + "|dpkg.* (is|was) locked by another process");

  private final List<Duration> pauses;
  private int locked;
  private int other;

  /**
   * Creates the decisions for one setup.
   *
   * @param pauses the pauses after failures because of a lock, the first of which also follows a
   *     failure of another kind
   */
  SetupRetry(List<Duration> pauses) {
    this.pauses = List.copyOf(pauses);
  }

  /**
   * Returns the pause after a failure; empty if the setup is not repeated.
   *
   * @param output the last lines of the setup's output
   */
  Optional<Duration> pause(String output) {
    if (LOCKED.matcher(output).find()) {
      return locked < pauses.size() ? Optional.of(pauses.get(locked++)) : Optional.empty();
    }
    return other++ == 0 ? Optional.of(pauses.get(0)) : Optional.empty();
  }
}
