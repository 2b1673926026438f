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
  private static final String RUN = "executor/run";
  private static final String SIMULATION = "executor/simulation";

  /** Root packages of modules that are not named after their folder. */
  private static final Map<String, List<String>> PACKAGES =
      Map.of(
          API,
          List.of("io.elastune.provisioner"),
          RUN,
          List.of("io.elastune.executor"),
          SIMULATION,
          List.of("io.elastune.executor.simulation", "io.elastune.executor.rehearsal"));

  /**
   * The allowed dependencies by module; {@link #allowedDependencies} adds those of the cloud
   * providers.
   */
  private static final Map<String, Set<String>> ALLOWED =
      Map.ofEntries(
          Map.entry("core", Set.of()),
          Map.entry("simulator", Set.of("core")),
          Map.entry("planner", Set.of("core", "simulator")),
          Map.entry(API, Set.of("core")),
          Map.entry(PROCESS, Set.of("core")),
          Map.entry(REMOTE, Set.of("core", API, PROCESS)),
          Map.entry("provisioner/local", Set.of("core", API, PROCESS)),
          Map.entry(RUN, Set.of("core", "planner", API)),
          Map.entry(SIMULATION, Set.of("core", API, RUN)),
          Map.entry("executor/local", Set.of("core", API, PROCESS, RUN)),
          Map.entry("executor/ray", Set.of("core", API, PROCESS, RUN)),
          Map.entry("profiler", Set.of("core", RUN)),
          Map.entry("inputs", Set.of("core", "simulator", "planner", API, RUN, "profiler")),
          Map.entry("plan", Set.of("core", "simulator", "planner", API, RUN, "inputs")),
          Map.entry(
              "cli",
              Set.of(
                  "core",
                  "simulator",
                  "planner",
                  API,
                  RUN,
                  SIMULATION,
                  "profiler",
                  "inputs",
                  "plan")));

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

  /** Returns the root packages of a module. */
  private static List<String> packagesOf(String module) {
    return PACKAGES.getOrDefault(module, List.of(BASE + "." + module.replace('/', '.')));
  }

  /** Returns the module of a class, from the location of its class file. */
  static String moduleOf(JavaClass type) {
    String source = type.getSource().orElseThrow().getUri().toString();
    return ALL.stream()
        .filter(module -> source.contains(PomFiles.ROOT.resolve(module).toUri().getRawPath()))
        .findFirst()
        .orElseThrow(() -> new AssertionError(type.getName() + " is in no module: " + source));
  }

  /** Returns the module with the root package that is the longest prefix of the class's package. */
  static String moduleByPackage(JavaClass type) {
    return ALL.stream()
        .max(Comparator.comparingInt(module -> longestPrefix(module, type.getPackageName())))
        .orElseThrow();
  }

  private static int longestPrefix(String module, String packageName) {
    return packagesOf(module).stream()
        .filter(root -> (packageName + ".").startsWith(root + "."))
        .mapToInt(String::length)
        .max()
        .orElse(0);
  }
}
