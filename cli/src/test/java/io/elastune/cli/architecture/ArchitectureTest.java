package io.elastune.cli.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The rules of the house, as CONTRIBUTING.md states them, over the main classes of all rooms. */
class ArchitectureTest {

  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(
              location -> !location.contains("test-classes") && !location.contains("-tests.jar"))
          .importPackages("io.elastune");

  private static final ArchRule TIME_IS_HANDED_IN =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "io.elastune.cli..",
              "io.elastune.executor.shell..",
              "io.elastune.executor.local..",
              "io.elastune.provisioner.local..")
          .should(Reads.theClock());

  private static final ArchRule ONE_PACKAGE_KNOWS_THE_SDK =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.elastune.provisioner.aws.sdk..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("software.amazon..");

  private static final ArchRule ONE_PACKAGE_KNOWS_GOOGLES_LIBRARY =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.elastune.provisioner.gcp.sdk..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.google..");

  private static final ArchRule CHANCE_IS_HANDED_IN = noClasses().should(Reads.chance());

  @Test
  void everyRoomIsHere() {
    assertThat(HOUSE).extracting(Rooms::roomOf).containsAll(Rooms.ALL);
  }

  @Test
  void everyClassLiesInThePackageOfItsRoom() {
    assertThat(HOUSE.stream().filter(type -> !Rooms.roomByPackage(type).equals(Rooms.roomOf(type))))
        .isEmpty();
  }

  @Test
  void arrowsPointDown() {
    assertThat(HOUSE.stream().flatMap(ArchitectureTest::forbiddenArrows)).isEmpty();
  }

  @Test
  void packagesAreFreeOfCycles() {
    slices().matching("io.elastune.(**)").should().beFreeOfCycles().check(HOUSE);
  }

  @Test
  void everyPackageIsNullMarked() {
    List<String> unmarked =
        HOUSE.stream()
            .map(JavaClass::getPackage)
            .distinct()
            .filter(Predicate.not(candidate -> candidate.isAnnotatedWith(NullMarked.class)))
            .map(candidate -> candidate.getName() + ": add a package-info.java with @NullMarked")
            .toList();

    assertThat(unmarked).isEmpty();
  }

  @Test
  void onlyTheShellAndTheCommandsReadTheClock() {
    TIME_IS_HANDED_IN.check(HOUSE);
  }

  @Test
  void nobodyDrawsFromAGeneratorOfItsOwn() {
    CHANCE_IS_HANDED_IN.check(HOUSE);
  }

  @Test
  void onlyOnePackageKnowsTheSdkOfAws() {
    ONE_PACKAGE_KNOWS_THE_SDK.check(HOUSE);
  }

  @Test
  void onlyOnePackageKnowsTheLibraryOfGoogle() {
    ONE_PACKAGE_KNOWS_GOOGLES_LIBRARY.check(HOUSE);
  }

  private static Stream<String> forbiddenArrows(JavaClass type) {
    String room = Rooms.roomOf(type);
    return type.getDirectDependenciesFromSelf().stream()
        .filter(dependency -> HOUSE.contain(dependency.getTargetClass().getName()))
        .filter(dependency -> !isAllowed(room, dependency))
        .map(dependency -> room + " may not: " + dependency.getDescription());
  }

  private static boolean isAllowed(String room, Dependency dependency) {
    String target = Rooms.roomOf(dependency.getTargetClass());
    return target.equals(room) || Rooms.mayUse(room).contains(target);
  }
}
