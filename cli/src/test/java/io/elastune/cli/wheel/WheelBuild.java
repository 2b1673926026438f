package io.elastune.cli.wheel;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Builds the wheels of a release, for the platform of a JDK: the command with the Python interface,
 * its runtime, and the extras with the libraries of clouds. See docs/install.md.
 *
 * <p>Arguments: NAME=VALUE of {@code repository}, {@code lib}, {@code parts} (the files that the
 * build has made), {@code sbom}, {@code version}, {@code jdk}, {@code modules} and {@code output}
 * (a folder). A JDK for another platform is linked by the JDK that executes this program.
 */
public final class WheelBuild {
  private static final List<String> CLOUDS = List.of("aws", "gcp");
  private static final String RUNTIME = "elastune-runtime";
  private static final String PYTHON = ">=3.9";

  private static final String COMMAND = "[console_scripts]\nelastune = elastune._launcher:main\n";

  /** Where the core has the files of a release. */
  private static final String RELEASE = "elastune/release/";

  private static final String SQLITE = "org/sqlite/native/";
  private static final String JRE = "elastune_runtime/jre/";

  private final Map<String, String> options = new HashMap<>();

  private WheelBuild(String[] arguments) {
    for (String argument : arguments) {
      String[] parts = argument.split("=", 2);
      options.put(parts[0], parts[1]);
    }
  }

  /** Builds the wheels; exit code 1, and one line, if the JDK is not suitable. */
  public static void main(String[] arguments) {
    try {
      for (Path wheel : build(arguments)) {
        double megabytes = Files.size(wheel) / 1e6;
        System.out.printf(Locale.ROOT, "%s %.1f MB%n", wheel.getFileName(), megabytes);
      }
    } catch (UnsuitableInput e) {
      System.err.println(e.getMessage());
      System.exit(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Builds the wheels, and returns their files. */
  static List<Path> build(String... arguments) throws IOException {
    return new WheelBuild(arguments).build();
  }

  private String option(String name) {
    String value = options.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + "=VALUE is missing");
    }
    return value;
  }

  private Path path(String name) {
    return Path.of(option(name));
  }

  private List<Path> build() throws IOException {
    for (Path folder : List.of(path("output"), otherSystems())) {
      Files.createDirectories(folder);
      try (DirectoryStream<Path> old = Files.newDirectoryStream(folder, "*.whl*")) {
        for (Path wheel : old) {
          Files.delete(wheel);
        }
      }
    }
    JavaImage java = new JavaImage(path("jdk"));
    Path image = Files.createTempDirectory("elastune-jlink").resolve("jre");
    try {
      java.link(List.of(option("modules").split(",", -1)), linker(java), image);
      Map<String, byte[]> files = JavaImage.files(image);
      Set<String> programs = new TreeSet<>();
      files.keySet().stream()
          .filter(name -> Files.isExecutable(image.resolve(name)))
          .forEach(programs::add);
      Map<String, NativeFile> natives = natives(files);
      java.requireComplete(natives.keySet());
      Platform platform = Platform.of(natives);
      List<Path> wheels = new ArrayList<>();
      wheels.add(runtime(java, files, programs, platform));
      Map<String, Set<Path>> jars = ReleaseJars.distribute(path("lib"), path("sbom"), CLOUDS);
      wheels.add(core(jars.getOrDefault(ReleaseJars.CORE, Set.of()), platform));
      wheels.add(forOtherSystems());
      jars.forEach(
          (name, some) -> {
            if (!name.equals(ReleaseJars.CORE)) {
              wheels.add(extra(name, some));
            }
          });
      return wheels;
    } finally {
      delete(image.resolveSibling(""));
    }
  }

  private static Map<String, NativeFile> natives(Map<String, byte[]> files) {
    Map<String, NativeFile> natives = new TreeMap<>();
    files.forEach(
        (name, content) -> NativeFile.of(name, content).ifPresent(file -> natives.put(name, file)));
    return natives;
  }

  private Path linker(JavaImage java) {
    return java.runsHere() ? java.home() : Path.of(System.getProperty("java.home"));
  }

  // ---- The wheels -------------------------------------------------------------------------------

  private Path runtime(
      JavaImage java, Map<String, byte[]> files, Set<String> programs, Platform platform) {
    WheelWriter wheel = new WheelWriter(RUNTIME, java.version(), platform.tag());
    files.forEach((name, content) -> wheel.add(JRE + name, content, programs.contains(name)));
    wheel.add("elastune_runtime/__init__.py", python("elastune_runtime/__init__.py"), false);
    wheel.add("elastune_runtime/py.typed", "");
    wheel.addInfo("CONTENTS.txt", contents(java, files));
    return wheel.write(
        path("output"),
        """
        Summary: The Java runtime of Elastune
        License: GPL-2.0-only WITH Classpath-exception-2.0
        Requires-Python: %s
        Description-Content-Type: text/plain

        %s, reduced to the modules that Elastune needs. The licenses are in elastune_runtime/jre/legal.
        """
            .formatted(PYTHON, java.title()));
  }

  private static String contents(JavaImage java, Map<String, byte[]> files) {
    StringBuilder text = new StringBuilder(java.title()).append('\n');
    files.forEach(
        (name, content) -> {
          text.append(String.format(Locale.ROOT, "%10d  %s", content.length, name));
          NativeFile.of(name, content)
              .ifPresent(
                  file ->
                      text.append("  (")
                          .append(file.machine())
                          .append(", needs ")
                          .append(file.family() == NativeFile.Family.LINUX ? "glibc " : "macOS ")
                          .append(file.release())
                          .append(", loads ")
                          .append(String.join(" ", new TreeSet<>(file.needed())))
                          .append(')'));
          text.append('\n');
        });
    return text.toString();
  }

  private Path core(Set<Path> jars, Platform java) throws IOException {
    Platform platform = java;
    for (Path jar : jars) {
      if (isSqlite(jar)) {
        platform = Platform.of(Map.of(jar.toString(), sqliteLibrary(jar, java)));
      }
    }
    WheelWriter wheel = new WheelWriter(ReleaseJars.CORE, version(), platform.tag());
    for (Path jar : jars) {
      if (isSqlite(jar)) {
        wheel.add(lib(jar), withOneLibrary(jar, java), false);
      } else {
        wheel.add(lib(jar), jar, false);
      }
    }
    Path repository = path("repository");
    Path launcher = repository.resolve("elastune");
    wheel.add(RELEASE + "elastune", launcher, true);
    wheel.add(RELEASE + "BUILD", path("parts").resolve("BUILD"), false);
    // What the launcher starts to create archives.
    for (String file : namedIn(launcher)) {
      wheel.add(RELEASE + file, repository.resolve(file), false);
    }
    addModules(wheel, "python", "elastune");
    addModules(wheel, "python/typed", "elastune_trial");
    addModules(wheel, "python/typed", "elastune_callbacks");
    wheel.addInfo("entry_points.txt", COMMAND);
    wheel.addInfo("licenses/LICENSE", repository.resolve("LICENSE"));
    wheel.addInfo("licenses/THIRD-PARTY.txt", path("parts").resolve("THIRD-PARTY.txt"));
    wheel.addInfo("sboms/elastune.cdx.json", path("sbom"));
    StringBuilder extras = new StringBuilder();
    for (String cloud : CLOUDS) {
      extras.append(
          "Provides-Extra: %1$s\nRequires-Dist: elastune-%1$s (==%2$s) ; extra == '%1$s'\n"
              .formatted(cloud, version()));
    }
    return wheel.write(
        path("output"),
        """
        Summary: Hyperparameter tuning on rented GPUs under a deadline and a budget
        License: Apache-2.0
        Requires-Python: %s
        Requires-Dist: %s (>=17)
        %sClassifier: Typing :: Typed
        Description-Content-Type: text/markdown

        %s"""
            .formatted(
                PYTHON,
                RUNTIME,
                extras,
                Files.readString(repository.resolve("python/elastune.md"))));
  }

  private Path otherSystems() {
    return path("output").resolve("other-systems");
  }

  /**
   * The wheel that installers choose on systems without one: its command and its package say in one
   * line what to do there. Without it, pip names no reason. It is in a folder of its own, so that
   * {@code pip install FOLDER/*.whl} does not name two wheels of one version. In the folder of the
   * others, pip finds it by the links of a page.
   */
  private Path forOtherSystems() throws IOException {
    WheelWriter wheel = new WheelWriter(ReleaseJars.CORE, version(), "any");
    wheel.add("elastune/__init__.py", python("other_systems/elastune/__init__.py"), false);
    for (String file : List.of("_launcher.py", "__main__.py")) {
      wheel.add("elastune/" + file, python("elastune/" + file), false);
    }
    wheel.addInfo("entry_points.txt", COMMAND);
    wheel.addInfo("licenses/LICENSE", path("repository").resolve("LICENSE"));
    Path file =
        wheel.write(
            otherSystems(),
            """
            Summary: Says that this system cannot start Elastune
            License: Apache-2.0
            Requires-Python: %s

            """
                .formatted(PYTHON));
    Files.writeString(
        otherSystems().resolveSibling("other-systems.html"),
        """
        <!DOCTYPE html>
        <title>Elastune for other systems</title>
        <a href="other-systems/%1$s">%1$s</a>
        """
            .formatted(file.getFileName()));
    return file;
  }

  private Path extra(String name, Set<Path> jars) {
    WheelWriter wheel = new WheelWriter(name, version(), "any");
    jars.forEach(jar -> wheel.add(lib(jar), jar, false));
    wheel.addInfo("licenses/THIRD-PARTY.txt", path("parts").resolve("THIRD-PARTY.txt"));
    boolean nodes = name.equals(ReleaseJars.NODES);
    String requires =
        nodes
            ? ""
            : "Requires-Dist: %s (==%s)%n".formatted(ReleaseJars.CORE, version())
                + "Requires-Dist: %s (==%s)%n".formatted(ReleaseJars.NODES, version());
    return wheel.write(
        path("output"),
        "Summary: %s of Elastune%n"
                .formatted(nodes ? "Files for rented instances" : "Cloud libraries")
            + "License: Apache-2.0 and those of licenses/THIRD-PARTY.txt\nRequires-Python: "
            + PYTHON
            + "\n"
            + requires
            + "\n");
  }

  // ---- Their contents ---------------------------------------------------------------------------

  /** Returns the version as that of a wheel: that of a snapshot precedes that of its release. */
  private String version() {
    return option("version").replaceFirst("-SNAPSHOT$", ".dev0");
  }

  private String lib(Path jar) {
    return RELEASE + "lib/" + path("lib").relativize(jar);
  }

  private Path python(String file) {
    return path("repository").resolve("python").resolve(file);
  }

  private void addModules(WheelWriter wheel, String folder, String name) throws IOException {
    Path base = path("repository").resolve(folder);
    try (Stream<Path> files = Files.list(base.resolve(name))) {
      for (Path file : files.sorted().toList()) {
        if (file.toString().endsWith(".py") || file.endsWith("py.typed")) {
          wheel.add(name + "/" + file.getFileName(), file, false);
        }
      }
    }
  }

  private static Set<String> namedIn(Path launcher) throws IOException {
    Matcher named =
        Pattern.compile("configs/[-a-z/]+\\.(yaml|json)").matcher(Files.readString(launcher));
    Set<String> files = new TreeSet<>();
    while (named.find()) {
      files.add(named.group());
    }
    return files;
  }

  private static boolean isSqlite(Path jar) {
    return String.valueOf(jar.getFileName()).startsWith("sqlite-jdbc-");
  }

  private static NativeFile sqliteLibrary(Path jar, Platform platform) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        if (entry.getName().startsWith(SQLITE + platform.sqliteFolder()) && !entry.isDirectory()) {
          return NativeFile.of(entry.getName(), zip.getInputStream(entry).readAllBytes())
              .orElseThrow();
        }
      }
    }
    throw new UnsuitableInput("SQLite's driver has no library for " + platform.tag() + ".");
  }

  /** Returns the jar of SQLite's driver with the library of one platform instead of all. */
  private static byte[] withOneLibrary(Path jar, Platform platform) throws IOException {
    String kept = SQLITE + platform.sqliteFolder();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ArchiveWriter archive = new ArchiveWriter(bytes);
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        String name = entry.getName();
        if (!entry.isDirectory() && (!name.startsWith(SQLITE) || name.startsWith(kept))) {
          archive.add(name, zip.getInputStream(entry).readAllBytes(), false);
        }
      }
    }
    archive.finish();
    return bytes.toByteArray();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
