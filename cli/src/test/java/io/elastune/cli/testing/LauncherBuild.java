package io.elastune.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The launcher, and the beginning of commands in a separate process that also need classes of the
 * tests.
 *
 * <p>The integration tests of a build by Maven start the jars of that build, as a release does.
 * Tests that run otherwise, such as those of an editor, start the launcher of the checkout, which
 * first builds what has changed. Its class-data-sharing archive, which is valid for every class
 * path that begins with the launcher's jar, saves a third of the processor time of a command.
 */
public final class LauncherBuild {
  /** Where the integration tests of a build have the launcher; empty for other tests. */
  private static final String BUILD = System.getProperty("elastune.launcher", "");

  private static final Path CHECKOUT = ExampleFiles.REPOSITORY.resolve("elastune");
  private static final Path STATE = CHECKOUT.resolveSibling("target/launcher");
  private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));
  private static final List<String> FLAGS =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xlog:cds=off");

  /** What most tests start, and what they load the most classes for. */
  private static final String COMMANDS =
      """
      plan configs/examples/worked-example/job.yaml
      run configs/examples/worked-example/job.yaml --infra simulated -y
      """;

  private static final String CLOUD_COMMANDS = COMMANDS + "orphans --infra aws/us-east-1\n";

  private static String launcher = "";
  private static List<String> command = List.of();

  private LauncherBuild() {}

  /**
   * Returns the launcher. It is first made, which takes longer on a busy machine than tests wait
   * for a command.
   */
  public static synchronized String launcher() throws IOException {
    if (launcher.isEmpty()) {
      launcher = (BUILD.isEmpty() ? ofCheckout() : ofBuild(Path.of(BUILD))).toString();
    }
    return launcher;
  }

  /**
   * Returns the beginning of a command that starts a JVM: its flags, and the class path of the
   * tests.
   */
  public static synchronized List<String> java() throws IOException {
    if (command.isEmpty()) {
      launcher();
      command =
          List.copyOf(
              command(
                  BUILD.isEmpty()
                      ? STATE.resolve(Files.readAllLines(STATE.resolve("current")).get(0))
                      : Path.of(BUILD)));
    }
    return command;
  }

  private static List<String> command(Path build) throws IOException {
    // A build has one archive for each JDK with which it was started.
    Path archive = only(build, "*" + System.getProperty("java.runtime.version") + "*-clouds.jsa");
    List<String> arguments = new ArrayList<>();
    arguments.add(JAVA_HOME.resolve("bin/java").toString());
    arguments.addAll(FLAGS);
    if (Files.size(archive) > 0) { // empty: it could not be created
      arguments.add("-XX:SharedArchiveFile=" + archive);
    }
    arguments.add("-cp");
    arguments.add(
        jar(build)
            + File.pathSeparator
            + clouds(build)
            + File.pathSeparator
            + System.getProperty("java.class.path"));
    return arguments;
  }

  private static Path ofCheckout() throws IOException {
    try {
      ExternalPrograms.output(
          ExampleFiles.REPOSITORY,
          Map.of("JAVA_HOME", JAVA_HOME.toString()),
          CHECKOUT.toString(),
          "--version");
    } catch (InterruptedException e) {
      throw interrupted();
    }
    return CHECKOUT;
  }

  /** Makes a release without documents in {@code folder}, next to the jars that Maven has built. */
  private static Path ofBuild(Path folder) throws IOException {
    Files.createDirectories(folder);
    Path lib = folder.resolve("lib");
    if (!Files.exists(lib)) {
      Files.createSymbolicLink(lib, Path.of("../elastune/lib"));
    }
    archives(folder);
    return Files.copy(
        CHECKOUT,
        folder.resolve("elastune"),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.COPY_ATTRIBUTES);
  }

  /**
   * Creates the archives of a build. Those that the launcher creates have more classes, and take
   * more than twice the processor time.
   */
  private static void archives(Path folder) throws IOException {
    Path plain = folder.resolve(jvm() + ".jsa");
    Path clouds = folder.resolve(jvm() + "-clouds.jsa");
    FileTime built = newestJar(folder);
    if (Files.exists(plain) && Files.getLastModifiedTime(plain).compareTo(built) > 0) {
      return;
    }
    String jar = jar(folder).toString();
    archive(folder, clouds, jar + File.pathSeparator + clouds(folder), CLOUD_COMMANDS);
    archive(folder, plain, jar, COMMANDS);
  }

  private static void archive(Path folder, Path archive, String classPath, String commands)
      throws IOException {
    Path home = Files.createDirectories(folder.resolve("home"));
    Path made = home.resolve("jsa");
    Files.deleteIfExists(made);
    List<String> create = new ArrayList<>();
    create.add(JAVA_HOME.resolve("bin/java").toString());
    create.addAll(FLAGS);
    create.add("-XX:ArchiveClassesAtExit=" + made);
    create.addAll(List.of("-cp", classPath, "io.elastune.cli.ClassArchiveCommands"));
    ProcessBuilder builder =
        new ProcessBuilder(create)
            .directory(ExampleFiles.REPOSITORY.toFile())
            .redirectInput(Files.writeString(home.resolve("commands"), commands).toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("archive.log").toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "ELASTUNE_HOME", home.toString(),
                "AWS_ENDPOINT_URL", "http://127.0.0.1:9",
                "AWS_MAX_ATTEMPTS", "1",
                "AWS_ACCESS_KEY_ID", "none",
                "AWS_SECRET_ACCESS_KEY", "none"));
    try {
      int unused = builder.start().waitFor();
    } catch (InterruptedException e) {
      throw interrupted();
    }
    if (!Files.exists(made)) { // for example, the JDK has no archive of its own
      Files.createFile(made);
    }
    Files.move(made, archive, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Returns the name of this JVM in the launcher. If it has another one, it makes archives. */
  private static String jvm() throws IOException {
    Properties release = new Properties();
    try (InputStream file = Files.newInputStream(JAVA_HOME.resolve("release"))) {
      release.load(file);
    }
    return List.of("IMPLEMENTOR", "JAVA_RUNTIME_VERSION", "OS_ARCH").stream()
        .map(key -> release.getProperty(key, "").replace("\"", ""))
        .reduce((first, second) -> first + "-" + second)
        .orElseThrow();
  }

  private static FileTime newestJar(Path folder) throws IOException {
    FileTime newest = FileTime.fromMillis(0);
    try (Stream<Path> jars = Files.walk(folder.resolve("lib").toRealPath())) {
      for (Path jar : jars.toList()) {
        FileTime time = Files.getLastModifiedTime(jar);
        newest = time.compareTo(newest) > 0 ? time : newest;
      }
    }
    return newest;
  }

  /** Returns the jars of the providers, as the launcher names them in the class path. */
  private static String clouds(Path build) throws IOException {
    List<String> jars = new ArrayList<>();
    for (String cloud : List.of("aws", "gcp")) {
      jars.add(only(build.resolve("lib/" + cloud), "elastune-provisioner-*.jar").toString());
    }
    return String.join(File.pathSeparator, jars);
  }

  private static Path jar(Path build) throws IOException {
    return only(build.resolve("lib"), "elastune-cli-*.jar");
  }

  private static Path only(Path folder, String glob) throws IOException {
    try (var files = Files.newDirectoryStream(folder, glob)) {
      List<Path> found = new ArrayList<>();
      files.forEach(found::add);
      assertThat(found).as(glob + " in " + folder).hasSize(1);
      return found.get(0);
    }
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException();
  }
}
