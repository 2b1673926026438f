package io.elastune.simulator.timeline;

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
import io.elastune.simulator.instance.CompiledGroup;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.instance.LeasePlan;
import io.elastune.simulator.rank.GroupMembers;
import io.elastune.simulator.rank.RankModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * A chain of trial groups on instances of its own, as a timeline plays it.
 *
 * @param groups its groups in order
 * @param sizes their allocations
 * @param continuing which trials continue; empty if it does not matter where they ran
 */
record CompiledChain(
    List<CompiledGroup> groups,
    List<GroupsPolicy.Group> sizes,
    LeasePlan leases,
    boolean hold,
    Optional<ContinuingDraws.Tables> continuing) {
  CompiledChain {
    groups = List.copyOf(groups);
    sizes = List.copyOf(sizes);
  }

  /** Returns the chains of a plan in which it does not matter where trials ran. */
  static List<CompiledChain> of(CompiledPlan plan) {
    List<CompiledChain> chains = new ArrayList<>();
    for (int chain = 0; chain < plan.leases().size(); chain++) {
      List<CompiledGroup> groups = groups(plan, chain);
      List<GroupsPolicy.Group> sizes = new ArrayList<>();
      int held = 0;
      for (CompiledGroup group : groups) {
        sizes.add(
            new GroupsPolicy.Group(
                held + group.requested(),
                1,
                group.teamSize(),
                group.perTeam(),
                1,
                1,
                group.spare(),
                group.kept(),
                false));
        held = group.kept();
      }
      chains.add(
          new CompiledChain(
              groups, sizes, plan.leases().get(chain), plan.hold(), Optional.empty()));
    }
    return chains;
  }

  private static List<CompiledGroup> groups(CompiledPlan plan, int chain) {
    return Stream.of(plan.steps()).filter(group -> group.chain() == chain).toList();
  }

  /** Whether the program of any trial may wait for its next group. */
  static boolean mayWait(Problem problem) {
    return problem.keepAlive()
        && problem.workload().groups().stream().anyMatch(group -> group.fromUnit() > 0);
  }

  /** Returns the chains of a plan in which trials continue where they ran. */
  static List<CompiledChain> withPlaces(
      Problem problem, Plan plan, CompiledPlan compiled, Draws draws, RankModel ranks) {
    List<CompiledChain> chains = new ArrayList<>();
    for (int index = 0; index < problem.workload().chains().size(); index++) {
      Chain chain = problem.workload().chains().get(index);
      List<CompiledGroup> groups = groups(compiled, index);
      List<GroupsPolicy.Group> sizes = new ArrayList<>();
      for (int i = 0; i < groups.size(); i++) {
        Allocation allocation = plan.of(chain.groups().get(i));
        Offer offer = problem.offer(allocation.offer()).orElseThrow();
        sizes.add(GroupsPolicy.Group.of(offer, allocation, groups.get(i).kept()));
      }
      chains.add(
          new CompiledChain(
              groups,
              sizes,
              compiled.leases().get(index),
              plan.hold(),
              Optional.of(ContinuingDraws.Tables.of(problem, List.of(chain), draws, ranks))));
    }
    return chains;
  }

  /** Describes the tasks of a chain. A trial has the number with which it began. */
  static TaskDescription description(Chain chain, GroupMembers members) {
    return (task, from, to) -> {
      TrialGroup group = chain.groups().get(task.group());
      int before = group.toUnit() - group.units();
      int number = number(chain, task, members);
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

  private static int number(Chain chain, Task task, GroupMembers members) {
    return task.earlier()
        .map(earlier -> number(chain, earlier, members))
        .orElseGet(() -> members.of(chain.groups().get(task.group())).get(task.trial()));
  }
}
