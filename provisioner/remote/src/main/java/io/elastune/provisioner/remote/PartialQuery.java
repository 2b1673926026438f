package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A query of several parts that may fail independently, such as prices and quotas. It collects a
 * note for each part that failed. Parts may be queried at the same time.
 */
public final class PartialQuery {
  private final List<String> notes = new ArrayList<>();
  private final List<CloudException> failures = new ArrayList<>();
  private boolean isAnswered;

  /**
   * Queries one part.
   *
   * @param part what is queried, in the plural, for the note
   * @param instead what is used instead if the query fails, as a clause
   * @return the answer; empty if the query failed
   */
  public <T> Optional<T> query(String part, String instead, Supplier<T> call) {
    try {
      T answer = call.get();
      synchronized (this) {
        isAnswered = true;
      }
      return Optional.of(answer);
    } catch (CloudException e) {
      synchronized (this) {
        failures.add(e);
        notes.add(note(part, e, instead));
      }
      return Optional.empty();
    }
  }

  /** Returns a part that is queried when it runs; see {@link #query}. */
  public <T> Part<T> part(String part, String instead, Supplier<T> call) {
    return new Part<>(() -> query(part, instead, call));
  }

  /** A part of the query, which may run at the same time as others. */
  public static final class Part<T> implements Runnable {
    private final Supplier<Optional<T>> query;
    private volatile Optional<T> answer = Optional.empty();

    private Part(Supplier<Optional<T>> query) {
      this.query = query;
    }

    @Override
    public void run() {
      answer = query.get();
    }

    /** Returns the answer; empty before the part has run, and if it failed. */
    public Optional<T> answer() {
      return answer;
    }
  }

  /** Adds a note. */
  public synchronized void note(String sentence) {
    notes.add(sentence);
  }

  /** Replaces all notes by one, for a query of which every part failed. */
  public synchronized void replaceNotes(String part, String instead) {
    failure()
        .ifPresent(
            some -> {
              notes.clear();
              notes.add(note(part, some, instead));
            });
  }

  private static String note(String part, CloudException e, String instead) {
    return part + " are unavailable: " + e.failure().message() + "; " + instead;
  }

  /** Returns whether any part was answered. */
  public synchronized boolean isAnswered() {
    return isAnswered;
  }

  /** Returns a failure, independent of the order of the calls; a missing permission if any. */
  public synchronized Optional<CloudException> failure() {
    return failures.stream()
        .min(
            Comparator.comparing(
                    (CloudException e) -> !(e.failure() instanceof CloudFailure.Permission))
                .thenComparing(e -> e.failure().message()));
  }

  /** Returns the notes, without duplicates, in alphabetical order. */
  public synchronized List<String> notes() {
    return notes.stream().distinct().sorted().toList();
  }
}
