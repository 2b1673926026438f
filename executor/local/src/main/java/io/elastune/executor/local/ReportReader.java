package io.elastune.executor.local;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.protocol.AttemptReports;
import io.elastune.provisioner.process.LineSplitter;
import java.util.concurrent.Semaphore;

/**
 * Passes the standard output and the report channel of rank 0 to the reports and the log of its
 * attempt. If a trial reports faster than events are processed, its pipe blocks.
 */
final class ReportReader implements LineSplitter.Sink {
  private static final int MAX_PENDING = 100;

  private final LocalEngineContext context;
  private final LineSplitter.Sink log;
  private final Semaphore pending = new Semaphore(MAX_PENDING);
  private final AttemptReports reports;

  /**
   * Creates a reader.
   *
   * @param waiting runs on the event loop when the workers wait, after all their reports
   */
  ReportReader(
      AttemptSpec spec, LocalEngineContext context, LineSplitter.Sink log, Runnable waiting) {
    this.context = context;
    this.log = log;
    reports =
        new AttemptReports(
            spec, context.omittedMetrics(), this::post, () -> context.loop().execute(waiting));
  }

  @Override
  public void line(byte[] line, int length, boolean cut) {
    reports
        .read(line, length, cut, context.now())
        .ifPresent(
            rest -> {
              reports.readOutput(rest, rest.length);
              log.line(rest, rest.length, cut);
            });
  }

  /** Reads a line of the report channel. */
  void channelLine(byte[] line, int length, boolean cut) {
    reports.readChannel(line, length, cut, context.now());
  }

  /** Reads a line of standard error. */
  void errorLine(byte[] line, int length, boolean cut) {
    reports.readErrors(line, length);
    reports.readOutput(line, length);
    log.line(line, length, cut);
  }

  AttemptReports reports() {
    return reports;
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
}
