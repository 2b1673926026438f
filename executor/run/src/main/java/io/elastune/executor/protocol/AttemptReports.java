package io.elastune.executor.protocol;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.SecretMask;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Converts lines of rank 0's standard output into events. Of many reports per second only some are
 * recorded ({@link ReportLimiter}), and always the one for the last unit. Only the first violations
 * of the protocol are reported one by one; later ones are only counted.
 */
public final class AttemptReports {
  private static final int MAX_REPORTED_FAULTS = 5;

  private final String attempt;
  private final SecretMask mask;
  private final Consumer<EngineEvent> events;
  private final ReportLimiter limiter = new ReportLimiter();
  private final int to;
  private EngineEvent.@Nullable Reported skipped;
  private int faults;
  private volatile int highest;
  private volatile int doneAt = Integer.MAX_VALUE;

  /** Creates the reader of an attempt. {@code events} receives reports and faults. */
  public AttemptReports(AttemptSpec spec, Consumer<EngineEvent> events) {
    attempt = spec.attempt();
    mask = spec.mask();
    to = spec.to();
    this.events = events;
  }

  /**
   * Reads a line.
   *
   * @param line its bytes, of which the first {@code length} are used
   * @param at the time of the report
   * @return whether it is a report; anything else belongs to the log
   */
  public boolean read(byte[] line, int length, Instant at) {
    Optional<ReportLine> parsed =
        startsLikeAReport(line, length)
            ? ReportParser.parse(new String(line, 0, length, StandardCharsets.UTF_8))
            : Optional.empty();
    if (parsed.isEmpty()) {
      return false;
    }
    if (parsed.get() instanceof ReportLine.Report report) {
      highest = Math.max(highest, report.unit());
      if (report.done()) {
        doneAt = Math.min(doneAt, report.unit());
      }
      reported(
          new EngineEvent.Reported(attempt, report.unit(), report.metrics(), report.done(), at));
      return true;
    }
    if (parsed.get() instanceof ReportLine.InvalidReport invalidReport) {
      fault("a report cannot be read: " + masked(invalidReport, line, length), at);
    }
    return false;
  }

  private void reported(EngineEvent.Reported event) {
    boolean recorded = limiter.permits(event.at()) || event.unit() >= to || event.done();
    synchronized (this) {
      skipped = recorded ? null : event;
    }
    if (recorded) {
      events.accept(event);
    }
  }

  /** Returns the last report, if it was skipped. */
  public synchronized Optional<EngineEvent.Reported> skipped() {
    return Optional.ofNullable(skipped);
  }

  /** Returns whether the attempt has reported {@code unit} or a later one. */
  public boolean hasReached(int unit) {
    return highest >= unit;
  }

  /** Returns the unit at which the trial reported that it is done; the maximum if it has not. */
  public int doneAt() {
    return doneAt;
  }

  /** Returns the number of faults that were counted but not reported. */
  public synchronized int unreportedFaults() {
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

  private void fault(String message, Instant at) {
    synchronized (this) {
      faults++;
      if (faults > MAX_REPORTED_FAULTS) {
        return;
      }
    }
    events.accept(new EngineEvent.Faulted(attempt, message, at));
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
