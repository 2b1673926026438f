package io.elastune.planner.evaluate;

import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import java.util.Optional;

/**
 * The candidates evaluated so far and the best of them.
 *
 * @param best the best plan that meets all limits; empty if none was found
 */
public record RaceResult(CandidateSet candidates, Optional<Evaluation> best) {}
