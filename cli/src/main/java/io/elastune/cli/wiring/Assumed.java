package io.elastune.cli.wiring;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.Provisioning;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which numbers behind a prediction were not measured here: how long instances take to come, and
 * how fast a trial is at a number of GPUs between two that were measured.
 */
public final class Assumed {
  private final Problem problem;
  private final Set<String> measured;

  /** By what the problem's profiles say was measured. */
  public Assumed(Problem problem) {
    this.problem = problem;
    measured =
        problem.profiles().values().stream()
            .flatMap(profile -> profile.provisioning().stream())
            .map(Provisioning::offer)
            .flatMap(StandIns::andItsStandIn)
            .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether a group's numbers rest on any that is assumed. */
  public boolean isAssumed(Allocation allocation) {
    return isAssumed(allocation.offer()) || isInterpolated(allocation);
  }

  private boolean isAssumed(String offer) {
    return !measured.contains(offer);
  }

  /** The offers of {@code plan} whose queueing and boot times are assumed, by name. */
  public List<String> offers(Plan plan) {
    Set<String> offers = new TreeSet<>();
    plan.allocations().values().forEach(allocation -> offers.add(allocation.offer()));
    return offers.stream().filter(this::isAssumed).toList();
  }

  /** The speeds of {@code plan} that were interpolated, in words. */
  public List<String> speeds(Plan plan) {
    Set<Integer> gpus = new TreeSet<>();
    plan.allocations().values().stream()
        .filter(this::isInterpolated)
        .forEach(allocation -> gpus.add(allocation.gpusPerTrial()));
    return gpus.stream()
        .map(count -> "seconds per unit at " + count + " GPUs (interpolated)")
        .toList();
  }

  /** Names of the numbers, e.g. {@code queue_s aws/us-east-1/p3.8xlarge/on-demand}. */
  public List<String> names(Plan plan) {
    return Stream.concat(
            offers(plan).stream()
                .flatMap(offer -> Stream.of("queue_s " + offer, "boot_s " + offer)),
            speeds(plan).stream())
        .toList();
  }

  /** What stands before a number that rests on any of {@code plans}: {@code ~} or nothing. */
  public String mark(Stream<Plan> plans) {
    return plans.anyMatch(plan -> !names(plan).isEmpty()) ? "~" : "";
  }

  /** Trials that share a GPU were measured as they are. */
  private boolean isInterpolated(Allocation allocation) {
    return allocation.trialsPerGpu() == 1
        && problem
            .offer(allocation.offer())
            .flatMap(problem::profile)
            .map(Profile::secondsByGpus)
            .filter(table -> !table.containsKey(allocation.gpusPerTrial()))
            .isPresent();
  }
}
