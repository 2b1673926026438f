package io.elastune.plan;

import io.elastune.core.plan.Problem;
import io.elastune.inputs.CurvesSource;
import io.elastune.inputs.InputEnvironment;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.OptionWords;
import io.elastune.simulator.rank.RankModel;
import java.util.List;
import java.util.Optional;

/**
 * Where the order of the trials by metric comes from, which is unknown before a run.
 *
 * @param ranks a rule
 * @param curves the file with learning curves, which take the place of the rule
 */
public record TrialOrder(RankModel.Order ranks, Optional<String> curves) {
  /** The rules that a user can choose. */
  public static final OptionWords<RankModel.Order> RANKS =
      new OptionWords<>(List.of(RankModel.Order.values()));

  /**
   * Returns the order of the trials of a job.
   *
   * @throws io.elastune.core.config.FileProblemsException if the curves have problems
   */
  public RankModel of(InputEnvironment environment, Inputs inputs, Problem problem) {
    if (curves.isPresent()) {
      return RankModel.recorded(new CurvesSource(environment).load(curves.get(), inputs, problem));
    }
    return switch (ranks) {
      case SAMPLED -> RankModel.of(problem);
      case FIRST_BEST -> RankModel.FIRST_BEST;
      case LAST_BEST -> RankModel.LAST_BEST;
    };
  }
}
