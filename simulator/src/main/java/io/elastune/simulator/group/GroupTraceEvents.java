package io.elastune.simulator.group;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.TraceEvent;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.rank.GroupMembers;
import io.elastune.simulator.rank.RankModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Lists what happens in the first sample of a search whose groups end at barriers. */
public final class GroupTraceEvents {
  private static final double NANOS = 1e9;
  private static final List<TraceEvent.Kind> ORDER =
      List.of(
          TraceEvent.Kind.READY,
          TraceEvent.Kind.END,
          TraceEvent.Kind.RELEASE,
          TraceEvent.Kind.START,
          TraceEvent.Kind.CLOSING,
          TraceEvent.Kind.FINISHED);

  private final Problem problem;
  private final Plan plan;
  private final GroupMembers members;
  private final TracedRun run;
  private final List<TraceEvent> events = new ArrayList<>();

  /** When the search ends. */
  private double endS;

  public GroupTraceEvents(Problem problem, Plan plan, Draws draws, RankModel ranks) {
    this.problem = problem;
    this.plan = plan;
    this.members = GroupMembers.of(problem, ranks);
    this.run = new TracedRun(problem, plan, draws);
  }

  /** Returns the events in order; at one time, ends come before starts. */
  public List<TraceEvent> events() {
    run.simulate(0);
    List<TrialGroup> groups = problem.workload().groups();
    List<GroupTrace> traces = IntStream.range(0, groups.size()).mapToObj(run::group).toList();
    endS =
        Math.min(
            traces.stream().mapToDouble(GroupTrace::groupEndS).max().orElseThrow(),
            traces.stream().mapToDouble(GroupTrace::targetS).min().orElseThrow());
    for (int index = 0; index < groups.size(); index++) {
      tasks(groups.get(index), traces.get(index));
    }
    for (int chain = 0; chain < problem.workload().chains().size(); chain++) {
      instances(run.cluster(chain), run.requesters(chain));
    }
    events.add(TraceEvent.of(endS, TraceEvent.Kind.FINISHED));
    return sorted(events);
  }

  /** Returns events in order; at one time, ends come before starts. */
  public static List<TraceEvent> sorted(List<TraceEvent> events) {
    return events.stream()
        .sorted(
            Comparator.<TraceEvent>comparingLong(event -> Math.round(event.atS() * NANOS))
                .thenComparingInt(event -> ORDER.indexOf(event.kind())))
        .toList();
  }

  private void tasks(TrialGroup group, GroupTrace trace) {
    Allocation allocation = plan.of(group);
    List<Integer> trials = members.of(group);
    for (int i = 0; i < trials.size(); i++) {
      if (trace.startS[i] >= endS) {
        continue;
      }
      int team = trace.team(i);
      int instance =
          IntStream.range(0, trace.teams.size())
              .map(member -> trace.teams.member(team, member))
              .min()
              .orElseThrow();
      boolean isNew = group.fromUnit() > 0 && !isEarlier(group, trials.get(i));
      TraceEvent.Task task =
          new TraceEvent.Task(
              trials.get(i),
              group.name(),
              group.toUnit() - group.units(),
              group.toUnit(),
              allocation.gpusPerTrial(),
              allocation.trialsPerGpu(),
              isNew ? members.parent(trials.get(i)) : OptionalInt.empty());
      events.add(TraceEvent.of(trace.startS[i], TraceEvent.Kind.START, instance, task));
      double taskEndS = Math.min(trace.endS[i], endS);
      events.add(TraceEvent.of(taskEndS, TraceEvent.Kind.END, instance, task));
    }
  }

  /** Whether the trial was in the group before. */
  private boolean isEarlier(TrialGroup group, int trial) {
    List<TrialGroup> groups = problem.workload().groups();
    return members.of(groups.get(groups.indexOf(group) - 1)).contains(trial);
  }

  private void instances(Cluster cluster, int[] requesters) {
    for (int number = 0; number < requesters.length; number++) {
      if (run.group(requesters[number]).groupStartS() >= endS) {
        continue;
      }
      double releasedS = Math.min(cluster.releasedS[number], endS);
      if (cluster.readyS[number] <= releasedS) {
        events.add(TraceEvent.of(cluster.readyS[number], TraceEvent.Kind.READY, number));
      }
      events.add(TraceEvent.of(releasedS, TraceEvent.Kind.RELEASE, number));
    }
  }
}
