package io.elastune.cli.wheel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Distributes the jars of a release to wheels. An extra has the folder of its cloud, the wheel for
 * nodes the jars without classes, whose files are sent to rented instances, and the core all
 * others.
 */
final class ReleaseJars {
  /** The wheel with the jars that every installation has. */
  static final String CORE = "elastune";

  /** The wheel with the jars without classes. */
  static final String NODES = "elastune-nodes";

  private static final String PROVIDER = "elastune-provisioner-";

  private ReleaseJars() {}

  /**
   * Returns the jars of each wheel.
   *
   * @param lib the folder with the jars of the release
   * @param sbom its list of dependencies, in the format of CycloneDX
   * @param clouds the names of the extras, such as {@code aws}, and of their folders in {@code lib}
   */
  static Map<String, Set<Path>> distribute(Path lib, Path sbom, List<String> clouds) {
    try {
      Set<String> known = files(new ObjectMapper().readTree(Files.readString(sbom)));
      Map<String, Set<Path>> wheels = new LinkedHashMap<>();
      wheels.put(CORE, new TreeSet<>());
      wheels.put(NODES, new TreeSet<>());
      for (Path jar : jars(lib, known)) {
        wheels.getOrDefault(hasClasses(jar) ? CORE : NODES, Set.of()).add(jar);
      }
      Set<String> core = names(jars(lib, known));
      for (String cloud : clouds) {
        Set<Path> jars = jars(lib.resolve(cloud), known);
        requireComplete(cloud, jars, core);
        wheels.put(CORE + "-" + cloud, jars);
      }
      return wheels;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every library that a provider names must be in its folder or in the core, and not in both. */
  private static void requireComplete(String cloud, Set<Path> jars, Set<String> core)
      throws IOException {
    Set<String> names = names(jars);
    Set<String> twice = new TreeSet<>(names);
    twice.retainAll(core);
    if (!twice.isEmpty()) {
      throw new UnsuitableInput(twice + " are in the folder of " + cloud + ", and in the core.");
    }
    for (Path jar : jars) {
      if (String.valueOf(jar.getFileName()).startsWith(PROVIDER)) {
        Set<String> missing = new TreeSet<>(classPath(jar));
        missing.removeAll(names);
        missing.removeAll(core);
        if (!missing.isEmpty()) {
          throw new UnsuitableInput(jar + " needs " + missing + ", which are not in the release.");
        }
      }
    }
  }

  private static List<String> classPath(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      String named = manifest == null ? null : manifest.getMainAttributes().getValue("Class-Path");
      return named == null ? List.of() : List.of(named.trim().split(" +", -1));
    }
  }

  private static Set<String> files(JsonNode sbom) {
    Set<String> names = new TreeSet<>();
    names.add(file(sbom.path("metadata").path("component")));
    sbom.path("components").forEach(component -> names.add(file(component)));
    return names;
  }

  private static String file(JsonNode component) {
    String reference = component.path("bom-ref").asString();
    String classifier = reference.replaceFirst(".*[?&]classifier=([^&]*).*|.*", "$1");
    return component.path("name").asString()
        + "-"
        + component.path("version").asString()
        + (classifier.isEmpty() ? "" : "-" + classifier)
        + ".jar";
  }

  private static Set<Path> jars(Path folder, Set<String> known) throws IOException {
    Set<Path> jars = new TreeSet<>();
    try (Stream<Path> files = Files.list(folder)) {
      files.filter(Files::isRegularFile).forEach(jars::add);
    }
    for (String name : names(jars)) {
      if (!known.contains(name)) {
        throw new UnsuitableInput(
            name + " is in " + folder + ", but not in the list of dependencies.");
      }
    }
    return jars;
  }

  private static Set<String> names(Set<Path> jars) {
    Set<String> names = new TreeSet<>();
    jars.forEach(jar -> names.add(String.valueOf(jar.getFileName())));
    return names;
  }

  /** Empty jars, which only resolve conflicts, belong to the jars with classes. */
  private static boolean hasClasses(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      boolean empty = true;
      for (var entry : zip.stream().toList()) {
        if (entry.getName().endsWith(".class") && !entry.getName().endsWith("module-info.class")) {
          return true;
        }
        empty &= entry.isDirectory() || entry.getName().startsWith("META-INF/");
      }
      return empty;
    }
  }
}
