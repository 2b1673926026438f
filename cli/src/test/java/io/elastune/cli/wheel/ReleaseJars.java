package io.elastune.cli.wheel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Distributes the jars of a release to wheels. An extra has what only its cloud needs, the wheel
 * for nodes has the jars without classes, whose files are sent to rented instances, and the core
 * has all others.
 */
final class ReleaseJars {
  /** The wheel with the jars that every installation has. */
  static final String CORE = "elastune";

  /** The wheel with the jars without classes. */
  static final String NODES = "elastune-nodes";

  private static final String ROOT = "elastune-cli";
  private static final String CLOUD = "elastune-provisioner-";

  private final Map<String, Set<String>> uses = new HashMap<>();
  private final Map<String, String> fileNames = new TreeMap<>();
  private String root = "";

  private ReleaseJars() {}

  /**
   * Returns the jars of each wheel.
   *
   * @param lib the folder with the jars of the release
   * @param sbom its list of dependencies, in the format of CycloneDX
   * @param clouds the names of the extras, such as {@code aws}
   */
  static Map<String, Set<Path>> distribute(Path lib, Path sbom, List<String> clouds) {
    ReleaseJars jars = new ReleaseJars();
    try {
      jars.read(new ObjectMapper().readTree(Files.readString(sbom)));
      return jars.distribute(lib, clouds);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(JsonNode sbom) {
    component(sbom.path("metadata").path("component"));
    sbom.path("components").forEach(this::component);
    for (JsonNode entry : sbom.path("dependencies")) {
      Set<String> used =
          uses.computeIfAbsent(entry.path("ref").asString(), none -> new TreeSet<>());
      entry.path("dependsOn").forEach(to -> used.add(to.asString()));
    }
  }

  private void component(JsonNode component) {
    String reference = component.path("bom-ref").asString();
    String name = component.path("name").asString();
    String classifier = reference.replaceFirst(".*[?&]classifier=([^&]*).*|.*", "$1");
    fileNames.put(
        reference,
        name
            + "-"
            + component.path("version").asString()
            + (classifier.isEmpty() ? "" : "-" + classifier)
            + ".jar");
    if (name.equals(ROOT)) {
      root = reference;
    }
  }

  private Map<String, Set<Path>> distribute(Path lib, List<String> clouds) throws IOException {
    Map<String, Set<String>> onlyFor = new LinkedHashMap<>();
    for (String cloud : clouds) {
      Set<String> without = reachable(Set.of(CLOUD + cloud));
      Set<String> others = new TreeSet<>(reachable(Set.of()));
      others.removeAll(without);
      onlyFor.put(CORE + "-" + cloud, names(others));
    }
    Map<String, Set<Path>> wheels = new LinkedHashMap<>();
    for (String name : List.of(CORE, NODES)) {
      wheels.put(name, new TreeSet<>());
    }
    onlyFor.keySet().forEach(name -> wheels.put(name, new TreeSet<>()));
    Set<String> known = names(reachable(Set.of()));
    try (Stream<Path> files = Files.list(lib)) {
      for (Path jar : files.sorted().toList()) {
        String file = String.valueOf(jar.getFileName());
        if (!known.contains(file)) {
          throw new UnsuitableInput(
              file + " is in " + lib + ", but not in the list of dependencies.");
        }
        String wheel =
            onlyFor.keySet().stream()
                .filter(name -> onlyFor.get(name).contains(file))
                .findFirst()
                .orElse(hasClasses(jar) ? CORE : NODES);
        wheels.getOrDefault(wheel, new TreeSet<>()).add(jar);
      }
    }
    return wheels;
  }

  private Set<String> names(Set<String> references) {
    Set<String> names = new TreeSet<>();
    references.forEach(reference -> names.add(fileNames.getOrDefault(reference, reference)));
    return names;
  }

  /** Returns what the root needs, without some modules and what only they need. */
  private Set<String> reachable(Set<String> without) {
    Set<String> seen = new HashSet<>();
    Deque<String> next = new ArrayDeque<>(List.of(root));
    while (!next.isEmpty()) {
      String reference = next.pop();
      boolean excluded = without.stream().anyMatch(name -> reference.contains("/" + name + "@"));
      if (!excluded && seen.add(reference)) {
        uses.getOrDefault(reference, Set.of()).forEach(next::push);
      }
    }
    return seen;
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
