package io.elastune.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.RungRule.Variant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks the worked examples of docs/searches.md, and the rules one by one. */
class RungSearchTest {
  private static final List<Integer> TARGETS = List.of(1, 3, 9);

  /** One worker: every task runs to its end before the next one starts. */
  private record Played(List<String> tasks, int units, RungState state) {}

  @Test
  void issuesTheTasksOfThePaper() {
    Played resumed = play(rule(9, false), losses(1, 6, 8));

    assertThat(String.join(" ", resumed.tasks()))
        .isEqualTo("1@0 2@0 3@0 1@1 4@0 5@0 6@0 6@1 7@0 8@0 9@0 8@1 8@2");
    assertThat(resumed.units()).isEqualTo(21);
    assertThat(play(rule(9, true), losses(1, 6, 8)).units()).isEqualTo(27);
    assertThat(resumed.state().isFinished()).isTrue();
  }

  @Test
  void promotesToTheHighestRungFirst() {
    assertThat(String.join(" ", play(rule(9, false), losses(1, 8, 6)).tasks()))
        .isEqualTo("1@0 2@0 3@0 1@1 4@0 5@0 6@0 6@1 7@0 8@0 8@1 8@2 9@0");
  }

  /** Brackets start at 1, 3 and 9 units, and compare their own trials only. */
  @Test
  void issuesTheTasksOfAsynchronousHyperband() {
    Played played = play(rule(17, false).withBrackets(3), trial -> trial, trial -> trial);

    assertThat(String.join(" ", played.tasks()))
        .isEqualTo(
            "1@0 2@0 3@1 4@0 1@1 5@1 6@0 7@2 8@0 9@1 3@2 10@0 2@1 11@1 12@0 13@2 14@0 15@1 16@0"
                + " 4@1 1@2 17@2");
    assertThat(played.units()).isEqualTo(21 + 21 + 27);
    assertThat(played.state().firstResults()).hasSize(17);
  }

  @Test
  void comparesAStoppedTrialWithItsBracketOnly() {
    RungSearch search = new RungSearch(stopping(6).withBrackets(2));
    RungState state = search.initial();
    for (int i = 0; i < 4; i++) { // the third trial is the first of its bracket
      state = search.step(state, new SearchEvent.Fits()).state();
    }
    state = search.step(state, new SearchEvent.Reported(1, 3, 0.1)).state();
    state = search.step(state, new SearchEvent.Reported(3, 1, 0.9)).state();
    state = search.step(state, new SearchEvent.Reported(3, 3, 0.8)).state();
    state = search.step(state, new SearchEvent.Reported(4, 1, 0.9)).state();

    assertThat(state.tasks().keySet()).containsExactly(1, 2, 3);
  }

  @Test
  void continuesOnlyTheBestSoFarInTheStoppingVariant() {
    RungSearch search = new RungSearch(stopping(6));
    double[] losses = {0.9, 0.8, 0.85, 0.7, 0.95, 0.6};
    RungState state = search.initial();
    List<Boolean> continued = new ArrayList<>();
    for (int trial = 1; trial <= 6; trial++) {
      state = search.step(state, new SearchEvent.Fits()).state();
      state = search.step(state, new SearchEvent.Reported(trial, 1, losses[trial - 1])).state();
      continued.add(state.tasks().containsKey(trial));
    }

    assertThat(continued).containsExactly(true, true, false, true, false, true);
  }

  @Test
  void trainsTheBestTrialToTheEndIfNoneWasPromoted() {
    Played played = play(rule(2, false), trial -> 10 - trial);

    assertThat(played.tasks()).containsExactly("1@0", "2@0", "2@2");
    assertThat(played.units()).isEqualTo(1 + 1 + 8);
  }

  @Test
  void issuesAnInterruptedTaskBeforeAllOthers() {
    RungSearch search = new RungSearch(rule(9, false));
    RungState state = search.initial();
    for (int i = 0; i < 3; i++) {
      state = search.step(state, new SearchEvent.Fits()).state();
    }
    state = search.step(state, new SearchEvent.Interrupted(2)).state();
    state = search.step(state, new SearchEvent.Interrupted(1)).state();

    assertThat(search.step(state, new SearchEvent.Fits()).decisions())
        .containsExactly(new SearchDecision.Train(1, 0, 0, 1));
  }

  @Test
  void ignoresUnknownAndRepeatedResults() {
    RungSearch search = new RungSearch(rule(9, false));
    RungState state = search.step(search.initial(), new SearchEvent.Fits()).state();
    RungState reached = search.step(state, new SearchEvent.Reached(1, 0.5, false)).state();

    assertThat(search.step(reached, new SearchEvent.Reached(1, 0.1, false)).state())
        .isEqualTo(reached);
    assertThat(search.step(reached, new SearchEvent.Reached(7, 0.1, false)).state())
        .isEqualTo(reached);
    assertThat(search.step(reached, new SearchEvent.Dropped(7)).state()).isEqualTo(reached);
  }

  @Test
  void countsADroppedTrialAsTheLastResult() {
    RungSearch search = new RungSearch(rule(9, false));
    RungState state = search.initial();
    for (int i = 0; i < 3; i++) {
      state = search.step(state, new SearchEvent.Fits()).state();
    }
    state = search.step(state, new SearchEvent.Dropped(1)).state();
    state = search.step(state, new SearchEvent.Dropped(2)).state();
    state = search.step(state, new SearchEvent.Reached(3, 5, false)).state();

    assertThat(search.step(state, new SearchEvent.Fits()).decisions())
        .containsExactly(new SearchDecision.Train(3, 1, 1, 3));
  }

  @Test
  void promotesATrialThatIsDoneWithoutATask() {
    RungSearch search = new RungSearch(rule(3, false));
    RungState state = search.initial();
    for (int i = 0; i < 3; i++) {
      state = search.step(state, new SearchEvent.Fits()).state();
    }
    state = search.step(state, new SearchEvent.Reached(1, 1, true)).state();
    state = search.step(state, new SearchEvent.Reached(2, 2, false)).state();
    state = search.step(state, new SearchEvent.Reached(3, 3, false)).state();

    assertThat(state.results().get(0).get(1)).hasSize(1);
    SearchStep<RungState> last = search.step(state, new SearchEvent.Fits());
    assertThat(last.decisions())
        .containsExactly(new SearchDecision.Complete(1), new SearchDecision.Finished());
  }

  @Test
  void endsAtOnceWhenEnoughTrialsAreTrained() {
    RungRule rule =
        new RungRule(
            TARGETS, 27, 3, Variant.PROMOTION, true, OptionalInt.empty(), OptionalInt.of(1), false);
    Played played = play(rule, trial -> trial);

    assertThat(played.tasks()).endsWith("1@2");
    assertThat(played.tasks().size()).isLessThan(27);
  }

  /** There must be time for eta times the units of the longest trial, or for all units. */
  @Test
  void admitsANewTrialIfItHasEnoughTime() {
    RungSearch search = new RungSearch(rule(9, false));
    RungState state = search.step(search.initial(), new SearchEvent.Fits()).state();
    assertThat(search.admits(state, 0, 10)).isTrue(); // no trial is longer yet

    state = search.step(state, new SearchEvent.Reached(1, 0.5, false)).state();
    assertThat(search.admits(state, 30, 10)).isTrue();
    assertThat(search.admits(state, 29, 10)).isFalse();

    state = search.step(state, new SearchEvent.Fits()).state();
    state = search.step(state, new SearchEvent.Reached(2, 0.7, false)).state();
    state = search.step(state, new SearchEvent.Fits()).state();
    state = search.step(state, new SearchEvent.Reached(3, 0.7, false)).state();
    state = search.step(state, new SearchEvent.Fits()).state();
    state = search.step(state, new SearchEvent.Reached(1, 0.5, false)).state(); // at 3 units
    assertThat(search.admits(state, 90, 10)).isTrue();
    assertThat(search.admits(state, 89, 10)).isFalse();
  }

  @Test
  void startsNoNewTrialWhileAsManyRunAsAllowed() {
    RungRule rule =
        new RungRule(
            TARGETS, 9, 3, Variant.PROMOTION, true, OptionalInt.of(2), OptionalInt.empty(), false);
    RungSearch search = new RungSearch(rule);
    RungState state = search.initial();
    for (int i = 0; i < 4; i++) {
      state = search.step(state, new SearchEvent.Fits()).state();
    }

    assertThat(state.begun()).isEqualTo(2);
  }

  /** In the phase closing, running and promotable tasks together never become more. */
  @Test
  void neverNeedsMoreSlotsWhenClosing() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      RungSearch search = new RungSearch(rule(5 + random.nextInt(40), false));
      RungState state = search.initial();
      int before = Integer.MAX_VALUE;
      int slots = 1 + random.nextInt(8);
      while (!state.isFinished()) {
        boolean full = state.tasks().size() >= slots;
        SearchEvent event = full ? ending(state, random) : new SearchEvent.Fits();
        SearchStep<RungState> step = search.step(state, event);
        boolean started =
            step.decisions().stream().anyMatch(SearchDecision.Train.class::isInstance);
        if (!full && !started && !step.state().isFinished()) {
          step = search.step(step.state(), ending(step.state(), random));
        }
        state = step.state();
        if (state.phase() == RungState.Phase.CLOSING) {
          assertThat(search.demand(state)).as("seed %d", seed).isLessThanOrEqualTo(before);
          before = search.demand(state);
        }
      }
    }
  }

  private static SearchEvent ending(RungState state, Random random) {
    List<Integer> running = List.copyOf(state.tasks().keySet());
    int trial = running.get(random.nextInt(running.size()));
    return random.nextInt(10) == 0
        ? new SearchEvent.Dropped(trial)
        : new SearchEvent.Reached(trial, random.nextInt(20), random.nextInt(10) == 0);
  }

  private static RungRule rule(int trials, boolean fromScratch) {
    return new RungRule(
        TARGETS,
        trials,
        3,
        Variant.PROMOTION,
        true,
        OptionalInt.empty(),
        OptionalInt.empty(),
        fromScratch);
  }

  private static RungRule stopping(int trials) {
    return new RungRule(
        TARGETS,
        trials,
        3,
        Variant.STOPPING,
        true,
        OptionalInt.empty(),
        OptionalInt.empty(),
        false);
  }

  /** The three best trials in their order; all others are worse, the first of them first. */
  private static IntToDoubleFunction losses(int... best) {
    Map<Integer, Integer> places = new HashMap<>();
    IntStream.range(0, best.length).forEach(i -> places.put(best[i], i + 1));
    // In rung 1 the paper's order is 8, 1, 6: trial 8 is promoted from it.
    return trial -> places.getOrDefault(trial, 10 + trial);
  }

  private static Played play(RungRule rule, IntToDoubleFunction losses) {
    Map<Integer, Double> second = Map.of(8, 1.0, 1, 2.0, 6, 3.0);
    return play(rule, losses, trial -> second.getOrDefault(trial, 9.0));
  }

  private static Played play(
      RungRule rule, IntToDoubleFunction losses, IntToDoubleFunction second) {
    RungSearch search = new RungSearch(rule);
    RungState state = search.initial();
    List<String> tasks = new ArrayList<>();
    int units = 0;
    while (!state.isFinished()) {
      SearchStep<RungState> step = search.step(state, new SearchEvent.Fits());
      state = step.state();
      for (SearchDecision decision : step.decisions()) {
        if (decision instanceof SearchDecision.Train task) {
          tasks.add(task.trial() + "@" + task.rung());
          units += task.to() - task.from();
          double loss =
              task.rung() == 1
                  ? second.applyAsDouble(task.trial())
                  : losses.applyAsDouble(task.trial());
          state = search.step(state, new SearchEvent.Reached(task.trial(), loss, false)).state();
        }
      }
    }
    return new Played(tasks, units, state);
  }
}
