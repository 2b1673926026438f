package io.elastune.executor.world;

import io.elastune.core.offer.Offer;
import io.elastune.executor.engine.AttemptSpec;
import java.util.Map;

/** What is trained in a simulated world. */
public interface Training {
  /** What {@code attempt} takes on instances of {@code offer}. Asked once for each attempt. */
  Course course(AttemptSpec attempt, Offer offer);

  /** What {@code trial} reports after {@code unit} units; the same whenever it gets there. */
  Map<String, Double> metrics(int trial, int unit);
}
