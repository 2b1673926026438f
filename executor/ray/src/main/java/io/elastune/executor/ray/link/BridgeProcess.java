package io.elastune.executor.ray.link;

import io.elastune.core.files.PrivateFiles;
import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.process.HostTools;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A running bridge: a child process that reads and writes frames. It ends with its input. */
final class BridgeProcess implements AutoCloseable {
  private static final String SOURCE = "/io/elastune/executor/ray/elastune_bridge.py";
  private static final String SHIM = "/io/elastune/executor/ray/elastune_shim.py";

  private static final String INPUT = "__import__(\"sys\").stdin.buffer";

  /** Reads the bridge's source from standard input, so that nothing is installed for it. */
  private static final String READ =
      "exec(compile("
          + INPUT
          + ".read(int("
          + INPUT
          + ".readline())),\"elastune_bridge.py\",\"exec\"))";

  /**
   * Some commands execute their arguments as they are, such as {@code kubectl exec}. Others, such
   * as {@code ssh}, let a shell split them again and remove the quotes. This argument has the same
   * effect in both cases: Python reads a string that contains an expression, {@code f'…{…}'}, or a
   * condition that is false, {@code f if()else{…}}.
   */
  private static final String BOOT = "f' if()else{" + READ + "}'";

  private static final int EXIT_S = 2;

  /** The log grows with the run: only its end is read. */
  private static final int MAX_END = 1 << 14;

  private final Process process;
  private final Path log;
  private final long logStart;
  private final OutputStream input;
  private final EventLoop writes = new EventLoop("elastune-bridge-writer");

  private BridgeProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    logStart = log.toFile().length();
    input = new BufferedOutputStream(process.getOutputStream(), 1 << 16);
  }

  /** Returns the source of the shim. */
  static byte[] shim() {
    return resource(SHIM);
  }

  /**
   * Starts a bridge.
   *
   * @param frames receives its frames, on a thread of its own
   * @param end called once when its output ends, with the reason
   */
  static BridgeProcess start(BridgeSettings settings, Consumer<Frame> frames, Consumer<String> end)
      throws IOException {
    List<String> command = new ArrayList<>(settings.python());
    command.addAll(List.of("-u", "-c", BOOT));
    ProcessBuilder builder = new ProcessBuilder(HostTools.detached(command));
    builder.environment().clear();
    builder.environment().putAll(HostTools.inheritedEnvironment());
    PrivateFiles.createParent(settings.log());
    PrivateFiles.createFile(settings.log());
    builder.redirectError(ProcessBuilder.Redirect.appendTo(settings.log().toFile()));
    BridgeProcess bridge = new BridgeProcess(builder.start(), settings.log());
    byte[] source = resource(SOURCE);
    bridge.write(
        () -> {
          bridge.input.write((source.length + "\n").getBytes(StandardCharsets.US_ASCII));
          bridge.input.write(source);
          bridge.input.flush();
        });
    Thread reader = new Thread(() -> bridge.read(frames, end), "elastune-bridge-reader");
    reader.setDaemon(true);
    reader.start();
    return bridge;
  }

  /** Sends a frame. A failure shows as the end of the bridge. */
  void send(Frame frame) {
    write(() -> new FrameWriter(input).write(frame));
  }

  /** Returns the process ID. */
  long pid() {
    return process.pid();
  }

  /** Kills the bridge. Agents and workers are not affected. */
  void kill() {
    var unused = process.destroyForcibly();
  }

  /** Closes the bridge's input and waits for its end. */
  @Override
  public void close() {
    write(input::close);
    try {
      if (!process.waitFor(EXIT_S, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
    writes.close();
  }

  private interface Write {
    void run() throws IOException;
  }

  /** A bridge to which nothing can be written ends: its reader reports that. */
  private void write(Write task) {
    writes.execute(
        error -> kill(),
        () -> {
          try {
            task.run();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private void read(Consumer<Frame> frames, Consumer<String> end) {
    String reason = "its output ended";
    try (InputStream output = process.getInputStream()) {
      FrameReader reader = new FrameReader(output);
      for (Optional<Frame> next = reader.read(); next.isPresent(); next = reader.read()) {
        frames.accept(next.get());
      }
    } catch (IOException | RuntimeException | Error e) { // whatever it was, the link starts another
      reason = e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
    }
    kill();
    end.accept(reason + lastLine());
  }

  /** Returns the last line that the bridge, or the command that starts it, wrote to the log. */
  private String lastLine() {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      file.seek(Math.max(Math.min(logStart, file.length()), file.length() - MAX_END));
      byte[] end = new byte[(int) Math.min(MAX_END, file.length() - file.getFilePointer())];
      file.readFully(end);
      return new String(end, StandardCharsets.ISO_8859_1)
          .lines()
          .filter(line -> !line.isBlank())
          .reduce((earlier, later) -> later)
          .map(line -> ": " + line.strip())
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }

  private static byte[] resource(String name) {
    try (InputStream stream = BridgeProcess.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException(name + " is missing");
      }
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
