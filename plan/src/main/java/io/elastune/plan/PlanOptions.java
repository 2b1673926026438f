package io.elastune.plan;

import io.elastune.inputs.Inputs;
import io.elastune.planner.api.PlannerOptions;

/** The options with which plans of a job are searched. */
public final class PlanOptions {
  private PlanOptions() {}

  /** Returns the options for a job, on all processors. */
  public static PlannerOptions of(Inputs inputs, PlannerOptions.Kind kind) {
    return PlannerOptions.DEFAULT
        .withKind(kind)
        .withThreads(Runtime.getRuntime().availableProcessors())
        .forSearch(inputs.job().value().search());
  }
}
