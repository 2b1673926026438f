package io.elastune.executor.ray.runtime;

import io.elastune.executor.checkpoint.FileChecksum;
import io.elastune.executor.engine.NodeRuntime;
import io.elastune.executor.engine.RuntimeSources;
import io.elastune.executor.ray.head.RayPython;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Builds a runtime in a folder. */
final class RuntimeBuilder {
  private static final String ARCHITECTURE = "x86_64";
  private static final int NAME_DIGITS = 12;
  private static final String VERSIONS =
      "import ray, ctypes, ssl, sys; print('%d.%d.%d' % sys.version_info[:3], ray.__version__)";

  /** An interpreter that was built elsewhere looks for certificates where it was built. */
  private static final List<String> CERTIFICATES =
      List.of(
          "# Written by Elastune: the certificates of the image, or else those of certifi.",
          "import os, ssl",
          "",
          "def _load(context, purpose=ssl.Purpose.SERVER_AUTH, _load=ssl.SSLContext.load_default_certs):",
          "    _load(context, purpose)",
          "    if 'SSL_CERT_FILE' in os.environ or os.path.exists(ssl.get_default_verify_paths().openssl_cafile):",
          "        return",
          "    for file in ('/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt',",
          "                 '/etc/ssl/ca-bundle.pem', '/etc/ssl/cert.pem'):",
          "        if os.path.exists(file):",
          "            return context.load_verify_locations(file)",
          "    import certifi",
          "    context.load_verify_locations(certifi.where())",
          "",
          "ssl.SSLContext.load_default_certs = _load");

  /** Installs packages. */
  interface Installer {
    /** Installs Ray and what it requires. */
    void install(Path python, Path target, Optional<Path> wheels) throws IOException;
  }

  private final Installer installer;
  private final InstantSource time;
  private final Consumer<String> progress;

  RuntimeBuilder(Installer installer, InstantSource time, Consumer<String> progress) {
    this.installer = installer;
    this.time = time;
    this.progress = progress;
  }

  /**
   * Builds a runtime.
   *
   * @param folder an empty folder, to be renamed to the version
   * @throws CloudException if a source is unusable, or the result would not run on all images
   */
  NodeRuntime build(RuntimeSources.Interpreter interpreter, Optional<Path> wheels, Path folder)
      throws IOException {
    progress.accept("Unpacking " + interpreter.file().getFileName());
    Path files = RuntimeManifest.files(folder);
    Path scratch = Files.createDirectory(folder.resolve("scratch"));
    InterpreterArchive.unpack(interpreter, scratch, files);
    RuntimeFiles.delete(scratch);
    Path python = files.resolve(InterpreterArchive.PROGRAM);
    Path packages = packages(files);

    progress.accept("Installing Ray " + RayPython.TESTED);
    installer.install(python, packages, wheels);
    UnusedFiles.delete(files);
    RuntimeFiles.write(packages.resolve("sitecustomize.py"), CERTIFICATES);
    RuntimeFiles.write(files.resolve("LICENSES.txt"), licenses(interpreter, files, packages));

    progress.accept("Checking that all files run with glibc " + PortabilityCheck.NEWEST);
    GlibcVersion glibc = PortabilityCheck.newestNeed(files);
    String[] versions = versions(python).split(" ", 2);
    compile(python, files);

    progress.accept("Packing");
    Path archive = RuntimeManifest.archive(folder);
    RuntimePacker.pack(files, archive);
    String sha256 = FileChecksum.of(archive);
    String name =
        "python%s-ray%s-%s".formatted(versions[0], versions[1], sha256.substring(0, NAME_DIGITS));
    NodeRuntime runtime =
        new NodeRuntime(
            name,
            files,
            archive,
            sha256,
            Files.size(archive),
            ARCHITECTURE,
            "Python " + versions[0] + " and Ray " + versions[1],
            glibc.toString(),
            time.instant().truncatedTo(ChronoUnit.SECONDS));
    RuntimeManifest.write(folder, runtime);
    return runtime;
  }

  private static Path packages(Path files) throws IOException {
    try (var folders = Files.newDirectoryStream(files.resolve("lib"), "python3.*")) {
      for (Path folder : folders) {
        return folder.resolve("site-packages");
      }
    }
    throw new CloudException(
        new CloudFailure.Invalid("The interpreter has no folder lib/python3.VERSION"));
  }

  private static List<String> licenses(
      RuntimeSources.Interpreter interpreter, Path files, Path packages) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Interpreter: " + interpreter.file().getFileName() + ", SHA-256 " + interpreter.sha256());
    lines.add("Its licenses: " + files.relativize(packages.resolveSibling("LICENSE.txt")));
    lines.add("");
    lines.addAll(PackageLicenses.read(packages));
    return lines;
  }

  private static String versions(Path python) throws IOException {
    return BuildStep.named("The first start of the node runtime")
        .run(python.toString(), "-I", "-B", "-c", VERSIONS)
        .strip();
  }

  /** Compiled files that are not compared with their sources need no times in the archive. */
  private static void compile(Path python, Path files) throws IOException {
    List<String> command = new ArrayList<>(List.of(python.toString(), "-I", "-m", "compileall"));
    command.addAll(List.of("-q", "-j", "0", "--invalidation-mode", "unchecked-hash"));
    // The text of a compiled file contains its path.
    command.addAll(List.of("-s", files.toString(), files.resolve("lib").toString()));
    var unused = BuildStep.named("Compiling").run(command.toArray(String[]::new));
  }
}
