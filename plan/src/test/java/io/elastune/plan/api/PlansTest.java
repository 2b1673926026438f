package io.elastune.plan.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlansTest {
  private static final Path EXAMPLE =
      Path.of("").toAbsolutePath().getParent().resolve("configs/examples/worked-example");

  @TempDir private Path home;

  private Plans plans() {
    return plans(EXAMPLE.resolve("job.yaml"));
  }

  private Plans plans(Path job) {
    return Plans.of(job)
        .home(home)
        .clock(InstantSource.fixed(Instant.parse("2026-11-23T08:00:00Z")));
  }

  /** Writes the job of the example with other text, beside its offers and its profile. */
  private Path job(String text, String other) throws IOException {
    String job = Files.readString(EXAMPLE.resolve("job.yaml"));
    assertThat(job).contains(text);
    Files.copy(EXAMPLE.resolve("offers.yaml"), home.resolve("offers.yaml"));
    Files.copy(EXAMPLE.resolve("profile.yaml"), home.resolve("profile.yaml"));
    return Files.writeString(home.resolve("job.yaml"), job.replace(text, other));
  }

  @Test
  void bestPlanOfTheWorkedExampleHasItsNumbers() {
    BestPlan best = plans().best();

    assertThat(best.completionSeconds()).isCloseTo(339.171, within(0.001));
    assertThat(best.costUsd()).isCloseTo(1.7170, within(0.0001));
    assertThat(best.groups()).extracting(GroupPlan::instances).containsExactly(2, 2, 1, 1);
    assertThat(best.groups().get(0).offer()).isEqualTo("aws/us-east-1/p3.8xlarge/on-demand");
    assertThat(best.estimate().probabilityOnTime()).isEqualTo(1);
    assertThat(best.json()).contains("\"feasible\" : true");
  }

  @Test
  void foundPlanIsSimulatedWithTheSameNumbers() {
    BestPlan best = plans().best();

    PlanSimulation simulation = plans().simulate(best);

    assertThat(simulation.estimate()).isEqualTo(best.estimate());
    assertThat(simulation.groups()).hasSize(4);
    assertThat(plans().simulate(EXAMPLE.resolve("plan-static.json")).estimate().costUsd().mean())
        .isCloseTo(2.5296, within(0.0001));
  }

  @Test
  void frontierIsListedAlsoIfNoPlanMeetsTheLimits() {
    PlanFrontier frontier = plans().frontier();

    assertThat(frontier.feasible()).isTrue();
    assertThat(frontier.plans()).hasSizeGreaterThan(2);
    assertThat(frontier.plans())
        .isSortedAccordingTo(
            (a, b) -> Double.compare(a.completionSeconds(), b.completionSeconds()));

    PlanFrontier missed = plans().budgetUsd(0.5).frontier();
    assertThat(missed.feasible()).isFalse();
    assertThat(missed.plans()).isNotEmpty();
  }

  @Test
  void missedLimitsAreStated() {
    NoPlanException thrown =
        catchThrowableOfType(NoPlanException.class, () -> plans().budgetUsd(0.5).best());

    assertThat(thrown.missed().violated()).containsExactly("budget");
    assertThat(thrown.missed().nearestBudgetUsd().orElseThrow()).isGreaterThan(0.5);
    assertThat(thrown.missed().json()).contains("\"feasible\" : false");
  }

  @Test
  void knownTimesTakeThePlaceOfAProfileAndAreAssumed() {
    Plans known = plans().profile("V100", Map.of(1, 30.0, 2, 16.0));

    assertThat(known.problems()).isEmpty();
    BestPlan best = known.best();
    assertThat(best.assumed()).contains("seconds per epoch on V100");
    assertThat(plans().best().assumed()).doesNotContain("seconds per epoch on V100");
    // Without a start-up of 10 s, the same instances cost less.
    assertThat(best.costUsd()).isLessThan(plans().best().costUsd());
  }

  @Test
  void problemsAreRecordsWithFileLineAndField() throws IOException {
    Path job = job("trials: 16", "trials: -1");

    List<InputProblem> problems = plans(job).folder(home).problems();

    assertThat(problems)
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.file()).isEqualTo("job.yaml");
              assertThat(one.line()).isEqualTo(8);
              assertThat(one.field()).isEqualTo("search.trials");
              assertThat(one.message()).contains("-1");
            });
    assertThatThrownBy(() -> plans(job).best())
        .isInstanceOfSatisfying(
            InvalidInputException.class,
            e -> {
              assertThat(e.problems()).hasSize(1);
              assertThat(e.getMessage()).contains("job.yaml:8: search.trials: must be");
            });
  }

  @Test
  void problemsAfterParsingHaveLinesToo() throws IOException {
    Path job = job("infra: [aws/us-east-1]", "infra: [aws/eu-west-1]");

    assertThat(plans(job).problems())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.field()).isEqualTo("resources");
              assertThat(one.line()).isPositive();
              assertThat(one.message()).startsWith("none of the offers");
            });
  }

  @Test
  void problemsOfKnownTimesAndOfAMissingProfileAreNamed() throws IOException {
    assertThat(plans().profile("V100", Map.of(1, -1.0)).problems())
        .isNotEmpty()
        .allSatisfy(one -> assertThat(one.file()).isEqualTo("profile(\"V100\")"));
    assertThat(plans().profile("V100", Map.of()).problems()).isNotEmpty();
    assertThat(plans().profile("A\"100", Map.of(1, 1.0)).problems())
        .singleElement()
        .satisfies(one -> assertThat(one.message()).contains("the profiles are for A\"100"));

    Path job = job("profile: {file: profile.yaml}", "");
    assertThat(plans(job).problems())
        .singleElement()
        .satisfies(one -> assertThat(one.field()).isEqualTo("profile"));
  }

  @Test
  void casesAreComparedFromKnownTimes() {
    CaseEstimates estimates =
        plans()
            .profile("V100", Map.of(1, 30.0, 2, 16.0))
            .estimate(ComparedCases.OF_JOB.by("430s", "20m").within(0.01, 50.0));

    assertThat(estimates.cases()).hasSize(4);
    assertThat(estimates.cases().get(0).estimate()).isEmpty();
    assertThat(estimates.cases().get(0).nearestBudgetUsd().orElseThrow()).isGreaterThan(0.01);
    assertThat(estimates.cases().get(1).estimate().orElseThrow().costUsd().mean())
        .isGreaterThanOrEqualTo(estimates.cases().get(3).estimate().orElseThrow().costUsd().mean());
    assertThatThrownBy(() -> plans().estimate(ComparedCases.OF_JOB))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void missingProviderIsAnArtifactAndNotAWheel() throws IOException {
    Path job = job("  offers: offers.yaml\n", "");

    assertThat(plans(job).problems())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.message()).contains("elastune-provisioner-aws");
              assertThat(one.hint()).contains("offers(Path)").doesNotContain("pip");
            });
  }

  /** The command leaves them out, too: see ServedOffersTest. */
  @Test
  void armIsLeftOutWithoutItsProvider() throws IOException {
    Path job = job("max_instances: 8", "max_instances: 4");
    String offers = Files.readString(EXAMPLE.resolve("offers.yaml"));
    String arm =
        offers
            .substring(offers.indexOf("  - infra"))
            .replace("p3.8xlarge", "g5g.xlarge")
            .replace("12.24", "0.12");
    Files.writeString(home.resolve("offers.yaml"), offers + arm);

    assertThat(plans(job).deadline("2h").best().groups())
        .isNotEmpty()
        .allSatisfy(
            group -> assertThat(group.offer()).isEqualTo("aws/us-east-1/p3.8xlarge/on-demand"));
  }

  /** A caller sees no types that may change. */
  @Test
  void publicSignaturesHaveOnlyTypesOfThisPackageAndOfTheJdk() {
    List<Class<?>> types =
        List.of(
            Plans.class,
            BestPlan.class,
            PlanFrontier.class,
            PlanSimulation.class,
            CaseEstimates.class,
            CaseEstimate.class,
            ComparedCases.class,
            MissedLimits.class,
            InvalidInputException.class,
            NoPlanException.class,
            InputProblem.class);
    assertThat(
            types.stream()
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .flatMap(
                    method ->
                        Stream.concat(
                            Stream.of(method.getReturnType()),
                            Arrays.stream(method.getParameterTypes())))
                .filter(type -> !type.isPrimitive() && !type.isArray())
                .map(Class::getPackageName)
                .filter(name -> !name.startsWith("java.")))
        .containsOnly("io.elastune.plan.api");
  }
}
