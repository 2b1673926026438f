package io.elastune.executor.sampler;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A running bridge: it answers each line of its input with one line. It ends with its input. */
final class SamplerProcess implements AutoCloseable {
  private final Process process;
  private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();

  private SamplerProcess(Process process) {
    this.process = process;
  }

  /**
   * Starts a bridge.
   *
   * @param log the file to which its error output is appended
   * @throws SamplerException if the interpreter cannot be started
   */
  static SamplerProcess start(String python, Path script, Path log) throws SamplerException {
    ProcessBuilder builder =
        new ProcessBuilder(List.of(python, "-u", script.toString()))
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    try {
      SamplerProcess started = new SamplerProcess(builder.start());
      Thread reader = new Thread(started::read, "elastune-sampler-reader");
      reader.setDaemon(true);
      reader.start();
      return started;
    } catch (IOException e) {
      throw new SamplerException(python + " cannot be started: " + e.getMessage());
    }
  }

  private void read() {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(Optional.of(line));
      }
    } catch (IOException e) {
      // the process has ended
    } finally {
      lines.add(Optional.empty()); // whatever ended the reading
    }
  }

  /**
   * Sends a request and returns the reply.
   *
   * @throws SamplerException if the process has ended, or does not reply within {@code timeout}
   */
  String ask(String request, Duration timeout) throws SamplerException, InterruptedException {
    try {
      OutputStream input = process.getOutputStream();
      input.write((request + "\n").getBytes(StandardCharsets.UTF_8));
      input.flush();
    } catch (IOException e) {
      throw new SamplerException("its process has ended");
    }
    Optional<String> line = lines.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
    if (line == null) {
      throw new SamplerException("it did not reply within " + timeout.toSeconds() + " s");
    }
    return line.orElseThrow(() -> new SamplerException("its process has ended"));
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
