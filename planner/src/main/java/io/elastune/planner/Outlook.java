package io.elastune.planner;

import io.elastune.core.plan.Plan;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a plan leaves open at every barrier, known when it is made: for a group that is about to
 * begin with what the plan holds then, the frontier of the time and the money that the rest of its
 * chain may take. Whether a run is still fine is then a look-up. Where the run holds something else
 * than its plan does, it must be planned anew ({@link Replanner}).
 *
 * @param choices by the name of the group that is about to begin; the fastest first, each slower
 *     and cheaper than the one before
 */
public record Outlook(Map<String, List<Choice>> choices) {
  /**
   * A way to go on.
   *
   * @param restS seconds from the barrier within which the chain is done: with the confidence asked
   *     for where there is a deadline, else in the mean
   * @param restUsd mean dollars still to be paid for the chain, beyond what its leases have cost by
   *     the second
   * @param plan for the groups of the chain that are left
   */
  public record Choice(double restS, double restUsd, Plan plan) {}

  public Outlook {
    choices = Map.copyOf(choices);
  }

  /**
   * The cheapest way to go on that takes at most so long and costs at most so much; empty if there
   * is none: then deadline and budget cannot both be kept any more.
   *
   * @param group that is about to begin
   * @param leftS seconds until the deadline
   * @param leftUsd dollars of the budget for this chain
   */
  public Optional<Choice> at(String group, double leftS, double leftUsd) {
    return choices.getOrDefault(group, List.of()).stream()
        .filter(choice -> choice.restS() <= leftS + Timed.SAME)
        .filter(choice -> choice.restUsd() <= leftUsd + Timed.SAME)
        .reduce((faster, cheaper) -> cheaper);
  }
}
