package io.elastune.provisioner.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.Optional;

/**
 * A number in the limits of a process that marks the lease and the attempt it belongs to: its hard
 * limit of file locks. Linux has not used this limit since version 2.4.25, but every process
 * inherits it, and an ordinary user can only lower it. So it also marks a process that has left its
 * session, its group, its parents and its environment.
 *
 * <p>The number has ten digits for the lease, and nine for the attempt. See docs/decisions.
 */
public final class LimitMark {
  private static final String LEASE = "ELASTUNE_LEASE";
  private static final String ATTEMPT = "ELASTUNE_ATTEMPT";
  private static final String LINE = "Max file locks";
  private static final int LEASE_DIGITS = 10;
  private static final int DIGITS = 19;
  private static final long LEASES = 8_000_000_000L;
  private static final long FIRST_LEASE = 1_000_000_000L;
  private static final long ATTEMPTS = 1_000_000_000L;

  private LimitMark() {}

  /** Returns the mark of a process with this environment; none if it belongs to no lease. */
  static Optional<String> of(Map<String, String> environment) {
    String attempt = environment.getOrDefault(ATTEMPT, "");
    return Optional.ofNullable(environment.get(LEASE))
        .map(lease -> lease(lease) + (attempt.isEmpty() ? "000000000" : attempt(attempt)));
  }

  /** Returns the digits with which the marks of all processes of a lease begin. */
  public static String lease(String lease) {
    return Long.toString(FIRST_LEASE + hash(lease, LEASES));
  }

  private static String attempt(String attempt) {
    return "%09d".formatted(hash(attempt, ATTEMPTS));
  }

  /**
   * Returns a test of whether a process has the mark that belongs to the value of a variable.
   *
   * @param variable that of a lease or an attempt; no process has the mark of another one
   */
  static Test test(String variable, String value) {
    return switch (variable) {
      case LEASE -> new Test(lease(value), 0);
      case ATTEMPT -> new Test(attempt(value), LEASE_DIGITS);
      default -> new Test("", DIGITS);
    };
  }

  /**
   * Compares the marks of processes.
   *
   * @param digits part of the mark
   * @param from where this part begins
   */
  record Test(String digits, int from) {
    boolean matches(long pid) {
      return !digits.isEmpty()
          && find(pid).filter(mark -> mark.startsWith(digits, from)).isPresent();
    }
  }

  /** Returns the digits of the lease in the mark of a process. */
  static Optional<String> leaseOf(long pid) {
    return find(pid).map(mark -> mark.substring(0, LEASE_DIGITS));
  }

  private static Optional<String> find(long pid) {
    try {
      Path file = Path.of("/proc", Long.toString(pid), "limits");
      return Files.readString(file, StandardCharsets.ISO_8859_1)
          .lines()
          .filter(line -> line.startsWith(LINE))
          .map(line -> line.substring(LINE.length()).strip().split(" +"))
          .filter(limits -> limits.length > 1 && limits[1].length() == DIGITS)
          .map(limits -> limits[1])
          .findFirst();
    } catch (IOException e) {
      return Optional.empty(); // It has ended.
    }
  }

  private static long hash(String text, long numbers) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return Long.remainderUnsigned(ByteBuffer.wrap(digest).getLong(), numbers);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
