package io.elastune.executor.local;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.protocol.ReportLine;
import io.elastune.executor.protocol.ReportParser;
import io.elastune.provisioner.SecretMask;
import io.elastune.provisioner.process.LineSplitter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Converts the standard output of rank 0 into events. If a trial reports faster than events are
 * processed, its pipe blocks. Of many reports per second only some are recorded ({@link
 * ReportLimiter}), and always the one for the last unit. Only the first violations of the protocol
 * are reported one by one; later ones are only counted.
 */
final class ReportReader implements LineSplitter.Sink {
  private static final int MAX_PENDING = 100;
  private static final int MAX_REPORTED_FAULTS = 5;

  private final String attempt;
  private final SecretMask mask;
  private final LocalEngineContext context;
  private final LineSplitter.Sink log;
  private final Semaphore pending = new Semaphore(MAX_PENDING);
  private final ReportLimiter limiter = new ReportLimiter();
  private final int to;
  private EngineEvent.@Nullable Reported skipped;
  private int faults;
  private volatile int highest;
  private volatile int doneAt = Integer.MAX_VALUE;

  ReportReader(AttemptSpec spec, LocalEngineContext context, LineSplitter.Sink log) {
    attempt = spec.attempt();
    mask = spec.mask();
    to = spec.to();
    this.context = context;
    this.log = log;
  }

  @Override
  public void line(byte[] line, int length, boolean cut) {
    Optional<ReportLine> parsed =
        startsLikeAReport(line, length)
            ? ReportParser.parse(new String(line, 0, length, StandardCharsets.UTF_8))
            : Optional.empty();
    if (parsed.isEmpty()) {
      log.line(line, length, cut);
    } else if (parsed.get() instanceof ReportLine.Report report) {
      highest = Math.max(highest, report.unit());
      if (report.done()) {
        doneAt = Math.min(doneAt, report.unit());
      }
      reported(
          new EngineEvent.Reported(
              attempt, report.unit(), report.metrics(), report.done(), context.now()));
    } else if (parsed.get() instanceof ReportLine.InvalidReport invalidReport) {
      log.line(line, length, cut);
      fault("a report cannot be read: " + masked(invalidReport, line, length));
    }
  }

  private void reported(EngineEvent.Reported event) {
    boolean recorded = limiter.permits(event.at()) || event.unit() >= to || event.done();
    synchronized (this) {
      skipped = recorded ? null : event;
    }
    if (recorded) {
      post(event);
    }
  }

  /** Returns the last report, if it was skipped. */
  synchronized Optional<EngineEvent.Reported> skipped() {
    return Optional.ofNullable(skipped);
  }

  /** Returns whether the attempt has reported {@code unit} or a later one. */
  boolean hasReached(int unit) {
    return highest >= unit;
  }

  /** Returns the unit at which the trial reported that it is done; the maximum if it has not. */
  int doneAt() {
    return doneAt;
  }

  /** Returns the number of faults that were counted but not reported. */
  synchronized int unreportedFaults() {
    return Math.max(0, faults - MAX_REPORTED_FAULTS);
  }

  /** Describes an invalid report. The description quotes the beginning of the line. */
  private String masked(ReportLine.InvalidReport invalidReport, byte[] line, int length) {
    byte[] text = mask.mask(line, length, false);
    return ReportParser.parse(new String(text, StandardCharsets.UTF_8))
        .filter(ReportLine.InvalidReport.class::isInstance)
        .map(ReportLine.InvalidReport.class::cast)
        .map(ReportLine.InvalidReport::problem)
        .orElseGet(() -> mask.mask(invalidReport.problem()));
  }

  private void fault(String message) {
    synchronized (this) {
      faults++;
      if (faults > MAX_REPORTED_FAULTS) {
        return;
      }
    }
    post(new EngineEvent.Faulted(attempt, message, context.now()));
  }

  private void post(EngineEvent event) {
    pending.acquireUninterruptibly();
    context
        .loop()
        .execute(
            () -> {
              pending.release();
              context.post(event);
            });
  }

  private static boolean startsLikeAReport(byte[] line, int length) {
    if (length < ReportLine.PREFIX.length()) {
      return false;
    }
    for (int i = 0; i < ReportLine.PREFIX.length(); i++) {
      if (line[i] != ReportLine.PREFIX.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
