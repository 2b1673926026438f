package io.elastune.cli.wheel;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes a Java runtime from a JDK with {@code jlink}, which may be a JDK for another platform. */
final class JavaImage {
  /** Modules that some Java releases have as parts of others. */
  private static final Set<String> OPTIONAL = Set.of("jdk.crypto.ec", "jdk.random");

  /**
   * Not {@code --strip-debug}: it also calls the {@code objcopy} of this machine, and leaves out
   * the native files of other platforms, which that does not know. The native files of JDKs have no
   * symbols.
   */
  /** Without the encoding, stripped classes differ in the locale C. */
  private static final List<String> FLAGS =
      List.of(
          "-J-Dfile.encoding=UTF-8",
          "--strip-java-debug-attributes",
          "--no-header-files",
          "--no-man-pages",
          "--compress");

  /** Without these, no command starts. */
  private static final Pattern REQUIRED =
      Pattern.compile("bin/java|lib/jspawnhelper|lib/(server/libjvm|libjava|libnet|libnio)\\..*");

  /** Names that Java and its file {@code release} give to the same processors. */
  private static final Map<String, String> ARCHITECTURES = Map.of("amd64", "x86_64");

  private static final String CERTIFICATES = "lib/security/cacerts";

  private final Path jdk;
  private final Map<String, String> release = new TreeMap<>();

  /** Reads the properties of the JDK in {@code folder}, which may be a bundle of macOS. */
  JavaImage(Path folder) {
    Path bundled = folder.resolve("Contents/Home");
    jdk = Files.isDirectory(bundled) ? bundled : folder;
    Properties properties = new Properties();
    try (InputStream file = Files.newInputStream(jdk.resolve("release"))) {
      properties.load(file);
    } catch (IOException e) {
      throw new UnsuitableInput(jdk + " is no JDK: it has no readable file named release.");
    }
    properties.forEach(
        (key, value) -> release.put(String.valueOf(key), String.valueOf(value).replace("\"", "")));
    if (property("OS_NAME").startsWith("Windows")) {
      throw new UnsuitableInput(jdk + " is for Windows, which is not supported: use WSL2.");
    }
    if (property("LIBC").equals("musl")) {
      throw new UnsuitableInput(jdk + " needs musl, which is not supported: use a JDK for glibc.");
    }
  }

  private String property(String name) {
    return release.getOrDefault(name, "");
  }

  /** Returns the folder with {@code bin} and {@code lib}. */
  Path home() {
    return jdk;
  }

  /** Whether programs of this JDK run on this machine. */
  boolean runsHere() {
    return System.getProperty("os.name").startsWith(property("OS_NAME"))
        && ARCHITECTURES
            .getOrDefault(System.getProperty("os.arch"), System.getProperty("os.arch"))
            .equals(property("OS_ARCH"));
  }

  /** Returns the version as that of a wheel: 25.0.3+9-LTS is 25.0.3.9. */
  String version() {
    return property("JAVA_RUNTIME_VERSION").replaceFirst("^([0-9.]+)(?:\\+([0-9]+))?.*", "$1.$2");
  }

  /** Returns, for people, which JDK this is. */
  String title() {
    return property("IMPLEMENTOR") + " " + property("JAVA_RUNTIME_VERSION");
  }

  /**
   * Makes the runtime.
   *
   * @param modules those of the runtime; others that they need are added
   * @param host the folder of a JDK of the same release for this machine, which links
   * @param output a folder that does not exist
   */
  void link(List<String> modules, Path host, Path output) {
    boolean hasModules = Files.isDirectory(jdk.resolve("jmods"));
    boolean same = isSame(jdk, host);
    if (!hasModules && !same) {
      throw new UnsuitableInput(
          jdk + " has no folder jmods, which is needed to link it with the jlink of " + host + ".");
    }
    Path jlink = host.resolve("bin/jlink");
    if (!Files.isExecutable(jlink)) {
      throw new UnsuitableInput(jlink + " is missing: name a JDK that can link runtimes.");
    }
    List<String> command =
        new ArrayList<>(List.of(jlink.toString(), "--output", output.toString()));
    command.addAll(FLAGS);
    // The wheel is compressed. Classes of a runtime that are not are found faster.
    command.add(major(host) < 21 ? "0" : "zip-0");
    if (hasModules) {
      command.addAll(List.of("--module-path", jdk.resolve("jmods").toString()));
    }
    Set<String> present = modules();
    command.add("--add-modules");
    command.add(
        modules.stream()
            .filter(name -> present.contains(name) || !OPTIONAL.contains(name))
            .collect(Collectors.joining(",")));
    run(command);
    addCertificates(output);
  }

  private static boolean isSame(Path one, Path other) {
    try {
      return Files.isSameFile(one, other);
    } catch (IOException e) {
      return false;
    }
  }

  private static int major(Path jdk) {
    return Integer.parseInt(new JavaImage(jdk).property("JAVA_VERSION").split("\\.", 2)[0]);
  }

  private Set<String> modules() {
    return new TreeSet<>(List.of(property("MODULES").split(" ", -1)));
  }

  private static void run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new UnsuitableInput(
            command.get(0) + " failed: " + output.lines().findFirst().orElse(""));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnsuitableInput("interrupted");
    }
  }

  /**
   * Checks that a runtime has the native files without which no command starts: jlink leaves out
   * what it cannot process, and ends without an error.
   *
   * @param natives the native files of the runtime
   */
  void requireComplete(Set<String> natives) {
    long found = natives.stream().filter(name -> REQUIRED.matcher(name).matches()).count();
    if (found != 6) {
      throw new UnsuitableInput(
          "The runtime of %s has %d of 6 native files that match %s."
              .formatted(jdk, found, REQUIRED));
    }
  }

  /** JDKs of Linux distributions link to the certificates of the system, which jlink leaves out. */
  private void addCertificates(Path output) {
    Path certificates = output.resolve(CERTIFICATES);
    try {
      if (!Files.exists(certificates)) {
        Files.deleteIfExists(certificates); // a link without target
        Files.copy(jdk.resolve(CERTIFICATES).toRealPath(), certificates);
      }
    } catch (IOException e) {
      throw new UnsuitableInput(jdk.resolve(CERTIFICATES) + ", needed for TLS, cannot be read.");
    }
  }

  /**
   * Returns the files of a runtime by their path. Links, which wheels cannot contain, become a line
   * that names their target, as in runtimes for Windows.
   */
  static Map<String, byte[]> files(Path image) {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(image)) {
      for (Path file : all.sorted(Comparator.naturalOrder()).toList()) {
        String name = image.relativize(file).toString().replace(File.separatorChar, '/');
        if (Files.isSymbolicLink(file)) {
          files.put(
              name,
              ("Please see " + Files.readSymbolicLink(file) + "\n")
                  .getBytes(StandardCharsets.UTF_8));
        } else if (Files.isRegularFile(file)) {
          files.put(name, Files.readAllBytes(file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }
}
