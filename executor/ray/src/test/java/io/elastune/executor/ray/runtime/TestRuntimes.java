package io.elastune.executor.ray.runtime;

import io.elastune.executor.checkpoint.FileChecksum;
import io.elastune.executor.engine.NodeRuntime;
import io.elastune.executor.engine.RuntimeSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Makes runtimes without a package index. */
public final class TestRuntimes {
  private static final String STAND_IN = "stand-in";

  private TestRuntimes() {}

  /**
   * Builds a runtime from the shipped interpreter and the packages of an environment with Ray.
   *
   * @param folder the folder of the runtimes
   * @param rayPython the interpreter of the environment
   * @return the runtime; empty if the environment has another Python than the shipped one
   */
  public static Optional<NodeRuntime> build(Path folder, String rayPython) throws IOException {
    String[] environment =
        BuildStep.named("test")
            .run(
                rayPython,
                "-c",
                "import ray, os, sys; print('%d.%d' % sys.version_info[:2],"
                    + " os.path.dirname(os.path.dirname(ray.__file__)))")
            .strip()
            .split(" ", 2);
    if (!environment[0].equals("3.11")) {
      return Optional.empty();
    }
    RuntimeStore store =
        new RuntimeStore(
            List.of(folder),
            InstantSource.system(),
            (python, target, wheels) -> copy(environment[1], target));
    return Optional.of(store.build(RuntimeSources.DEFAULT, line -> {}));
  }

  /**
   * Makes a small runtime whose interpreter starts that of an environment with Ray. It is delivered
   * as others are, but runs only on this machine.
   *
   * @param folder the folder of the runtimes
   * @param rayPython the interpreter of the environment
   */
  public static NodeRuntime standIn(Path folder, String rayPython) throws IOException {
    String contents =
        BuildStep.named("test")
            .run(
                rayPython,
                "-c",
                "import ray, sys; print('Python %d.%d.%d and Ray %s' % (*sys.version_info[:3],"
                    + " ray.__version__))")
            .strip();
    Path target = Files.createDirectories(folder.resolve("python-" + STAND_IN));
    Path files = RuntimeManifest.files(target);
    Path program = files.resolve(InterpreterArchive.PROGRAM);
    Files.createDirectories(program.resolveSibling(""));
    RuntimeFiles.write(program, List.of("#!/bin/sh", "exec '" + rayPython + "' \"$@\""));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path archive = RuntimeManifest.archive(target);
    RuntimePacker.pack(files, archive);
    RuntimeManifest.write(
        target,
        new NodeRuntime(
            STAND_IN,
            files,
            archive,
            FileChecksum.of(archive),
            Files.size(archive),
            "x86_64",
            contents,
            "2.17",
            InstantSource.system().instant()));
    return RuntimeManifest.read(target).orElseThrow();
  }

  private static void copy(String packages, Path target) throws IOException {
    Files.createDirectories(target);
    var unused = BuildStep.named("test").run("cp", "-r", packages + "/.", target.toString());
  }
}
