package io.elastune.plan;

import io.elastune.inputs.Inputs;
import io.elastune.inputs.OptionWords;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The options with which plans of a job are searched. */
public final class PlanOptions {
  /** The planners that a user can choose. */
  public static final OptionWords<Kind> PLANNERS =
      new OptionWords<>(List.of(Kind.GREEDY, Kind.EXACT, Kind.STATIC));

  private PlanOptions() {}

  /** Returns the options for a job, on all processors. */
  public static PlannerOptions of(Inputs inputs, Kind kind) {
    return PlannerOptions.DEFAULT
        .withKind(kind)
        .withThreads(Runtime.getRuntime().availableProcessors())
        .forSearch(inputs.job().value().search());
  }

  /** Returns what says whether the time for a search is over, which begins now. */
  public static BooleanSupplier isOver(Optional<Duration> timeLimit, InstantSource clock) {
    if (timeLimit.isEmpty()) {
      return () -> false;
    }
    Instant end = clock.instant().plus(timeLimit.get());
    return () -> !clock.instant().isBefore(end);
  }
}
