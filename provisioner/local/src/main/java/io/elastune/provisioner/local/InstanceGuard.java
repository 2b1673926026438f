package io.elastune.provisioner.local;

import io.elastune.core.files.PrivateFiles;
import io.elastune.provisioner.process.HostTools;
import io.elastune.provisioner.process.InstanceFolder;
import io.elastune.provisioner.process.LimitMark;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Starts and stops the guard process of an instance, which ends all processes of the instance when
 * it receives a command, or when the controller ends.
 */
final class InstanceGuard {
  private static final String SCRIPT = "guard.sh";

  private final Process process;

  private InstanceGuard(Process process) {
    this.process = process;
  }

  static InstanceGuard start(InstanceFolder folder, Map<String, String> marks) throws IOException {
    Path script = folder.path().resolve(SCRIPT);
    try (InputStream source = InstanceGuard.class.getResourceAsStream(SCRIPT)) {
      if (source == null) {
        throw new IOException("resource " + SCRIPT + " is missing");
      }
      Files.write(PrivateFiles.createFile(script), source.readAllBytes());
    }
    String lease = folder.path().getFileName().toString();
    ProcessBuilder builder =
        new ProcessBuilder(
            HostTools.detached(
                List.of(
                    "sh",
                    script.toString(),
                    lease,
                    folder.path().toString(),
                    LimitMark.lease(lease))));
    builder.environment().clear();
    builder.environment().putAll(HostTools.inheritedEnvironment());
    builder.environment().putAll(marks);
    builder.redirectErrorStream(true);
    Path log = PrivateFiles.createFile(folder.path().resolve("guard.log"));
    builder.redirectOutput(Redirect.appendTo(log.toFile()));
    return new InstanceGuard(builder.start());
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  CompletableFuture<?> onExit() {
    return process.onExit();
  }

  /** Makes the guard end all processes of its instance, and then itself. */
  void stop() {
    try (OutputStream pipe = process.getOutputStream()) {
      pipe.write('\n');
    } catch (IOException e) {
      // The guard has already exited; the code that waits for its exit handles that.
      return;
    }
  }
}
