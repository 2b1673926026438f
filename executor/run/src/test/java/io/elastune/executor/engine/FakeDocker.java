package io.elastune.executor.engine;

import io.elastune.executor.code.CodeSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A docker command without an engine, whose containers are processes of this machine. It refuses
 * every argument that it does not check.
 *
 * @param folder the folder of the command, for the {@code PATH}
 */
public record FakeDocker(Path folder) {
  /** Creates the command in a folder. */
  public static FakeDocker in(Path folder) throws IOException {
    Files.createDirectories(folder);
    try (InputStream source = FakeDocker.class.getResourceAsStream("fake_docker.py")) {
      Files.write(folder.resolve("fake_docker.py"), source.readAllBytes());
    }
    Path command = folder.resolve("docker");
    Files.writeString(
        command, "#!/bin/sh\nexec python3 -I '" + folder.resolve("fake_docker.py") + "' \"$@\"\n");
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));
    return new FakeDocker(folder);
  }

  /** Returns a {@code PATH} that has this command first. */
  public String path() {
    return folder + ":" + System.getenv("PATH");
  }

  /** Adds an image. */
  public FakeDocker with(String image) throws IOException {
    Files.createDirectories(folder.resolve("images"));
    Files.writeString(folder.resolve("images").resolve(image), "");
    return this;
  }

  /** Returns an attempt whose workers run in containers of an image. */
  public static AttemptSpec attempt(
      AttemptSpec spec, String image, Map<String, String> more, Optional<CodeSnapshot> code) {
    Map<String, String> environment = new HashMap<>(spec.environment());
    environment.putAll(more);
    return AttemptSpecBuilder.builder(spec)
        .environment(environment)
        .code(code)
        .image(Optional.of(image))
        .build();
  }

  /** Makes all calls fail. */
  public void stop() throws IOException {
    Files.writeString(folder.resolve("down"), "");
  }

  /** Returns all calls so far, each as a JSON list of its arguments. */
  public List<String> calls() throws IOException {
    Path calls = folder.resolve("calls");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  /** Returns the running processes of containers. */
  public List<ProcessHandle> running() throws IOException {
    List<ProcessHandle> running = new ArrayList<>();
    try (Stream<Path> files = Files.list(Files.createDirectories(folder.resolve("containers")))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".pid")).toList()) {
        find(file)
            .filter(ProcessHandle::isAlive)
            .filter(process -> !isZombie(process.pid()))
            .ifPresent(running::add);
      }
    }
    return running;
  }

  /** A process that has ended is alive for Java until its parent has read its exit code. */
  private static boolean isZombie(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return false;
    }
  }

  private static Optional<ProcessHandle> find(Path file) throws IOException {
    try {
      return ProcessHandle.of(Long.parseLong(Files.readString(file)));
    } catch (NoSuchFileException e) {
      return Optional.empty(); // removed meanwhile
    }
  }
}
