package io.elastune.simulator.rank;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.LearningCurves;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Checks whether learning curves are sufficient for a prediction of a job. */
public final class CurveRules {
  private static final int SHOWN = 5;

  private CurveRules() {}

  /** Returns what is wrong with the curves; empty if they can be used. */
  public static List<String> problems(Problem problem, LearningCurves curves) {
    List<String> problems = new ArrayList<>();
    List<Integer> missing =
        IntStream.rangeClosed(1, problem.workload().trials())
            .filter(trial -> !curves.has(trial))
            .boxed()
            .toList();
    if (!missing.isEmpty()) {
      problems.add(
          "has no curve of trial "
              + missing.stream().limit(SHOWN).map(String::valueOf).collect(Collectors.joining(", "))
              + (missing.size() > SHOWN ? " and " + (missing.size() - SHOWN) + " more" : "")
              + "; the search has "
              + problem.workload().trials());
    }
    for (Offer offer : problem.offers()) {
      boolean unknown =
          problem.profile(offer).filter(p -> p.secondsPerUnit(1).isEmpty()).isPresent();
      if (curves.hasSeconds() && unknown) {
        problems.add(
            "seconds are those on one GPU, which the profile of "
                + offer.gpu()
                + " does not contain; leave the column seconds empty");
      }
    }
    if (problems.isEmpty() && problem.workload().rungs().isEmpty()) {
      addSmallGroups(problem, curves, problems);
    }
    return problems;
  }

  private static void addSmallGroups(
      Problem problem, LearningCurves curves, List<String> problems) {
    GroupMembers members = GroupMembers.of(problem, RankModel.recorded(curves));
    for (TrialGroup group : problem.workload().groups()) {
      int found = members.of(group).size();
      if (found != group.trials()) {
        problems.add(
            "trial group "
                + group.name()
                + " would have "
                + found
                + " instead of "
                + group.trials()
                + " trials: too few trials have a metric before it");
        return;
      }
    }
  }
}
