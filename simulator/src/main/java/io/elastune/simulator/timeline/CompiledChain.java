package io.elastune.simulator.timeline;

import io.elastune.core.allocation.SlotCounts;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.TraceEvent;
import io.elastune.core.timeline.GroupsPolicy;
import io.elastune.core.timeline.Task;
import io.elastune.simulator.group.CompiledPlan;
import io.elastune.simulator.group.ExecutionDag;
import io.elastune.simulator.instance.CompiledGroup;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.instance.LeasePlan;
import io.elastune.simulator.rank.GroupMembers;
import io.elastune.simulator.rank.RankModel;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * A chain of trial groups on instances of its own, as a timeline plays it.
 *
 * @param groups its groups in order
 * @param sizes their allocations
 * @param fills whether trials fill one instance after the other, because only use is billed
 * @param continuing which trials continue
 */
record CompiledChain(
    Chain chain,
    List<CompiledGroup> groups,
    List<GroupsPolicy.Group> sizes,
    LeasePlan leases,
    boolean hold,
    boolean fills,
    ContinuingDraws.Tables continuing) {
  CompiledChain {
    groups = List.copyOf(groups);
    sizes = List.copyOf(sizes);
  }

  /** Compiles the chains of a legal plan. */
  static List<CompiledChain> of(Problem problem, Plan plan, Draws draws, RankModel ranks) {
    CompiledPlan compiled =
        new CompiledPlan(problem, plan, new ExecutionDag(problem.workload()), draws);
    List<CompiledChain> chains = new ArrayList<>();
    for (int index = 0; index < problem.workload().chains().size(); index++) {
      int of = index;
      Chain chain = problem.workload().chains().get(index);
      List<CompiledGroup> groups =
          Stream.of(compiled.steps()).filter(group -> group.chain() == of).toList();
      List<GroupsPolicy.Group> sizes = new ArrayList<>();
      boolean fills = false;
      for (int i = 0; i < groups.size(); i++) {
        Allocation allocation = plan.of(chain.groups().get(i));
        Offer offer = problem.offer(allocation.offer()).orElseThrow();
        fills |= offer.billing().per() == BillingTerms.Per.USE;
        sizes.add(
            new GroupsPolicy.Group(
                allocation.instances(),
                offer.gpus(),
                SlotCounts.teamSize(offer, allocation),
                SlotCounts.trialsPerTeam(offer, allocation),
                allocation.gpusPerTrial(),
                allocation.trialsPerGpu(),
                allocation.spare(),
                groups.get(i).kept()));
      }
      chains.add(
          new CompiledChain(
              chain,
              groups,
              sizes,
              compiled.leases().get(index),
              plan.hold(),
              fills,
              ContinuingDraws.Tables.of(problem, List.of(chain), draws, ranks)));
    }
    return chains;
  }

  /** Describes its tasks. A trial has the number with which it began. */
  TaskDescription description(GroupMembers members) {
    return (task, from, to) -> {
      TrialGroup group = chain.groups().get(task.group());
      int before = group.toUnit() - group.units();
      int number = number(task, members);
      boolean isNew = task.group() > 0 && task.earlier().isEmpty();
      return new TraceEvent.Task(
          number,
          group.name(),
          before + from,
          before + to,
          task.gpus(),
          task.trialsPerGpu(),
          isNew ? members.parent(number) : OptionalInt.empty());
    };
  }

  private int number(Task task, GroupMembers members) {
    return task.earlier()
        .map(earlier -> number(earlier, members))
        .orElseGet(() -> members.of(chain.groups().get(task.group())).get(task.trial()));
  }
}
