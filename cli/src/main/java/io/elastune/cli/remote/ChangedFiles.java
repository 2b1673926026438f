package io.elastune.cli.remote;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.inspect.PollDelay;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** Sends the files of a command whenever they change, as marks in its output. */
final class ChangedFiles {
  private static final long POLL_MS = 500;

  private final CliEnvironment cliEnvironment;
  private final Path folder;
  private final String prefix;
  private final Map<Path, FileTime> sent = new HashMap<>();

  /**
   * Creates a sender.
   *
   * @param folder the folder of the files
   * @param prefix the beginning of marks
   */
  ChangedFiles(CliEnvironment cliEnvironment, Path folder, String prefix) {
    this.cliEnvironment = cliEnvironment;
    this.folder = folder;
    this.prefix = prefix;
  }

  /** Starts to send files in the background, until the process ends. */
  void start() {
    Thread thread = new Thread(this::poll, "elastune-files");
    thread.setDaemon(true);
    thread.start();
  }

  private void poll() {
    while (PollDelay.sleepMillis(POLL_MS)) {
      sendChanged();
    }
  }

  /** Sends the files that have changed since the last call. */
  synchronized void sendChanged() {
    try (Stream<Path> entries = Files.list(folder)) {
      List<Path> files =
          entries.filter(file -> !file.toString().endsWith(".tmp")).sorted().toList();
      for (Path file : files) {
        FileTime changed = Files.getLastModifiedTime(file);
        if (!changed.equals(sent.put(file, changed))) {
          send(file);
        }
      }
    } catch (IOException e) {
      return; // A file is replaced, or the session has ended.
    }
  }

  private void send(Path file) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream compressed = new GZIPOutputStream(bytes)) {
      compressed.write(Files.readAllBytes(file));
    }
    cliEnvironment
        .out()
        .println(
            prefix
                + RemoteProtocol.document()
                    .put(RemoteProtocol.FILE, String.valueOf(file.getFileName()))
                    .put("gzip", Base64.getEncoder().encodeToString(bytes.toByteArray())));
  }
}
