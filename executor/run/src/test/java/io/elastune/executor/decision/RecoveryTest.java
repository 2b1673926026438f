package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import io.elastune.executor.decision.KillableTestController.Kill;
import io.elastune.executor.decision.SurvivingEnvironment.Nature;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A controller killed at every step of a run, and the run that is resumed after it. */
class RecoveryTest {
  private static final int ROUNDS = Tier.runs(50, 200);
  private static final Offset<Double> CENT_FRACTION = Offset.offset(1e-6);

  private final long seed = Long.getLong("elastune.seed", System.nanoTime());

  /** The local machine; a cloud; a cloud where missed reports are lost. */
  private static final List<Nature> NATURES =
      List.of(new Nature(false, false, 1), new Nature(true, true, 2), new Nature(true, false, 1));

  /** Before and after instances have shut themselves down. */
  private static final List<Double> AWAY_S = List.of(20.0, 2000.0);

  private static final List<RunDefinition> RUNS =
      List.of(
          WorkedExampleRun.definition(
              WorkedExampleRun.plan(new int[][] {{4, 1}, {2, 1}, {2, 2}, {2, 4}})),
          WorkedExampleRun.definition(
              WorkedExampleRun.plan(new int[][] {{2, 1}, {1, 1}, {2, 2}, {4, 8}})));

  record World(RunDefinition run, Nature nature, double awayS) {
    SurvivingEnvironment killed(Kill... kills) {
      return new SurvivingEnvironment(run, nature, awayS, kills).run();
    }

    @Override
    public String toString() {
      return "run " + RUNS.indexOf(run) + ", " + nature + ", away " + awayS + " s";
    }
  }

  static List<World> worlds() {
    return RUNS.stream()
        .flatMap(
            run ->
                NATURES.stream()
                    .flatMap(nature -> AWAY_S.stream().map(away -> new World(run, nature, away))))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("worlds")
  void sameResultAfterAKillAtEveryStep(World world) {
    SurvivingEnvironment undisturbed = world.killed();
    List<Integer> commands = undisturbed.controller().commandsByStep();
    int kills = 0;
    for (int step = 0; step < commands.size(); step++) {
      for (int done = -1; done <= commands.get(step); done++) {
        Kill kill = new Kill(step, done);
        check(world, undisturbed, kill);
        kills++;
      }
    }
    assertThat(kills).isGreaterThan(100);
  }

  @ParameterizedTest
  @MethodSource("worlds")
  void sameResultAfterRepeatedKills(World world) {
    SurvivingEnvironment undisturbed = world.killed();
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      int step = 0;
      Kill[] kills = new Kill[2 + random.nextInt(3)];
      for (int k = 0; k < kills.length; k++) {
        step += 1 + random.nextInt(k == 0 ? 60 : 12);
        kills[k] = new Kill(step, random.nextInt(6) - 1);
      }
      check(world, undisturbed, kills);
    }
  }

  @ParameterizedTest
  @MethodSource("worlds")
  void resumesAfterAStopAtEveryStep(World world) {
    SurvivingEnvironment undisturbed = world.killed();
    int steps = undisturbed.controller().commandsByStep().size();
    for (int step = 0; step < steps; step++) {
      SurvivingEnvironment resumed =
          new SurvivingEnvironment(world.run(), world.nature(), world.awayS()).stopping(step).run();
      check(world + ", stopped after step " + step, world, undisturbed, resumed);
    }
  }

  private void check(World world, SurvivingEnvironment undisturbed, Kill... kills) {
    String as = world + " " + List.of(kills) + ", seed " + seed;
    try {
      check(as, world, undisturbed, world.killed(kills));
    } catch (RuntimeException e) {
      throw new AssertionError(as, e);
    }
  }

  private static void check(
      String as, World world, SurvivingEnvironment undisturbed, SurvivingEnvironment resumed) {
    RunState end = resumed.controller().state;
    assertThat(end.ending().exitCode()).as(as).isZero();
    assertThat(results(end)).as(as).isEqualTo(results(undisturbed.controller().state));
    assertThat(end.attempts()).isEmpty();
    assertThat(end.trials().values()).allMatch(trial -> trial.failures() == 0);
    assertThat(resumed.cloud().alive()).as(as).isZero();
    assertThat(resumed.cloud().mostHeld())
        .as("instances held at once: %s", as)
        .isLessThanOrEqualTo(undisturbed.cloud().mostHeld());
    assertThat(resumed.engine().trainedAgain())
        .as("units trained again: %s", as)
        .isLessThanOrEqualTo(resumed.engine().lost());
    assertThat(Ledger.of(world.run(), end).spentUsd())
        .as("cost: %s", as)
        .isCloseTo(resumed.cloud().billUsd(), CENT_FRACTION);
  }

  /** The result of each trial. */
  private static Map<Integer, String> results(RunState state) {
    Map<Integer, String> results = new TreeMap<>();
    state
        .trials()
        .forEach((n, t) -> results.put(n, t.status() + " at " + t.unit() + ": " + t.metric()));
    return results;
  }
}
