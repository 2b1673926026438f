package io.elastune.cli.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A checkout with the real launcher and with fake Java and Maven programs, in a folder with a space
 * in its name. The PATH contains only the tools that the launcher may use.
 */
final class FakeCheckout implements AutoCloseable {

  private static final Path LAUNCHER =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolveSibling("elastune");
  private static final String TOOLS =
      "awk cat date find grep head ln ls mkdir mkfifo mv readlink rm rmdir sed sh sleep sync tail";

  /** Prints its process ID and arguments. Creates the archive, or sleeps, depending on them. */
  private static final String JAVA =
      """
      #!/bin/sh
      for argument in "$@"; do
        case $argument in
          -XX:SharedArchiveFile=*) archive=${argument#*=} ;;
          -Xshare:dump) dump=yes ;;
        esac
      done
      [ -z "${dump:-}" ] || echo archive >"$archive"
      printf '<%s>' "$$" "$@"
      [ "$argument" != sleep ] || while :; do sleep 0.1; done
      """;

  /** Records its call and creates a jar. Is slow, or fails, depending on the source. */
  private static final String MAVEN =
      """
      #!/bin/sh
      [ "$1" != -v ] || { echo "Apache Maven ${MAVEN_VERSION:-3.8.7} (build)"; exit; }
      echo call >>calls
      echo "[INFO] Building Elastune core 0.1.0-SNAPSHOT                    [1/2]"
      if grep -q slow core/src/main/A.java; then sleep 1; fi
      if grep -q broken core/src/main/A.java; then
        echo "[ERROR] A.java:[1,1] is broken"
        exit 1
      fi
      mkdir -p cli/target/quick/elastune/lib
      cd cli/target/quick/elastune/lib
      echo jar >elastune-cli-0.1.0-SNAPSHOT.jar
      for cloud in aws gcp; do
        mkdir -p $cloud
        echo jar >$cloud/elastune-provisioner-$cloud-0.1.0-SNAPSHOT.jar
      done
      """;

  final Path root;
  final Path bin;
  final Path javaHome;

  /** Whether the machine has {@code ps}, which small images often lack. */
  final boolean hasPs;

  final Map<String, String> environment = new HashMap<>();

  FakeCheckout(Path temporary) throws IOException {
    Path folder = temporary.toRealPath();
    root = folder.resolve("a checkout");
    bin = Files.createDirectories(folder.resolve("bin"));
    javaHome = folder.resolve("jdk");
    for (String tool : TOOLS.split(" ", -1)) {
      addTool(find(tool).orElseThrow(() -> new AssertionError("no " + tool + " on the PATH")));
    }
    Optional<Path> ps = find("ps");
    hasPs = ps.isPresent();
    if (ps.isPresent()) {
      addTool(ps.get());
    }
    program(bin.resolve("mvn"), MAVEN);
    program(javaHome.resolve("bin/java"), JAVA);
    program(javaHome.resolve("bin/javac"), "#!/bin/sh\n");
    write(javaHome.resolve("release"), "JAVA_VERSION=\"17.0.9\"\n");
    environment.put("PATH", bin.toString());
    environment.put("JAVA_HOME", javaHome.toString());

    program(root.resolve("elastune"), Files.readString(LAUNCHER));
    for (String file : List.of("pom.xml", ".mvn/jvm.config", "provisioner/api/pom.xml")) {
      write(root.resolve(file), "\n");
    }
    write(source(), "class A {}\n");
  }

  private void addTool(Path tool) throws IOException {
    Files.createSymbolicLink(bin.resolve(tool.getFileName()), tool);
  }

  /** Deletes the links to tools: JUnit warns of each link that leaves a temporary folder. */
  @Override
  public void close() throws IOException {
    try (DirectoryStream<Path> links = Files.newDirectoryStream(bin, Files::isSymbolicLink)) {
      for (Path link : links) {
        Files.delete(link);
      }
    }
  }

  /** Copies the build of another checkout, as if this one had made it. */
  void copyBuildOf(FakeCheckout other) throws IOException {
    Files.copy(other.root.resolve("calls"), root.resolve("calls"));
    try (Stream<Path> files = Files.walk(other.state())) {
      for (Path file : files.toList()) { // a folder before its files
        Path copy = state().resolve(other.state().relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }

  /** Turns the checkout and its build into a release. */
  void toRelease() throws IOException {
    Files.move(storedBuilds().get(0).resolve("lib"), root.resolve("lib"));
    Files.delete(root.resolve("pom.xml"));
  }

  Path source() {
    return root.resolve("core/src/main/A.java");
  }

  Path state() {
    return root.resolve("target/launcher");
  }

  int buildCount() throws IOException {
    Path calls = root.resolve("calls");
    return Files.exists(calls) ? Files.readAllLines(calls).size() : 0;
  }

  /** Returns the stored builds, oldest first. */
  List<Path> storedBuilds() throws IOException {
    try (Stream<Path> files = Files.list(state())) {
      return files.filter(file -> Files.exists(file.resolve("lib"))).sorted().toList();
    }
  }

  Result launch(String... arguments) throws IOException, InterruptedException {
    return Result.of(start(root, List.of("./elastune"), arguments));
  }

  Process start(Path folder, List<String> command, String... arguments) throws IOException {
    List<String> line = new ArrayList<>(command);
    line.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(line).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder.start();
  }

  static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  static void program(Path file, String text) throws IOException {
    write(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static Optional<Path> find(String tool) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .map(folder -> Path.of(folder, tool))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** The result of a launch. */
  record Result(long process, int exit, String out, String err) {

    static Result of(Process process) throws IOException, InterruptedException {
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Result(process.pid(), process.waitFor(), out, err);
    }
  }
}
