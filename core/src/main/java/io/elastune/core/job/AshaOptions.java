package io.elastune.core.job;

import io.elastune.core.field.Word;
import io.elastune.core.plan.RungRule;
import java.util.Optional;

/**
 * The options of asynchronous successive halving.
 *
 * @param variant what happens to a trial that reaches the target of a rung
 * @param startRung targets that are left out at the start
 * @param finish whether one trial is trained to the end in any case
 * @param concurrency the most trials that run when a new one starts
 * @param brackets brackets of asynchronous Hyperband; 1 without
 */
public record AshaOptions(
    RungRule.Variant variant,
    int startRung,
    Finish finish,
    Optional<Integer> concurrency,
    int brackets) {
  /** The options of a job file without any. */
  public static final AshaOptions DEFAULT =
      new AshaOptions(RungRule.Variant.PROMOTION, 0, Finish.BEST, Optional.empty(), 1);

  /** Whether one trial is trained to the end even if none was promoted that far. */
  public enum Finish implements Word {
    BEST("best"),
    NONE("none");

    private final String word;

    Finish(String word) {
      this.word = word;
    }

    @Override
    public String word() {
      return word;
    }
  }
}
