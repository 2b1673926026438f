package io.elastune.cli.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The Maven modules of the project and the dependencies allowed between them. */
final class ModuleDependencies {

  private static final String BASE = "io.elastune";
  private static final String API = "provisioner/api";
  private static final String PROCESS = "provisioner/process";
  private static final String REMOTE = "provisioner/remote";
  private static final String PROVIDERS = "provisioner/";

  /** Packages that are not named after the folder of their module. */
  private static final Map<String, String> PACKAGES =
      Map.of(API, "io.elastune.provisioner", PROCESS, "io.elastune.provisioner.process");

  /**
   * The allowed dependencies by module; {@link #allowedDependencies} adds those of the cloud
   * providers.
   */
  private static final Map<String, Set<String>> ALLOWED =
      Map.of(
          "core",
          Set.of(),
          "simulator",
          Set.of("core"),
          "planner",
          Set.of("core", "simulator"),
          API,
          Set.of("core"),
          PROCESS,
          Set.of("core"),
          REMOTE,
          Set.of("core", API, PROCESS),
          "provisioner/local",
          Set.of("core", API, PROCESS),
          "executor",
          Set.of("core", "planner", API, PROCESS),
          "profiler",
          Set.of("core", "executor"),
          "cli",
          Set.of("core", "simulator", "planner", API, "executor", "profiler"));

  /** The folders of all modules, as listed in the POMs. */
  static final List<String> ALL =
      PomFiles.ofModules().entrySet().stream()
          .filter(module -> PomFiles.elements(module.getValue(), "module").isEmpty())
          .map(Map.Entry::getKey)
          .toList();

  private ModuleDependencies() {}

  static Set<String> allowedDependencies(String module) {
    Set<String> allowed = ALLOWED.get(module);
    if (allowed == null && module.startsWith(PROVIDERS)) {
      allowed = Set.of("core", API, PROCESS, REMOTE);
    }
    if (allowed == null) {
      throw new AssertionError("Module " + module + " is not listed in ALLOWED");
    }
    return allowed;
  }

  /** Returns the root package of a module. */
  static String packageOf(String module) {
    return PACKAGES.getOrDefault(module, BASE + "." + module.replace('/', '.'));
  }

  /** Returns the module of a class, from the location of its class file. */
  static String moduleOf(JavaClass type) {
    String source = type.getSource().orElseThrow().getUri().toString();
    return ALL.stream()
        .filter(module -> source.contains(PomFiles.ROOT.resolve(module).toUri().getRawPath()))
        .findFirst()
        .orElseThrow(() -> new AssertionError(type.getName() + " is in no module: " + source));
  }

  /** Returns the module whose root package is the longest prefix of the class's package. */
  static String moduleByPackage(JavaClass type) {
    return ALL.stream()
        .filter(module -> (type.getPackageName() + ".").startsWith(packageOf(module) + "."))
        .max(Comparator.comparing(module -> packageOf(module).length()))
        .orElse("none");
  }
}
