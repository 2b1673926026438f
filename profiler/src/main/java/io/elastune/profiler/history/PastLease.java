package io.elastune.profiler.history;

import io.elastune.executor.journal.PreparationRow;
import java.time.Instant;
import java.util.OptionalDouble;

/**
 * One lease of a finished run.
 *
 * @param offer the offer's name
 * @param place the offer's region or zone
 * @param setup the key of what prepares the instance; leases with the same key boot alike
 * @param queueS seconds from request to running; empty if it never ran
 * @param bootS seconds from running to ready, with the setup; empty if it was never ready
 * @param preparation how it was prepared: its setup is a part of {@code bootS}
 * @param exposureS seconds from running to its end
 */
public record PastLease(
    String lease,
    String offer,
    String place,
    String instanceType,
    String market,
    String setup,
    Instant requested,
    OptionalDouble queueS,
    OptionalDouble bootS,
    PreparationRow preparation,
    double exposureS,
    End end) {
  /** How a lease ended. */
  public enum End {
    RELEASED("released"),
    PREEMPTED("preempted"),
    FAILED("failed"),
    LOST_CONTACT("lost_contact"),
    /** Its node failed before it became ready. */
    NOT_READY("not_ready"),
    REFUSED("refused");

    private final String word;

    End(String word) {
      this.word = word;
    }

    /** Returns the word in the database. */
    public String word() {
      return word;
    }
  }
}
