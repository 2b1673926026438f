package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.search.RungProgress;
import io.elastune.core.search.RungProgress.IssuedTask;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.RungState;
import io.elastune.core.search.SearchDecision.Train;
import io.elastune.core.search.SearchEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Checks samples of the rest of an asynchronous search. */
class RungRestTest {
  private static final int SAMPLES = 640;
  private static final Percentage CLOSE = Percentage.withPercentage(2);

  private final Problem problem = RungPredictionTest.problem(List.of(1, 2, 4, 8), 16, 2);
  private final RungSearch search = new RungSearch(problem.workload().rungs().orElseThrow());

  /** Before anything has happened, the rest is the search. */
  @Test
  void equalsThePredictionAtTheStart() {
    for (String sizes : List.of("2×1 2×1", "2×1 2×2", "4×1 3×4")) {
      Plan plan = RungPredictionTest.plan(sizes, false);
      JointSamples whole = new Simulator(problem, SAMPLES).sample(plan);
      JointSamples rest = rest(0, new RungProgress(search.initial(), List.of()), List.of(), plan);

      assertThat(mean(rest.completionS())).isCloseTo(mean(whole.completionS()), CLOSE);
      assertThat(mean(rest.costUsd())).isCloseTo(mean(whole.costUsd()), CLOSE);
    }
  }

  /** Instances that are not available are not predicted. */
  @Test
  void requestsNoMoreInstancesThanAllowed() {
    RungProgress progress = new RungProgress(search.initial(), List.of());
    RungRest rest =
        new RungRest(problem, new RungRest.Start(0, 0, progress, List.of(held())), SAMPLES);

    JointSamples one = rest.sample(RungPredictionTest.plan("1×1 1×1", false), SAMPLES, 1, false);
    JointSamples four = rest.sample(RungPredictionTest.plan("4×1 4×1", false), SAMPLES, 1, false);

    assertThat(four.completionS()).isEqualTo(one.completionS());
    assertThat(four.costUsd()).isEqualTo(one.costUsd());
  }

  /** Fewer instances than are held: the last ones end their tasks, and start no more. */
  @Test
  void endsTasksOnInstancesThatAPlanHasNoUseFor() {
    RungState state = search.initial();
    List<IssuedTask> tasks = new ArrayList<>();
    for (int trial = 1; trial <= 12; trial++) {
      state = search.step(state, new SearchEvent.Fits()).state();
      int place = trial - 1;
      tasks.add(new IssuedTask(new Train(trial, 0, 0, 1), 0, place / 4, place % 4, 1, 20));
    }
    RungProgress progress = new RungProgress(state, tasks);
    List<RungRest.Held> held = List.of(held(), held(), held());

    JointSamples all = rest(100, progress, held, RungPredictionTest.plan("3×1 3×1", false));
    JointSamples one = rest(100, progress, held, RungPredictionTest.plan("1×1 1×1", false));

    assertThat(mean(one.completionS())).isGreaterThan(mean(all.completionS()) + 60);
    assertThat(mean(one.costUsd())).isLessThan(mean(all.costUsd()));
  }

  /** One task is left on each of two instances: after the move of one, the other has both. */
  @Test
  void movesTasksToFewerInstances() {
    RungState state = search.initial();
    while (state.phase() == RungState.Phase.OPEN) {
      state = search.step(state, new SearchEvent.Fits()).state();
    }
    for (int trial = 1; trial <= 16; trial++) {
      state = search.step(state, new SearchEvent.Reached(trial, trial, false)).state();
    }
    for (int task = 1; task <= 8; task++) {
      state = search.step(state, new SearchEvent.Fits()).state();
    }
    for (int trial = 1; trial <= 6; trial++) {
      state = search.step(state, new SearchEvent.Dropped(trial)).state();
    }
    List<IssuedTask> tasks =
        List.of(
            new IssuedTask(new Train(7, 1, 1, 2), 1, 0, 0, 1, 500),
            new IssuedTask(new Train(8, 1, 1, 2), 1, 1, 0, 1, 500));
    RungProgress progress = new RungProgress(state, tasks);
    Plan plan = RungPredictionTest.plan("2×1 1×1", false);
    RungRest rest =
        new RungRest(
            problem, new RungRest.Start(100, 0, progress, List.of(held(), held())), SAMPLES);

    assertThat(rest.canMove(plan)).isTrue();
    assertThat(rest.canMove(RungPredictionTest.plan("2×1 1×4", false))).as("no room").isFalse();
    JointSamples moved = rest.sample(plan, SAMPLES, Integer.MAX_VALUE, true);
    JointSamples stayed = rest.sample(plan, SAMPLES, Integer.MAX_VALUE, false);

    assertThat(mean(moved.costUsd())).isLessThan(mean(stayed.costUsd()));
  }

  private static RungRest.Held held() {
    return new RungRest.Held(10, 75, 25);
  }

  private JointSamples rest(
      double atS, RungProgress progress, List<RungRest.Held> held, Plan plan) {
    return new RungRest(problem, new RungRest.Start(atS, 0, progress, held), SAMPLES)
        .sample(plan, SAMPLES, Integer.MAX_VALUE, false);
  }

  private static double mean(double[] values) {
    return DoubleStream.of(values).average().orElseThrow();
  }
}
