package io.elastune.executor.ray;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.protocol.AttemptReports;
import io.elastune.executor.ray.NodeCheckpoints.Listing;
import io.elastune.executor.ray.NodeCheckpoints.NodeCheckpoint;
import io.elastune.executor.ray.link.LinkException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The reports and checkpoints of one attempt. Copies checkpoints to the store while the attempt
 * runs. A report that ends a trial group is posted only once its checkpoint is stored: the next
 * attempt relies on that, on another instance.
 */
final class StoredReports {
  private final AttemptSpec spec;
  private final int earlier;
  private final String lease;
  private final CheckpointStorage storage;
  private final RayContext context;
  private final AttemptReports reports;
  private final TransferTimes transferTimes;
  private EngineEvent.@Nullable Reported held;
  private CompletableFuture<Void> collection = CompletableFuture.completedFuture(null);
  private boolean collecting;
  private boolean again;
  private int received;
  private int announced;
  private int stored;
  private boolean complete;
  private boolean torn;

  /**
   * Creates the reports of an attempt.
   *
   * @param earlier the last unit whose report an earlier controller received
   * @param lease the lease of rank 0, which saves the checkpoints
   */
  StoredReports(
      AttemptSpec spec, int earlier, String lease, CheckpointStorage storage, RayContext context) {
    this.spec = spec;
    this.earlier = earlier;
    this.lease = lease;
    this.storage = storage;
    this.context = context;
    transferTimes = new TransferTimes(context.time());
    received = Math.max(earlier, spec.from());
    reports = new AttemptReports(spec, context.omittedMetrics(), this::received);
  }

  /** Returns the times of the transfers of checkpoints. */
  TransferTimes transferTimes() {
    return transferTimes;
  }

  /** Reads a line with a report, or its start; returns the rest, which belongs to the log. */
  Optional<byte[]> read(byte[] line, boolean cut, Instant at) {
    return reports.read(line, line.length, cut, at);
  }

  /** Reads a line of the report channel. */
  void readChannel(byte[] line, boolean cut, Instant at) {
    reports.readChannel(line, line.length, cut, at);
  }

  /** Returns the reports that were found. */
  AttemptReports found() {
    return reports;
  }

  private void received(EngineEvent event) {
    if (event instanceof EngineEvent.Reported report) {
      received = Math.max(received, report.unit());
      collectReported();
      if (report.unit() <= earlier && earlier > spec.from()) {
        return; // the earlier controller has received it
      }
      boolean last = report.unit() >= spec.to() || report.done();
      if (last && spec.resumable() && stored < report.unit() && held == null) {
        held = report;
        return;
      }
    }
    context.post(event);
  }

  /** Returns whether the attempt has reported {@code unit} or a later one. */
  boolean hasReached(int unit) {
    return reports.hasReached(unit);
  }

  /** Returns the last unit whose checkpoint counts: that of {@code to} only with its report. */
  int limit() {
    boolean reached = reports.hasReached(spec.to()) || earlier >= spec.to();
    return Math.min(reached ? spec.to() : spec.to() - 1, reports.doneAt());
  }

  /** Returns whether a newer checkpoint could not be stored. */
  boolean isTorn() {
    return torn;
  }

  /** Returns the newest unit whose checkpoint is known to be stored; empty if there is none. */
  OptionalInt newest() {
    int newest = Math.max(stored, spec.from());
    return newest > 0 ? OptionalInt.of(newest) : OptionalInt.empty();
  }

  /** A checkpoint was saved. It is copied once its unit is reported. */
  void saved(int unit) {
    announced = Math.max(announced, unit);
    collectReported();
  }

  /**
   * Copies the newest checkpoint whose unit is reported to the store; one transfer at a time. If
   * its node ends then, the next attempt repeats the units whose reports ended with it.
   */
  private void collectReported() {
    if (announced <= stored || announced > received) {
      return;
    }
    if (collecting) {
      again = true;
    } else {
      collecting = true;
      collection = collectUntilNewest();
    }
  }

  /** Completes when no further collection is due, also after a failure: the end collects again. */
  private CompletableFuture<Void> collectUntilNewest() {
    return storage
        .list(lease)
        .thenCompose(this::collectFirst)
        .handle((done, failure) -> null)
        .thenComposeAsync(
            done -> {
              collecting = again;
              again = false;
              return collecting ? collectUntilNewest() : CompletableFuture.completedFuture(null);
            },
            context.loop());
  }

  private CompletableFuture<Void> collectFirst(Listing listing) {
    Optional<NodeCheckpoint> newest =
        listing.complete().stream()
            .filter(c -> c.unit() <= Math.min(spec.to(), received))
            .findFirst();
    return newest
        .map(c -> collect(c).thenRunAsync(() -> stored(c.unit()), context.loop()))
        .orElseGet(() -> CompletableFuture.completedFuture(null));
  }

  private CompletableFuture<Boolean> collect(NodeCheckpoint checkpoint) {
    return transferTimes.store(checkpoint.bytes(), () -> storage.collect(lease, checkpoint));
  }

  private void stored(int unit) {
    stored = Math.max(stored, unit);
    if (held != null && stored >= Math.min(held.unit(), spec.to())) {
      EngineEvent.Reported report = held;
      held = null;
      context.post(report);
    }
  }

  /** Copies the newest checkpoint that counts, after the end of all workers. */
  CompletableFuture<Void> finish() {
    return collection
        .thenCompose(done -> storage.list(lease))
        .thenCompose(listing -> storeBest(listing).thenApply(stored -> listing))
        .thenComposeAsync(listing -> collectLast(listing, 0), context.loop())
        .handleAsync(this::finished, context.loop());
  }

  private CompletableFuture<Void> collectLast(Listing listing, int index) {
    complete = true;
    if (index == 0) {
      for (int unit : listing.torn()) {
        torn |= listing.complete().stream().noneMatch(c -> c.unit() > unit);
        fault("checkpoint " + unit + " is torn: it has no manifest.json");
      }
    }
    if (index == listing.complete().size()) {
      return CompletableFuture.completedFuture(null);
    }
    NodeCheckpoint checkpoint = listing.complete().get(index);
    if (checkpoint.unit() > limit()) {
      return storeUnreported(checkpoint)
          .thenComposeAsync(stored -> collectLast(listing, index + 1), context.loop());
    }
    return collect(checkpoint)
        .thenRunAsync(
            () -> {
              stored(checkpoint.unit());
              var unused = storage.tidy(lease, checkpoint.unit()); // else before the next attempt
            },
            context.loop())
        .exceptionallyComposeAsync(
            failure -> {
              Throwable cause = LinkException.unwrapped(failure);
              if (cause instanceof UnusableCheckpointException) {
                torn = true;
                fault("checkpoint " + checkpoint.unit() + " is torn: " + cause.getMessage());
                return collectLast(listing, index + 1);
              }
              return CompletableFuture.failedFuture(failure);
            },
            context.loop());
  }

  /** The checkpoint of the best unit is kept, also if others follow it. */
  private CompletableFuture<Void> storeBest(Listing listing) {
    int best = reports.bestUnit().orElse(0);
    return listing.complete().stream()
        .filter(checkpoint -> checkpoint.unit() == best && best <= limit())
        .findFirst()
        .map(checkpoint -> collect(checkpoint).handle((copied, failure) -> (Void) null))
        .orElseGet(() -> CompletableFuture.completedFuture(null));
  }

  /** The last checkpoint of a group is stored without its report, too, but does not count. */
  private CompletableFuture<Void> storeUnreported(NodeCheckpoint checkpoint) {
    return checkpoint.unit() > spec.to()
        ? CompletableFuture.completedFuture(null)
        : collect(checkpoint).handle((copied, failure) -> null);
  }

  private @Nullable Void finished(@Nullable Void done, @Nullable Throwable failure) {
    if (failure != null) {
      complete = false;
      fault("the newest checkpoint was not stored: " + failure.getMessage());
    }
    return null;
  }

  /**
   * Posts what is left at the end. A report whose checkpoint exists but could not be stored is
   * dropped: the trial trains that unit again.
   */
  void postRest() {
    if (held != null && complete) {
      context.post(held);
    }
    held = null;
    reports.skipped().filter(r -> r.unit() > earlier).ifPresent(context::post);
    if (reports.unreportedFaults() > 0) {
      fault(reports.unreportedFaults() + " more reports could not be read");
    }
  }

  private void fault(String message) {
    context.post(new EngineEvent.Faulted(spec.attempt(), message, context.now()));
  }
}
