package io.elastune.cli.text;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.core.time.Durations;
import io.elastune.inputs.CheckpointIntervals;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says how often the trials of a plan save checkpoints, if Elastune decides this. */
public final class CheckpointNote {
  private final Problem problem;
  private final Plan plan;

  public CheckpointNote(Problem problem, Plan plan) {
    this.problem = problem;
    this.plan = plan;
  }

  /** Returns one line; empty if trials save as they like. */
  public Optional<String> line() {
    Map<Integer, List<String>> groups = new LinkedHashMap<>();
    CheckpointIntervals.of(problem, plan)
        .forEach(
            (group, every) -> groups.computeIfAbsent(every, key -> new ArrayList<>()).add(group));
    if (groups.isEmpty()) {
      return Optional.empty();
    }
    List<String> parts = new ArrayList<>();
    groups.forEach(
        (every, names) -> parts.add(interval(every) + (groups.size() == 1 ? "" : in(names))));
    return Optional.of("checkpoints: " + String.join(", ", parts) + "; " + duration());
  }

  private String interval(int every) {
    String unit = problem.profiles().values().iterator().next().unit();
    return switch (every) {
      case 0 -> "only at the end of a group";
      case 1 -> "every " + unit;
      default -> "every " + every + " " + Plural.of(unit);
    };
  }

  private static String in(List<String> groups) {
    return " (" + (groups.size() == 1 ? "group " : "groups ") + String.join(", ", groups) + ")";
  }

  /** The time of one checkpoint, from which the intervals follow. */
  private String duration() {
    double longestS =
        problem.workload().groups().stream()
            .mapToDouble(group -> profile(offer(group)).checkpointS().mean())
            .max()
            .orElse(0);
    return longestS == 0
        ? "the profile states no time for one (checkpoint_s)"
        : "one takes " + Durations.format(longestS);
  }

  private Offer offer(TrialGroup group) {
    return problem.offer(plan.of(group).offer()).orElseThrow();
  }

  private Profile profile(Offer offer) {
    return problem.profile(offer).orElseThrow();
  }
}
