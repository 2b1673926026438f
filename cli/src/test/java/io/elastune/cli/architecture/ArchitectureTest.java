package io.elastune.cli.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Checks the rules in CONTRIBUTING.md against the main classes of all modules. */
class ArchitectureTest {

  private static final JavaClasses PROJECT =
      new ClassFileImporter()
          .withImportOption(
              location -> !location.contains("test-classes") && !location.contains("-tests.jar"))
          .importPackages("io.elastune");

  private static final ClassCircles CIRCLES =
      new ClassCircles(PROJECT, SourceReferences.of(mainSources()));

  private static final ArchRule CLOCKS_ARE_INJECTED =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "io.elastune.cli..",
              "io.elastune.plan.api..",
              "io.elastune.executor.runtime..",
              "io.elastune.executor.local..",
              "io.elastune.provisioner.local..")
          .should(ReproducibilityCondition.readsClock());

  private static final ArchRule ONE_PACKAGE_USES_THE_AWS_SDK =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.elastune.provisioner.aws.sdk..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("software.amazon..");

  private static final ArchRule ONE_PACKAGE_USES_GOOGLES_LIBRARY =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.elastune.provisioner.gcp.sdk..")
          .should()
          .dependOnClassesThat(
              JavaClass.Predicates.resideInAPackage("com.google..")
                  .and(JavaClass.Predicates.resideOutsideOfPackage("com.google.re2j..")));

  /**
   * Classes of engines and providers that create threads, and who gets what fails on them. All
   * other work passes {@code EventLoop}, as do the tasks of the pools of these classes.
   */
  private static final Map<String, String> THREADS =
      Map.ofEntries(
          Map.entry("provisioner.process.EventLoop", "the owner of the task"),
          Map.entry("provisioner.remote.AsyncCaller", "the call, whose outcome is unknown"),
          Map.entry("provisioner.remote.ParallelCalls", "its caller, who waits for all calls"),
          Map.entry("provisioner.local.NvidiaSmi", "its caller, who waits for the answer"),
          Map.entry("provisioner.local.SetupLog", "the log, whose rest is discarded"),
          Map.entry("executor.local.LocalEngine", "the attempt: its pool is used by the loop"),
          Map.entry("executor.ray.RayEngine", "the attempt: its pool is used by the loop"),
          Map.entry("executor.ray.cloud.RayCloud", "the lease: its pool is used by the loop"),
          Map.entry("executor.ray.rented.BootstrapContext", "the lease, likewise"),
          Map.entry(
              "executor.ray.rented.RuntimeDelivery", "the log: this machine sends the runtime"),
          Map.entry("executor.ray.runtime.RuntimeServer", "one transfer, which its node repeats"),
          Map.entry("executor.ray.link.BridgeProcess", "the bridge, which is started again"),
          Map.entry("executor.sampler.SamplerProcess", "the request, as the end of the process"),
          Map.entry("executor.runtime.AsyncAdvisors", "the request, with an answer of its own"));

  private static final ArchRule WORK_HAS_AN_OWNER =
      noClasses()
          .that()
          .resideInAnyPackage("io.elastune.provisioner..", "io.elastune.executor..")
          .and()
          .resideOutsideOfPackages(
              "io.elastune.executor.rehearsal..", "io.elastune.executor.simulation..")
          .and(
              DescribedPredicate.describe(
                  "are not in the list",
                  type ->
                      !THREADS.containsKey(
                          ClassCircles.topLevel(type).substring("io.elastune.".length()))))
          .should(ReproducibilityCondition.startsThreads());

  private static final ArchRule RANDOMNESS_IS_INJECTED =
      noClasses().should(ReproducibilityCondition.drawsUnseeded());

  @Test
  void everyModuleIsImported() {
    assertThat(PROJECT)
        .extracting(ModuleDependencies::moduleOf)
        .containsAll(ModuleDependencies.ALL);
  }

  @Test
  void everyClassIsInPackageOfItsModule() {
    assertThat(
            PROJECT.stream()
                .filter(
                    type ->
                        !ModuleDependencies.moduleByPackage(type)
                            .equals(ModuleDependencies.moduleOf(type))))
        .isEmpty();
  }

  @Test
  void dependenciesPointDownward() {
    assertThat(PROJECT.stream().flatMap(ArchitectureTest::forbiddenDependencies)).isEmpty();
  }

  @Test
  void packagesAreFreeOfCircles() {
    assertThat(CIRCLES.ofPackages()).isEmpty();
  }

  /** A nested type counts as its top-level type. */
  @Test
  void classesAreFreeOfCircles() {
    assertThat(CIRCLES.ofClasses()).isEmpty();
  }

  @Test
  void everyPackageIsNullMarked() {
    List<String> unmarked =
        PROJECT.stream()
            .map(JavaClass::getPackage)
            .distinct()
            .filter(Predicate.not(candidate -> candidate.isAnnotatedWith(NullMarked.class)))
            .map(candidate -> candidate.getName() + ": add a package-info.java with @NullMarked")
            .toList();

    assertThat(unmarked).isEmpty();
  }

  @Test
  void onlyRuntimeAndCommandsReadClock() {
    CLOCKS_ARE_INJECTED.check(PROJECT);
  }

  @Test
  void noClassCreatesUnseededRandomness() {
    RANDOMNESS_IS_INJECTED.check(PROJECT);
  }

  @Test
  void asynchronousWorkHasAnOwner() {
    WORK_HAS_AN_OWNER.check(PROJECT);
    assertThat(THREADS.keySet())
        .allMatch(name -> PROJECT.contain("io.elastune." + name), "is a class");
  }

  @Test
  void onlyAwsSdkPackageUsesAwsSdk() {
    ONE_PACKAGE_USES_THE_AWS_SDK.check(PROJECT);
  }

  @Test
  void onlyGcpSdkPackageUsesGoogleLibrary() {
    ONE_PACKAGE_USES_GOOGLES_LIBRARY.check(PROJECT);
  }

  private static List<Path> mainSources() {
    return SourceTree.find(
            path -> path.toString().matches(".*src/main/java/io/.*/[A-Z]\\w*\\.java"))
        .stream()
        .map(PomFiles.ROOT::resolve)
        .toList();
  }

  private static Stream<String> forbiddenDependencies(JavaClass type) {
    String module = ModuleDependencies.moduleOf(type);
    return type.getDirectDependenciesFromSelf().stream()
        .filter(dependency -> PROJECT.contain(dependency.getTargetClass().getName()))
        .filter(dependency -> !isAllowed(module, dependency))
        .map(dependency -> module + " must not: " + dependency.getDescription());
  }

  private static boolean isAllowed(String module, Dependency dependency) {
    String target = ModuleDependencies.moduleOf(dependency.getTargetClass());
    return target.equals(module) || ModuleDependencies.allowedDependencies(module).contains(target);
  }
}
