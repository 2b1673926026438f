package io.elastune.executor.local;

import io.elastune.executor.protocol.ReportLine;
import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.process.LineSplitter;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
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

  /** A byte that no report contains. The engine writes it to find the place of a moment. */
  private static final int MARK = 0;

  private final Path path;

  /** Keeps the FIFO from ending before the attempt does. */
  private final RandomAccessFile holder;

  /** Completes when everything was read. */
  private final CompletableFuture<Void> end = new CompletableFuture<>();

  /** Those who wait until the marks that they have written are read, in the order of the marks. */
  private final Queue<CompletableFuture<Void>> marks = new ConcurrentLinkedQueue<>();

  /** Held while a mark is written, which waits for the reader where the FIFO is full. */
  private final Object marking = new Object();

  private volatile boolean used;

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

  /**
   * Waits until everything that was written so far has been read, and returns whether that is
   * anything.
   */
  boolean awaitUse() {
    CompletableFuture<Void> read = new CompletableFuture<>();
    try {
      synchronized (marking) {
        marks.add(read);
        holder.write(MARK);
      }
    } catch (IOException e) { // closed
      return used;
    }
    CompletableFuture.anyOf(read, end).join();
    return used;
  }

  /** Reads it until it is closed, here and by all processes. */
  CompletableFuture<?> read(EventLoop loop, LineSplitter.Sink sink) throws IOException {
    InputStream stream = new FileInputStream(path.toFile()); // at once: the FIFO has a writer
    loop.startThread(
        "elastune-reports",
        () -> {
          try (stream) {
            read(stream, LineSplitter.withMarker(ReportLine.START, sink));
          } catch (IOException e) {
            LOG.debug("{} cannot be read: {}", path, e.toString());
          }
        },
        () -> end.complete(null));
    return end;
  }

  private void read(InputStream stream, LineSplitter lines) throws IOException {
    byte[] buffer = new byte[LineSplitter.MAX_BYTES];
    for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
      int begin = 0;
      for (int i = 0; i < n; i++) {
        if (buffer[i] == MARK) {
          feed(lines, Arrays.copyOfRange(buffer, begin, i));
          passMark();
          begin = i + 1;
        }
      }
      feed(lines, Arrays.copyOfRange(buffer, begin, n));
    }
    lines.finish();
  }

  private void feed(LineSplitter lines, byte[] bytes) {
    used |= bytes.length > 0;
    lines.feed(bytes, bytes.length);
  }

  private void passMark() {
    CompletableFuture<Void> first = marks.poll();
    if (first != null) { // a program may write zeros too
      first.complete(null);
    }
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
