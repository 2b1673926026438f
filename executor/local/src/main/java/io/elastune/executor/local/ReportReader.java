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

/**
 * Converts the standard output of rank 0 into events. If a trial reports faster than events are
 * processed, its pipe blocks. Only the first violations of the protocol are reported one by one;
 * later ones are only counted.
 */
final class ReportReader implements LineSplitter.Sink {
  private static final int MAX_PENDING = 100;
  private static final int MAX_REPORTED_FAULTS = 5;

  private final String attempt;
  private final SecretMask mask;
  private final LocalEngineContext context;
  private final LineSplitter.Sink log;
  private final Semaphore pending = new Semaphore(MAX_PENDING);
  private int faults;
  private volatile int highest;

  ReportReader(AttemptSpec spec, LocalEngineContext context, LineSplitter.Sink log) {
    attempt = spec.attempt();
    mask = spec.mask();
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
      post(new EngineEvent.Reported(attempt, report.unit(), report.metrics(), context.now()));
    } else if (parsed.get() instanceof ReportLine.InvalidReport invalidReport) {
      log.line(line, length, cut);
      fault("a report cannot be read: " + masked(invalidReport, line, length));
    }
  }

  /** Returns whether the attempt has reported {@code unit} or a later one. */
  boolean hasReached(int unit) {
    return highest >= unit;
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
