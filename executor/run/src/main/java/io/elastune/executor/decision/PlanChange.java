package io.elastune.executor.decision;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.decision.model.ObservedLosses;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Describes the change to a new plan: of the market, of the place, or of sizes only. */
final class PlanChange {
  private PlanChange() {}

  /** Returns the allocations that the new plan changes, by group. */
  static Map<String, Allocation> of(Transition transition, ReplanResponse.Move move) {
    Map<String, Allocation> changes = new TreeMap<>();
    for (int chain = 0; chain < transition.chainCount(); chain++) {
      List<TrialGroup> groups = transition.chainDefinition(chain).groups();
      for (int i = transition.chain(chain).group(); i < groups.size(); i++) {
        TrialGroup group = groups.get(i);
        Allocation now = transition.allocation(group);
        Allocation then = move.allocations().getOrDefault(group.name(), now);
        if (!then.equals(now)) {
          changes.put(group.name(), then);
        }
      }
    }
    return changes;
  }

  /** Returns the details of the groups whose allocation changes. */
  static List<String> describe(Transition transition, Map<String, Allocation> changes) {
    List<String> details = new ArrayList<>();
    changes.forEach(
        (name, then) -> {
          details.add(name);
          add(details, then);
          add(details, transition.allocation(group(transition, name)));
        });
    return details;
  }

  private static TrialGroup group(Transition transition, String name) {
    return transition.definition.workload().groups().stream()
        .filter(group -> group.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static void add(List<String> details, Allocation allocation) {
    details.add(Integer.toString(allocation.instances()));
    details.add(allocation.offer());
    details.add(Integer.toString(allocation.gpusPerTrial()));
    details.add(Integer.toString(allocation.trialsPerGpu()));
  }

  /**
   * Returns the reason of a change to a better plan.
   *
   * @param changes by group: the new allocations
   */
  static ReasonCode reason(Transition transition, Map<String, Allocation> changes) {
    SortedMap<String, ObservedLosses> losses = LeaseLosses.byOffer(transition.snapshot());
    boolean toSpot = false;
    boolean toPlace = false;
    for (TrialGroup group : transition.definition.workload().groups()) {
      Allocation then = changes.get(group.name());
      if (then == null) {
        continue;
      }
      Offer before = transition.definition.offer(transition.allocation(group).offer());
      Offer after = transition.definition.offer(then.offer());
      if (before.market() == Market.SPOT && after.market() != Market.SPOT) {
        return ReasonCode.SPOT_LEFT;
      }
      toSpot |= after.market() == Market.SPOT && before.market() != Market.SPOT;
      toPlace |=
          !before.infra().equals(after.infra())
              && losses.containsKey(before.name())
              && losses.get(before.name()).count() > 0;
    }
    return toSpot
        ? ReasonCode.SPOT_USED
        : toPlace ? ReasonCode.PLACE_CHANGED : ReasonCode.BETTER_PLAN;
  }

  /** Returns the losses on some offers, as numbers of a decision; empty if there are none. */
  static Map<String, Double> losses(Transition transition, Set<String> offers) {
    int lost = 0;
    double hours = 0;
    for (var entry : LeaseLosses.byOffer(transition.snapshot()).entrySet()) {
      if (offers.contains(entry.getKey())) {
        lost += entry.getValue().count();
        hours += entry.getValue().instanceHours();
      }
    }
    Map<String, Double> numbers = new TreeMap<>();
    if (lost > 0) {
      numbers.put("lost_instances", (double) lost);
      numbers.put("instance_hours", hours);
    }
    return numbers;
  }
}
