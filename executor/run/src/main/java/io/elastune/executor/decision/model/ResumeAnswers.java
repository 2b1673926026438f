package io.elastune.executor.decision.model;

import io.elastune.core.time.Seconds;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The answers that a resumed run waits for. Until the cloud has answered about every lease of
 * earlier controllers, their cost is uncertain: they may have ended at times that the clock of this
 * controller has not reached. Where use is billed, the same holds for attempts until the engine has
 * answered.
 *
 * @param unanswered the leases about which the cloud has not answered
 * @param attempts the attempts about which the engine has not answered, if their use is billed
 * @param askedAt when the controller asked first
 * @param requestDeferred whether a request waits for the answers, because the budget may not allow
 *     it
 */
public record ResumeAnswers(
    Set<String> unanswered, Set<String> attempts, Instant askedAt, boolean requestDeferred) {
  /** No answer is pending. */
  public static final ResumeAnswers COMPLETE =
      new ResumeAnswers(Set.of(), Set.of(), Instant.EPOCH, false);

  /** Seconds in which a cloud that is available has answered, although calls are lost. */
  private static final double CLOUD_ANSWERS_S = 120;

  public ResumeAnswers {
    unanswered = Collections.unmodifiableSet(new TreeSet<>(unanswered));
    attempts = Collections.unmodifiableSet(new TreeSet<>(attempts));
  }

  /** Whether no answer is pending. */
  public boolean areComplete() {
    return unanswered.isEmpty() && attempts.isEmpty();
  }

  /** Returns the same after a request was deferred. */
  public ResumeAnswers deferred() {
    return new ResumeAnswers(unanswered, attempts, askedAt, true);
  }

  /** Returns the same for those leases and attempts that still wait for an answer. */
  public ResumeAnswers of(Predicate<String> leaseWaits, Predicate<String> attemptWaits) {
    return new ResumeAnswers(
        filtered(unanswered, leaseWaits),
        filtered(attempts, attemptWaits),
        askedAt,
        requestDeferred);
  }

  private static Set<String> filtered(Set<String> all, Predicate<String> waits) {
    Set<String> left = new TreeSet<>(all);
    left.removeIf(waits.negate());
    return left;
  }

  /** Returns the same after the engine has answered about an attempt. */
  public ResumeAnswers answered(String attempt) {
    return of(lease -> true, waiting -> !waiting.equals(attempt));
  }

  /** Returns whether the answer of the cloud about a lease is pending, and can be expected. */
  public boolean isExpected(String lease, Instant now) {
    return unanswered.contains(lease) && Seconds.between(askedAt, now) <= CLOUD_ANSWERS_S;
  }

  /**
   * Returns whether the engine has not answered about any of the attempts on a lease.
   *
   * @param all the attempts of the run
   */
  public boolean isUseUnanswered(String lease, Collection<AttemptState> all) {
    if (attempts.isEmpty()) {
      return false;
    }
    List<AttemptState> users = all.stream().filter(attempt -> attempt.uses(lease)).toList();
    return !users.isEmpty()
        && users.stream().allMatch(attempt -> attempts.contains(attempt.attempt()));
  }
}
