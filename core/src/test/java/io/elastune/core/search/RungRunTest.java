package io.elastune.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.search.RungState.Phase;
import io.elastune.core.search.SearchDecision.Train;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the search of timelines with the pure function that decides in runs. */
class RungRunTest {
  private static final int CASES = 400;

  @Test
  void issuesTheSameTasksAsTheSearchOfARun() {
    int promoted = 0;
    int interrupted = 0;
    for (int seed = 0; seed < CASES; seed++) {
      Game game = new Game(seed);
      game.play();
      promoted += game.promoted;
      interrupted += game.interrupted;
    }
    assertThat(promoted).isGreaterThan(CASES);
    assertThat(interrupted).isGreaterThan(CASES);
  }

  /**
   * A search that continues from a state with results, interrupted tasks and trials that are done.
   */
  @Test
  void continuesAnyState() {
    for (int seed = 0; seed < CASES; seed++) {
      Game game = new Game(seed);
      for (int step = 0; step < 30; step++) {
        game.step();
        game.run = new RungRun(game.rule, game.state);
      }
      game.play();
    }
  }

  @Test
  void admitsNewTrialsWhenTheSearchOfARunDoes() {
    for (int seed = 0; seed < CASES; seed++) {
      Game game = new Game(seed);
      for (int step = 0; step < 40; step++) {
        game.step();
        for (double leftS = 0; leftS < 100; leftS += 7) {
          assertThat(game.run.admits(leftS, 1))
              .as("seed %d", seed)
              .isEqualTo(game.search.admits(game.state, leftS, 1));
        }
      }
    }
  }

  /** A random search to which random events occur. */
  private static final class Game {
    final RungRule rule;
    final RungSearch search;
    final Random random;
    private final List<Train> running = new ArrayList<>();
    private final String name;
    RungState state;
    RungRun run;
    int promoted;
    int interrupted;

    Game(int seed) {
      random = new Random(seed);
      int eta = 2 + random.nextInt(3);
      List<Integer> targets = new ArrayList<>(List.of(1 + random.nextInt(2)));
      int rungs = 2 + random.nextInt(3);
      while (targets.size() < rungs) {
        targets.add(targets.get(targets.size() - 1) * eta);
      }
      rule =
          new RungRule(
                  targets,
                  1 + random.nextInt(60),
                  eta,
                  random.nextInt(3) == 0 ? Variant.STOPPING : Variant.PROMOTION,
                  random.nextBoolean(),
                  some(6),
                  some(3),
                  random.nextInt(4) == 0)
              .withBrackets(1 + random.nextInt(rungs));
      search = new RungSearch(rule);
      state = search.initial();
      run = new RungRun(rule, state);
      name = "seed " + seed + ": " + rule;
    }

    private OptionalInt some(int most) {
      return random.nextInt(3) == 0
          ? OptionalInt.of(1 + random.nextInt(most))
          : OptionalInt.empty();
    }

    void play() {
      for (int step = 0; step < 2_000 && !state.isFinished(); step++) {
        step();
      }
      assertThat(state.isFinished()).as(name).isTrue();
    }

    void step() {
      if (state.isFinished()) {
        return;
      }
      if (running.size() < 6 && random.nextInt(3) > 0) {
        fits();
      } else if (!running.isEmpty()) {
        end(running.get(random.nextInt(running.size())));
      }
      if (random.nextInt(200) == 0) {
        SearchEvent.CloseReason reason = SearchEvent.CloseReason.TIME;
        state = search.step(state, new SearchEvent.Close(reason)).state();
        run.closeNow();
      }
      compare();
    }

    private void fits() {
      SearchStep<RungState> step = search.step(state, new SearchEvent.Fits());
      state = step.state();
      List<Train> issued =
          step.decisions().stream().filter(Train.class::isInstance).map(Train.class::cast).toList();
      assertThat(run.next()).as(name).isEqualTo(!issued.isEmpty());
      for (Train task : issued) {
        assertThat(new SearchDecision.Train(run.trial(), run.rung(), run.from(), run.to()))
            .as(name)
            .isEqualTo(task);
        promoted += task.from() > 0 ? 1 : 0;
        running.add(task);
      }
    }

    private void end(Train task) {
      int trial = task.trial();
      if (random.nextInt(8) == 0) {
        running.remove(task);
        interrupted++;
        state = search.step(state, new SearchEvent.Interrupted(trial)).state();
        run.interrupt(trial);
        return;
      }
      double loss = random.nextInt(12) == 0 ? Double.NaN : random.nextInt(20);
      Integer rung = state.tasks().get(trial);
      if (rung == null) {
        running.remove(task); // it was stopped
      } else if (rule.isStopping() && rung < rule.lastRung()) {
        int unit = rule.target(rung);
        state = search.step(state, new SearchEvent.Reported(trial, unit, loss)).state();
        run.reported(trial, loss);
      } else {
        running.remove(task);
        state = search.step(state, new SearchEvent.Reached(trial, loss, false)).state();
        run.reached(trial, loss);
      }
    }

    private void compare() {
      assertThat(run.phase()).as(name).isEqualTo(state.phase());
      assertThat(run.begun()).as(name).isEqualTo(state.begun());
      assertThat(run.running()).as(name).isEqualTo(state.tasks().size());
      if (state.phase() != Phase.FINISHED) {
        assertThat(run.promotable()).as(name).isEqualTo(search.promotable(state));
        for (int trial = 1; trial <= state.begun(); trial++) {
          assertThat(run.isRunning(trial)).as(name).isEqualTo(state.tasks().containsKey(trial));
        }
      }
    }
  }
}
