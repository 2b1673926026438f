package io.elastune.executor.decision.model;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The answers of the cloud that a resumed run waits for. Until it has answered about every lease of
 * earlier controllers, their cost is uncertain: they may have ended at times that the clock of this
 * controller has not reached.
 *
 * @param unanswered the leases about which it has not answered
 * @param requestDeferred whether a request waits for the answers, because the budget may not allow
 *     it
 */
public record ResumeAnswers(Set<String> unanswered, boolean requestDeferred) {
  /** No answer is pending. */
  public static final ResumeAnswers COMPLETE = new ResumeAnswers(Set.of(), false);

  public ResumeAnswers {
    unanswered = Collections.unmodifiableSet(new TreeSet<>(unanswered));
  }

  /** Whether no answer is pending. */
  public boolean areComplete() {
    return unanswered.isEmpty();
  }

  /** Returns the same after a request was deferred. */
  public ResumeAnswers deferred() {
    return new ResumeAnswers(unanswered, true);
  }

  /** Returns the same for those leases that still wait for an answer. */
  public ResumeAnswers of(Predicate<String> waits) {
    Set<String> left = new TreeSet<>(unanswered);
    left.removeIf(waits.negate());
    return new ResumeAnswers(left, requestDeferred);
  }
}
