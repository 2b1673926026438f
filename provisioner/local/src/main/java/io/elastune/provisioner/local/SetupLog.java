package io.elastune.provisioner.local;

import io.elastune.core.files.LimitedLog;
import io.elastune.provisioner.SecretMask;
import io.elastune.provisioner.process.LineSplitter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends the output of a setup to its log, without the values of secrets. If the log cannot be
 * written, the output is dropped: the setup continues.
 */
final class SetupLog {
  private static final Logger LOG = LoggerFactory.getLogger(SetupLog.class);
  private static final byte[] TRUNCATED = " … (line cut)".getBytes(StandardCharsets.UTF_8);

  private final Path path;
  private final SecretMask mask;
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private boolean failed;

  private SetupLog(Path path, SecretMask mask) {
    this.path = path;
    this.mask = mask;
  }

  /** Starts writing {@code output} to the existing file {@code path}. */
  static SetupLog write(InputStream output, Path path, SecretMask mask) {
    SetupLog setupLog = new SetupLog(path, mask);
    Thread thread = new Thread(() -> setupLog.copy(output), "elastune-setup-output");
    thread.setDaemon(true);
    thread.start();
    return setupLog;
  }

  /** Completes when all output is written, or after a timeout. */
  CompletableFuture<Void> complete(Duration timeout) {
    return end.copy().completeOnTimeout(null, timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void copy(InputStream output) {
    try (LimitedLog log = new LimitedLog(path)) {
      LineSplitter.read(output, (line, length, cut) -> append(log, line, length, cut));
    } catch (IOException | RuntimeException | Error e) { // a setup must not wait for its reader
      failed(e);
      LineSplitter.read(output, (line, length, cut) -> {});
    } finally {
      end.complete(null);
    }
  }

  private void append(LimitedLog log, byte[] line, int length, boolean cut) {
    if (failed) {
      return;
    }
    try {
      log.line(mask.mask(line, length, cut), cut ? TRUNCATED : new byte[0]);
    } catch (IOException e) {
      failed(e);
    }
  }

  private void failed(Throwable e) {
    failed = true;
    LOG.warn("Writing {} failed: {}", path, e.toString());
  }
}
