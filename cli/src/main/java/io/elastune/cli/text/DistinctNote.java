package io.elastune.cli.text;

import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Search;
import io.elastune.core.plan.RungRule;
import io.elastune.core.search.SpaceSize;
import java.util.Optional;
import java.util.OptionalInt;

/** Says how many different configurations a search tries, if its space or the job limits them. */
final class DistinctNote {
  private DistinctNote() {}

  /**
   * Returns the note; empty if every trial has a configuration of its own, from an infinite space.
   *
   * @param trials how many trials the search starts
   */
  static Optional<String> of(Search search, int trials) {
    OptionalInt size = SpaceSize.of(search.space());
    int distinct = SpaceSize.distinct(search, trials);
    if (search.algorithm() == Algorithm.PBT) {
      return distinct < trials
          ? Optional.of(
              "search.space has "
                  + distinct
                  + " configurations: the "
                  + trials
                  + " trials of the population start with these")
          : Optional.empty();
    }
    if (search.algorithm() != Algorithm.GRID && size.isPresent() && trials < search.trials()) {
      return Optional.of(
          "search.space has %s%s: the search ends after %s%s"
              .formatted(
                  count(size.getAsInt()),
                  search.repeat() > 1 ? each(search, trials) : "",
                  search.trials() < RungRule.UNLIMITED
                      ? trials + " of " + search.trials() + " trials"
                      : trials == 1 ? "1 trial" : trials + " trials",
                  "; search.repeat is the number of trials of each"));
    }
    if (search.repeat() > 1) {
      return Optional.of(count(distinct) + each(search, trials) + " (search.repeat)");
    }
    return size.isPresent() && search.algorithm() != Algorithm.GRID
        ? Optional.of("different configurations: " + distinct + " of " + size.getAsInt())
        : Optional.empty();
  }

  private static String each(Search search, int trials) {
    return trials % search.repeat() == 0
        ? ", each for " + search.repeat() + " trials"
        : ", each for at most " + search.repeat() + " trials";
  }

  private static String count(int configurations) {
    return configurations == 1 ? "1 configuration" : configurations + " different configurations";
  }
}
