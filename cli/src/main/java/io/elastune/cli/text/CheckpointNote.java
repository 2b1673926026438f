package io.elastune.cli.text;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.core.time.Durations;
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

  /**
   * Returns the units between two checkpoints by group; 0 for a checkpoint at the end of the group
   * only. Empty if trials save as they like.
   */
  public Map<String, Integer> intervals() {
    Map<String, Integer> intervals = new LinkedHashMap<>();
    if (plan.shared()) {
      return intervals; // the trials of a pool save as they like
    }
    for (TrialGroup group : problem.workload().groups()) {
      Offer offer = offer(group);
      CheckpointSchedule schedule =
          CheckpointSchedule.of(group, offer, profile(offer), plan.of(group));
      if (schedule.decided()) {
        intervals.put(group.name(), schedule.every());
      }
    }
    return intervals;
  }

  /** Returns one line; empty if trials save as they like. */
  public Optional<String> line() {
    Map<Integer, List<String>> groups = new LinkedHashMap<>();
    intervals()
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
