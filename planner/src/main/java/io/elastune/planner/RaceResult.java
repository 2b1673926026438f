package io.elastune.planner;

import io.elastune.planner.Judge.Verdict;
import java.util.Optional;

/**
 * The candidates evaluated so far and the best of them.
 *
 * @param best the best plan that meets all limits; empty if none was found
 */
record RaceResult(CandidateSet candidates, Optional<Verdict> best) {}
