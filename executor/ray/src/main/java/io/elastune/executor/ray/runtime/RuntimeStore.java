package io.elastune.executor.ray.runtime;

import io.elastune.core.files.LockedFile;
import io.elastune.executor.engine.NodeRuntime;
import io.elastune.executor.engine.NodeRuntimes;
import io.elastune.executor.engine.RuntimeSources;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/** The runtimes in some folders, one subfolder each. New ones are built in the first folder. */
public final class RuntimeStore implements NodeRuntimes {
  /** The prefix of the folders of builds that have not ended. */
  private static final String UNFINISHED = "build-";

  private final List<Path> folders;
  private final InstantSource time;
  private final RuntimeBuilder.Installer installer;

  /** Opens the store. The folders need not exist. */
  public RuntimeStore(List<Path> folders, InstantSource time) {
    this(folders, time, PackageInstaller::install);
  }

  RuntimeStore(List<Path> folders, InstantSource time, RuntimeBuilder.Installer installer) {
    this.folders = List.copyOf(folders);
    this.time = time;
    this.installer = installer;
  }

  /** Returns the interpreter of a runtime on this machine. */
  public static String python(NodeRuntime runtime) {
    return runtime.folder().resolve(InterpreterArchive.PROGRAM).toString();
  }

  /** Returns the folders of the runtimes. */
  public List<Path> folders() {
    return folders;
  }

  @Override
  public List<NodeRuntime> list() {
    return folders.stream()
        .flatMap(folder -> list(folder).stream())
        .sorted(Comparator.comparing(NodeRuntime::built).reversed())
        .toList();
  }

  private static List<NodeRuntime> list(Path folder) {
    List<NodeRuntime> found = new ArrayList<>();
    if (!Files.isDirectory(folder)) {
      return found;
    }
    try (DirectoryStream<Path> candidates = Files.newDirectoryStream(folder, "python*")) {
      for (Path candidate : candidates) {
        RuntimeManifest.read(candidate).ifPresent(found::add);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /** Returns the runtime of a version. */
  public Optional<NodeRuntime> find(String version) {
    return list().stream().filter(runtime -> runtime.version().equals(version)).findFirst();
  }

  @Override
  public NodeRuntime build(RuntimeSources sources, Consumer<String> progress) {
    requireLinux();
    try {
      RuntimeSources.Interpreter interpreter =
          sources.interpreter().orElseGet(ShippedInterpreter::find);
      Path folder = Files.createDirectories(folders.get(0));
      try (LockedFile only = onlyBuild(folder)) {
        deleteUnfinished(folder);
        Path part = Files.createTempDirectory(folder, UNFINISHED);
        try {
          NodeRuntime built =
              new RuntimeBuilder(installer, time, progress)
                  .build(interpreter, sources.wheels(), part);
          only.requireHeld();
          return place(part, built);
        } finally {
          RuntimeFiles.delete(part);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot build the node runtime", e);
    }
  }

  private static LockedFile onlyBuild(Path folder) throws IOException {
    return LockedFile.tryAcquire(folder.resolve("build.lock"))
        .orElseThrow(
            () ->
                new CloudException(
                    new CloudFailure.Invalid(
                        "Another process builds a runtime in "
                            + folder
                            + ". Wait for its end, and run 'elastune runtime list'.")));
  }

  /** Deletes what killed builds have left. The caller holds the lock of builds. */
  private static void deleteUnfinished(Path folder) throws IOException {
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder, UNFINISHED + "*")) {
      for (Path part : parts) {
        RuntimeFiles.delete(part);
      }
    }
  }

  private NodeRuntime place(Path part, NodeRuntime built) throws IOException {
    Path target = part.resolveSibling(built.version());
    if (RuntimeManifest.read(target).isEmpty()) {
      RuntimeFiles.makeReadable(part);
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } else {
      RuntimeManifest.write(target, built); // it is the newest one again
    }
    return RuntimeManifest.read(target).orElseThrow();
  }

  private static void requireLinux() {
    String system = System.getProperty("os.name", "");
    String processor = System.getProperty("os.arch", "");
    if (!system.toLowerCase(Locale.ROOT).equals("linux") || !processor.equals("amd64")) {
      throw new CloudException(
          new CloudFailure.Invalid(
              "The node runtime is built on Linux with an x86_64 processor, and this is "
                  + system
                  + " on "
                  + processor
                  + ". Build it on the controller: elastune --host CONTROLLER runtime build"));
    }
  }

  @Override
  public Optional<NodeRuntime> remove(String version) {
    Optional<NodeRuntime> found = find(version);
    found.ifPresent(
        runtime -> {
          try {
            RuntimeFiles.delete(runtime.archive().resolveSibling(".").normalize());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    return found;
  }
}
