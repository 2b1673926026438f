package io.elastune.executor.simulation;

import io.elastune.core.offer.Offer;
import io.elastune.executor.engine.AttemptSpec;
import java.util.Map;

/** Models attempts whose behavior depends on their command. A unit usually takes 0.1 s. */
final class CommandDrivenTraining implements TrainingModel {
  static final String SUCCEEDS = "well";
  static final String CRASHES = "crashes";
  static final String SAVES = "saves when stopped";
  static final String IGNORES_STOP = "deaf";

  @Override
  public AttemptScript script(AttemptSpec attempt, Offer offer) {
    return switch (attempt.command()) {
      case CRASHES ->
          new AttemptScript(
              0.1, 0.1, 0.1, 0, new AttemptBehavior(AttemptBehavior.Kind.CRASHES, 0, 3));
      case IGNORES_STOP ->
          new AttemptScript(0, 0.1, 0.1, 0, new AttemptBehavior(AttemptBehavior.Kind.HANGS, 1, 0));
      case SAVES -> new AttemptScript(0, 0.5, 0.1, 0, AttemptBehavior.NORMAL);
      default -> new AttemptScript(0, 0.1, 0.1, 0, AttemptBehavior.NORMAL);
    };
  }

  @Override
  public Map<String, Double> metrics(int trial, int unit) {
    return Map.of("acc", trial / 100.0 + unit);
  }
}
