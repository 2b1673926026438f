package io.elastune.executor.world;

import io.elastune.core.offer.Offer;
import io.elastune.executor.engine.AttemptSpec;
import java.util.Map;

/** Models attempts whose behavior depends on their command. A unit usually takes 0.1 s. */
final class Scripted implements Training {
  static final String WELL = "well";
  static final String CRASHES = "crashes";
  static final String SAVES = "saves when stopped";
  static final String DEAF = "deaf";

  @Override
  public Course course(AttemptSpec attempt, Offer offer) {
    return switch (attempt.command()) {
      case CRASHES -> new Course(0.1, 0.1, 0.1, 0, new Conduct(Conduct.Kind.DIES, 0, 3));
      case DEAF -> new Course(0, 0.1, 0.1, 0, new Conduct(Conduct.Kind.HANGS, 1, 0));
      case SAVES -> new Course(0, 0.5, 0.1, 0, Conduct.WELL);
      default -> new Course(0, 0.1, 0.1, 0, Conduct.WELL);
    };
  }

  @Override
  public Map<String, Double> metrics(int trial, int unit) {
    return Map.of("acc", trial / 100.0 + unit);
  }
}
