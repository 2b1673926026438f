package io.elastune.core.buildreport;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints where the time of the last build went, from the files that the build wrote into each
 * module's build folder: see scripts/build-report.
 *
 * <p>Exit codes: 0, 1 if a test class exceeds a limit, 2 for wrong usage.
 */
public final class BuildReport {
  private static final int SLOWEST = 20;

  /** Builds of which flakes are counted. */
  private static final int BUILDS = 50;

  private static final String TEST_JVM = "(test JVM)";
  private static final List<String> PARTS =
      List.of("checks", "compile", "unit", "package", "integration");

  private static final List<String> LATER_PHASES =
      List.of("package", "integration-test", "verify", "install", "deploy");

  private final PrintStream out;
  private final Path history;

  /**
   * Creates a report that prints to {@code out}.
   *
   * @param history the file with the flakes of the last builds
   */
  BuildReport(PrintStream out, Path history) {
    this.out = out;
    this.history = history;
  }

  /** Wall and processor time in seconds. */
  private record Times(double wallS, double cpuS) {
    static final Times NONE = new Times(0, 0);

    Times plus(Times other) {
      return new Times(wallS + other.wallS, cpuS + other.cpuS);
    }
  }

  /** A test class of a module; kind is "unit" or "integration". */
  private record TestClass(String name, String module, String kind, Times times) {
    String simpleName() {
      return name.substring(name.lastIndexOf('.') + 1);
    }
  }

  /** A module, its times by part of the build, and its test classes. */
  private record Module(
      String name, long startMs, Map<String, Times> parts, List<TestClass> classes) {}

  /** Limits of processor time in seconds, and the classes that may exceed them. */
  private record Limits(Map<String, Double> byKind, Map<String, Double> exceptions) {
    double of(TestClass test) {
      return exceptions.getOrDefault(
          test.simpleName(), byKind.getOrDefault(test.kind(), Double.MAX_VALUE));
    }
  }

  /** Prints the report of the build in the given folder: see scripts/build-report. */
  public static void main(String[] arguments) {
    Path history = history(Optional.ofNullable(System.getenv("XDG_CACHE_HOME")));
    int code = new BuildReport(System.out, history).run(List.of(arguments));
    if (code != 0) {
      System.exit(code);
    }
  }

  /** Returns the exit code. */
  int run(List<String> arguments) {
    if (arguments.size() < 2) {
      out.println("usage: BuildReport ROOT BUILD_FOLDER [--end | --after-tests | --limits FILE]");
      return 2;
    }
    Path root = Path.of(arguments.get(0)).toAbsolutePath().normalize();
    String target = arguments.get(1);
    List<String> options = arguments.subList(2, arguments.size());
    if (options.contains("--after-tests") && continues()) {
      return 0;
    }
    List<Module> modules = modules(root, target);
    if (modules.isEmpty()) {
      out.println("No build has written its times: run mvn test or mvn verify first.");
      return 2;
    }
    if (options.size() == 2 && options.get(0).equals("--limits")) {
      return compare(modules, Path.of(options.get(1)));
    }
    print(modules);
    printFlakes(root, target, modules, !options.isEmpty());
    return 0;
  }

  /**
   * Returns whether Maven continues after the unit tests, so that this build prints its times
   * later. Maven's start script exports its arguments.
   */
  private static boolean continues() {
    String arguments = Optional.ofNullable(System.getenv("MAVEN_CMD_LINE_ARGS")).orElse("");
    return !Collections.disjoint(List.of(arguments.trim().split(" +", -1)), LATER_PHASES);
  }

  // ------------------------------------------------------------------------------------- reading

  private static List<Module> modules(Path root, String target) {
    List<Module> modules = new ArrayList<>();
    try (Stream<Path> files = Files.find(root, 3, (path, ignored) -> path.endsWith("pom.xml"))) {
      for (Path pom : files.sorted().toList()) {
        Path folder = pom.getParent();
        Path times = folder.resolve(target).resolve("times");
        if (Files.isDirectory(times)) {
          modules.add(module(root.relativize(folder).toString(), times));
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("The folders of modules cannot be read in " + root, failure);
    }
    return modules;
  }

  private static Module module(String name, Path times) {
    Map<String, Times> parts = new LinkedHashMap<>();
    long start = 0;
    long wall = 0;
    long cpu = 0;
    for (List<String> row : rows(times.resolve("parts.tsv"))) {
      long wallNow = Long.parseLong(row.get(1));
      long cpuNow = Long.parseLong(row.get(2));
      if (row.get(0).equals("start")) {
        start = wallNow;
      } else {
        Times spent = new Times((wallNow - wall) / 1e3, Math.max(0, cpuNow - cpu) / 1e3);
        parts.merge(row.get(0), spent, Times::plus);
      }
      wall = wallNow;
      cpu = cpuNow;
    }
    List<TestClass> classes = new ArrayList<>();
    for (String kind : List.of("unit", "integration")) {
      for (Path file : files(times, kind)) {
        for (List<String> row : rows(file)) {
          Times spent =
              new Times(Long.parseLong(row.get(1)) / 1e3, Long.parseLong(row.get(2)) / 1e3);
          classes.add(new TestClass(row.get(0), name, kind, spent));
          parts.merge(kind, new Times(0, spent.cpuS()), Times::plus);
        }
      }
    }
    return new Module(name, start, parts, classes);
  }

  private static List<Path> files(Path folder, String kind) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().startsWith(kind + "-")).toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(folder + " cannot be read", failure);
    }
  }

  private static List<List<String>> rows(Path file) {
    try {
      return Files.exists(file)
          ? Files.readAllLines(file).stream().map(line -> List.of(line.split("\t", -1))).toList()
          : List.of();
    } catch (IOException failure) {
      throw new UncheckedIOException(file + " cannot be read", failure);
    }
  }

  // ------------------------------------------------------------------------------------ printing

  private void print(List<Module> modules) {
    out.println();
    out.println("Time of the build by module and kind, in seconds: processor time (wall time)");
    out.printf(Locale.ROOT, "  %-22s", "module");
    PARTS.forEach(part -> out.printf(Locale.ROOT, "%16s", part));
    out.println();
    Map<String, Times> sums = new TreeMap<>();
    for (Module module : modules) {
      out.printf(Locale.ROOT, "  %-22s", module.name().isEmpty() ? "(root)" : module.name());
      for (String part : PARTS) {
        Times times = module.parts().getOrDefault(part, Times.NONE);
        sums.merge(part, times, Times::plus);
        out.printf(Locale.ROOT, "%16s", cell(times));
      }
      out.println();
    }
    out.printf(Locale.ROOT, "  %-22s", "all");
    PARTS.forEach(
        part -> out.printf(Locale.ROOT, "%16s", cell(sums.getOrDefault(part, Times.NONE))));
    out.println();
    double cpuS = sums.values().stream().mapToDouble(Times::cpuS).sum();
    out.printf(
        Locale.ROOT,
        "  Modules are built at the same time, so wall times overlap. Processor time in all: %.0f s.%n",
        cpuS);
    maven(modules)
        .ifPresent(
            restS ->
                out.printf(
                    Locale.ROOT,
                    "  Maven's JVM used %.0f s more, mostly for JIT compilation.%n",
                    restS));
    List<TestClass> slowest =
        modules.stream()
            .flatMap(module -> module.classes().stream())
            .filter(test -> !test.name().equals(TEST_JVM))
            .sorted(Comparator.comparingDouble((TestClass test) -> -test.times().cpuS()))
            .limit(SLOWEST)
            .toList();
    out.println();
    out.printf("The %d slowest test classes%n", slowest.size());
    for (TestClass test : slowest) {
      out.printf(
          Locale.ROOT,
          "  %-16s %-12s %s (%s)%n",
          cell(test.times()),
          test.kind(),
          test.simpleName(),
          test.module());
    }
  }

  private static String cell(Times times) {
    return times.wallS() < 0.05 && times.cpuS() < 0.05
        ? "-"
        : String.format(Locale.ROOT, "%.1f (%.1f)", times.cpuS(), times.wallS());
  }

  /** Returns the processor time of Maven's JVM, which started this process, beside its builds. */
  private static Optional<Double> maven(List<Module> modules) {
    Optional<ProcessHandle> parent = ProcessHandle.current().parent();
    if (parent.flatMap(process -> process.info().commandLine()).orElse("").contains("maven")) {
      double buildS =
          modules.stream()
              .flatMap(module -> PARTS.stream().map(part -> threads(module, part)))
              .mapToDouble(Double::doubleValue)
              .sum();
      return parent
          .flatMap(process -> process.info().totalCpuDuration())
          .map(total -> total.toMillis() / 1e3 - buildS)
          .filter(restS -> restS > 0);
    }
    return Optional.empty();
  }

  private static double threads(Module module, String part) {
    double testsS =
        module.classes().stream()
            .filter(test -> test.kind().equals(part))
            .mapToDouble(test -> test.times().cpuS())
            .sum();
    return module.parts().getOrDefault(part, Times.NONE).cpuS() - testsS;
  }

  // -------------------------------------------------------------------------------------- limits

  /** Lines of a kind or of a simple class name, its limit in seconds, and the reason. */
  private Optional<Limits> limits(Path file) {
    Map<String, Double> byKind = new LinkedHashMap<>();
    Map<String, Double> exceptions = new LinkedHashMap<>();
    for (List<String> row : rows(file)) {
      if (row.get(0).isBlank() || row.get(0).startsWith("#")) {
        continue;
      }
      if (row.size() < 3 || row.get(2).isBlank()) {
        out.printf("%s: %s needs a limit and a reason, separated by tabs%n", file, row);
        return Optional.empty();
      }
      (row.get(0).endsWith("Test") || row.get(0).endsWith("IT") ? exceptions : byKind)
          .put(row.get(0), Double.parseDouble(row.get(1)));
    }
    return Optional.of(new Limits(byKind, exceptions));
  }

  private int compare(List<Module> modules, Path file) {
    Optional<Limits> read = limits(file);
    if (read.isEmpty()) {
      return 2;
    }
    Limits limits = read.get();
    int above = 0;
    int compared = 0;
    Set<String> unused = new LinkedHashSet<>(limits.exceptions().keySet());
    for (Module module : modules) {
      for (TestClass test : module.classes()) {
        if (test.name().equals(TEST_JVM)) {
          continue;
        }
        compared++;
        if (test.times().cpuS() > limits.byKind().getOrDefault(test.kind(), Double.MAX_VALUE)) {
          unused.remove(test.simpleName());
        }
        if (test.times().cpuS() > limits.of(test)) {
          above++;
          out.printf(
              Locale.ROOT,
              "%s (%s, %s): %.1f s of processor time, at most %.0f s%n",
              test.simpleName(),
              test.module(),
              test.kind(),
              test.times().cpuS(),
              limits.of(test));
        }
      }
    }
    unused.forEach(name -> out.printf("%s needs no exception in this build%n", name));
    out.printf("%d test classes compared, %d above their limit%n", compared, above);
    return above > 0 ? 1 : 0;
  }

  // -------------------------------------------------------------------------------------- flakes

  private static final Pattern TEST =
      Pattern.compile("<testcase name=\"([^\"]*)\" classname=\"([^\"]*)\"");
  private static final Pattern FLAKE = Pattern.compile("<flaky(?:Failure|Error)[ >]");

  /** Prints the tests that failed and passed when repeated, in this build and in the last ones. */
  private void printFlakes(Path root, String target, List<Module> modules, boolean isEnd) {
    Set<String> now = new LinkedHashSet<>();
    for (Module module : modules) {
      for (String reports : List.of("surefire-reports", "failsafe-reports")) {
        Path folder = root.resolve(module.name()).resolve(target).resolve(reports);
        now.addAll(flakes(folder, module.startMs()));
      }
    }
    List<String> builds = read(history);
    if (isEnd) {
      builds = new ArrayList<>(builds);
      builds.add(Instant.now().truncatedTo(ChronoUnit.SECONDS) + "\t" + String.join("\t", now));
      builds = builds.subList(Math.max(0, builds.size() - BUILDS), builds.size());
      write(history, builds);
    }
    Map<String, Integer> counts = new TreeMap<>();
    for (String build : builds) {
      String[] fields = build.split("\t", -1);
      for (int i = 1; i < fields.length; i++) {
        if (!fields[i].isEmpty()) {
          counts.merge(fields[i], 1, Integer::sum);
        }
      }
    }
    out.println();
    out.printf("Flakes (failed, and passed when repeated): %d in this build%n", now.size());
    counts.forEach(
        (test, count) ->
            out.printf(
                "  %s %s: in %d of the last builds%n",
                now.contains(test) ? "*" : " ", test, count));
    out.printf("  Builds counted: %d (%s)%n", builds.size(), history);
  }

  /** Returns the flakes of the reports that the build has written since it started. */
  private static List<String> flakes(Path reports, long startMs) {
    if (!Files.isDirectory(reports)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(reports)) {
      return files
          .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
          .filter(file -> file.toFile().lastModified() >= startMs)
          .flatMap(file -> flakesOf(file).stream())
          .collect(Collectors.toList());
    } catch (IOException failure) {
      throw new UncheckedIOException(reports + " cannot be read", failure);
    }
  }

  private static List<String> flakesOf(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException failure) {
      throw new UncheckedIOException(file + " cannot be read", failure);
    }
    List<String> flakes = new ArrayList<>();
    Matcher tests = TEST.matcher(text);
    while (tests.find()) {
      int next = text.indexOf("<testcase", tests.end());
      String body = text.substring(tests.end(), next < 0 ? text.length() : next);
      if (FLAKE.matcher(body).find()) {
        String type = tests.group(2);
        flakes.add(type.substring(type.lastIndexOf('.') + 1) + "." + tests.group(1));
      }
    }
    return flakes;
  }

  /** The flakes of the last builds of this user, a line each: the time, and the tests. */
  private static Path history(Optional<String> cache) {
    Path folder =
        cache
            .filter(name -> !name.isEmpty())
            .map(Path::of)
            .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"));
    return folder.resolve("elastune").resolve("flakes.tsv");
  }

  private static List<String> read(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException unreadable) {
      return List.of(); // A history that cannot be read must not fail a build.
    }
  }

  private void write(Path file, List<String> lines) {
    try {
      Files.createDirectories(file.getParent());
      Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
    } catch (IOException readOnly) {
      out.printf("Flakes cannot be recorded in %s: %s%n", file, readOnly.getMessage());
    }
  }
}
