package io.elastune.executor.local;

import io.elastune.executor.protocol.ReportLine;
import io.elastune.provisioner.process.LineSplitter;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A FIFO for the reports of rank 0, so that they do not mix with what other code prints. Programs
 * in containers and processes started by other programs find it by its path.
 */
final class ReportChannel implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReportChannel.class);
  private static final int TIMEOUT_S = 10;

  private final Path path;

  /** Keeps the FIFO from ending before the attempt does. */
  private final RandomAccessFile holder;

  private ReportChannel(Path path, RandomAccessFile holder) {
    this.path = path;
    this.holder = holder;
  }

  /** Creates the FIFO; empty where the file system or the machine has none. */
  static Optional<ReportChannel> create(Path path) {
    try {
      Process process =
          new ProcessBuilder("mkfifo", "-m", "600", path.toString())
              .redirectErrorStream(true)
              .redirectOutput(Redirect.DISCARD)
              .start();
      if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException("mkfifo failed");
      }
      return Optional.of(new ReportChannel(path, new RandomAccessFile(path.toFile(), "rw")));
    } catch (IOException e) {
      LOG.debug("No report channel at {}: {}", path, e.toString());
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** Returns the path of the FIFO. */
  Path path() {
    return path;
  }

  /** Reads it until it is closed, here and by all processes. */
  CompletableFuture<?> read(LineSplitter.Sink sink) throws IOException {
    InputStream stream = Files.newInputStream(path); // at once, because the FIFO has a writer
    CompletableFuture<?> end = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                LineSplitter.withMarker(ReportLine.START, sink).read(stream);
              } finally {
                end.complete(null);
              }
            },
            "elastune-reports");
    thread.setDaemon(true);
    thread.start();
    return end;
  }

  /** Ends the reports. */
  @Override
  public void close() {
    try {
      holder.close();
    } catch (IOException e) {
      LOG.debug("{} was not closed: {}", path, e.toString());
    }
  }
}
