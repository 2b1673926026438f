package io.elastune.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import io.elastune.core.config.Overrides;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.InputsLoader;
import io.elastune.inputs.NoteSampling;
import io.elastune.inputs.PlanFigures;
import io.elastune.inputs.SpotComparison;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.simulator.Simulator;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notes report how many samples they have drawn of all that they need. */
class PlanNotesTest {
  /** The number of samples of a plan of a large job. */
  private static final int SAMPLES = 512;

  @TempDir private Path folder;

  private Inputs inputs(String job) {
    return inputs(job, 8);
  }

  private Inputs inputs(String job, int trials) {
    PrintStream none = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    CliEnvironment environment =
        new CliEnvironment(
            none,
            none,
            InputStream.nullInputStream(),
            Map.of("ELASTUNE_HOME", folder.toString()),
            folder,
            InstantSource.fixed(InProcessCli.NOW),
            false);
    return new InputsLoader(environment)
        .load(
            ExampleFiles.REPOSITORY.resolve("configs/rehearsal").resolve(job).toString(),
            Overrides.builder().trials(Optional.of(Integer.toString(trials))).build());
  }

  private static Plan spotWithSpare(Problem problem) {
    Offer spot =
        problem.offers().stream()
            .filter(offer -> offer.market() == Market.SPOT)
            .findFirst()
            .orElseThrow();
    Map<String, Allocation> allocations = new TreeMap<>();
    for (TrialGroup group : problem.workload().groups()) {
      allocations.put(group.name(), new Allocation(spot.name(), 3, 4, 1, 1));
    }
    return new Plan(false, allocations);
  }

  /** Reports of one phase in order, whose sum is known from the first one. */
  private record Reports(List<String> lines, List<Integer> samples, List<Integer> most) {
    static Reports of(PlanNotes notes) {
      Reports reports = new Reports(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      reports
          .lines()
          .addAll(
              notes.lines(
                  (done, all) -> {
                    reports.samples().add(done);
                    reports.most().add(all);
                  }));
      return reports;
    }

    void checkEnd(int all) {
      assertThat(samples).isSorted().allMatch(done -> done > 0);
      assertThat(samples.get(samples.size() - 1)).isEqualTo(all);
      assertThat(most).containsOnly(all);
      assertThat(samples.stream().distinct().count()).isGreaterThanOrEqualTo(all / 64);
    }
  }

  @Test
  void countsTheSamplesOfAllComparisons() {
    Inputs inputs = inputs("spot.yaml");
    Problem problem = inputs.problem().orElseThrow();
    Reports reports = Reports.of(new PlanNotes(inputs, problem, spotWithSpare(problem)));

    assertThat(reports.lines())
        .anyMatch(line -> line.startsWith("included: faults"))
        .anyMatch(line -> line.startsWith("spare instance in groups"))
        .anyMatch(line -> line.startsWith("spot: saves"));
    reports.checkEnd(4 * 4_096);
  }

  /** The prediction of the plan is not sampled again, however many samples it has. */
  @Test
  void comparesWithThePredictionByAsManySamples() {
    Inputs inputs = inputs("spot.yaml");
    Problem problem = inputs.problem().orElseThrow();
    Plan plan = spotWithSpare(problem);
    Estimate predicted = new Simulator(problem, SAMPLES).simulate(plan);
    PlanFigures figures = new PlanFigures(problem, plan, predicted);
    Reports reports = Reports.of(new PlanNotes(inputs, problem, plan, figures));

    reports.checkEnd(3 * SAMPLES);
    SpotComparison spot = figures.spot().orElseThrow();
    assertThat(spot.spot()).isSameAs(predicted);
    assertThat(spot.onDemand().samples()).isEqualTo(SAMPLES);
    FaultShare share = FaultShare.of(problem, figures, NoteSampling.silent());
    assertThat(share.seconds())
        .isEqualTo(
            predicted.completionS().mean()
                - new Simulator(problem.withoutFaults(), SAMPLES)
                    .simulate(plan)
                    .completionS()
                    .mean());
  }

  @Test
  void countsTheSamplesOfTheTasksOfRungs() {
    Inputs inputs = inputs("asha.yaml");
    Problem problem = inputs.problem().orElseThrow().withoutFaults();
    Allocation allocation = new Allocation(problem.offers().get(0).name(), 2, 1, 1);
    Plan plan = new Plan(true, Map.of(Workload.OPEN, allocation, Workload.CLOSING, allocation));
    Reports reports = Reports.of(new PlanNotes(inputs, problem, plan));

    assertThat(reports.lines()).anyMatch(line -> line.startsWith("expected tasks: "));
    reports.checkEnd(1_000);
  }

  /** What the planner has sampled gives the same figures as new samples. */
  @Test
  void countsTheTasksOfRungsInTheSamplesOfThePlanner() {
    Problem problem = inputs("asha.yaml").problem().orElseThrow().withDefaultFaults();
    PlannerOptions options = new PlannerOptions(PlannerOptions.Kind.GREEDY, 400, 20_000);
    PlanResult.Found found = (PlanResult.Found) new Planner(problem, options).plan();
    PlanFigures known = new PlanFigures(problem, found);
    PlanFigures drawn = new PlanFigures(problem, found.withoutSamples());

    assertThat(known.samplesLeft(0)).isZero();
    assertThat(drawn.samplesLeft(0)).isPositive();
    assertThat(known.rungTasks()).isEqualTo(drawn.rungTasks());
    assertThat(known.compared(NoteSampling.silent())).isEqualTo(found.estimate());
    FaultShare share = FaultShare.of(problem, known, NoteSampling.silent());
    FaultShare all = FaultShare.of(problem, drawn, NoteSampling.silent());
    assertThat(all.usd()).isPositive();
    assertThat(share.timeShare()).isCloseTo(all.timeShare(), within(0.005));
    assertThat(share.costShare()).isCloseTo(all.costShare(), within(0.005));
  }

  /** Pairs of samples with and without faults show the difference long before all are drawn. */
  @Test
  void comparesSamplesOfThePlannerWithAsFewOthersAsAreExact() {
    Problem problem = inputs("spot.yaml").problem().orElseThrow();
    PlannerOptions options = new PlannerOptions(PlannerOptions.Kind.GREEDY, 4_000, 20_000);
    PlanResult.Found found = (PlanResult.Found) new Planner(problem, options).plan();
    List<Integer> reported = new ArrayList<>();
    FaultShare share =
        FaultShare.of(
            problem,
            new PlanFigures(problem, found),
            new NoteSampling((done, all) -> reported.add(done), 4_000));
    FaultShare all =
        FaultShare.of(
            problem, new PlanFigures(problem, found.withoutSamples()), NoteSampling.silent());

    assertThat(reported).hasSizeLessThan(40).last().isEqualTo(4_000);
    assertThat(share.usd()).isCloseTo(all.usd(), withinPercentage(25));
    assertThat(share.seconds()).isCloseTo(all.seconds(), withinPercentage(25));
  }

  /** A sample of a large job varies little, and takes long. */
  @Test
  void largeJobsGetFewSamples() {
    Inputs inputs = inputs("asha.yaml", 50_000);
    Problem problem = inputs.problem().orElseThrow().withoutFaults();
    Allocation allocation = new Allocation(problem.offers().get(0).name(), 16, 1, 1);
    Plan plan = new Plan(true, Map.of(Workload.OPEN, allocation, Workload.CLOSING, allocation));
    Reports reports = Reports.of(new PlanNotes(inputs, problem, plan));

    reports.checkEnd(20);
  }
}
