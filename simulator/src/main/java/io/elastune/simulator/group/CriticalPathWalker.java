package io.elastune.simulator.group;

import java.util.List;

/**
 * Walks the critical path of a sample backwards from its completion. A trial waited for the
 * previous trial on its slot, for the boot of its instance, or for the end of the previous group.
 * Every second of the completion time lies on exactly one segment. Among equal causes, the end of
 * the previous group is preferred, then the lower trial.
 */
public final class CriticalPathWalker {
  /** Receives the segments from the last to the first. */
  public interface SegmentVisitor {
    /** A trial of {@code group} was running. */
    void trained(GroupTrace group, int trial);

    /** An instance requested by the group with index {@code requester} was queued and booted. */
    void provisioned(int requester, double queueS, double bootS);
  }

  private final TracedRun run;
  private final List<GroupTrace> groups;

  public CriticalPathWalker(TracedRun run) {
    this.run = run;
    this.groups = run.inOrder();
  }

  /** Returns the completion time of the last simulated sample. */
  public double completionS() {
    return lastEnding().groupEndS();
  }

  private GroupTrace lastEnding() {
    GroupTrace last = groups.get(0);
    for (GroupTrace group : groups) {
      if (group.groupEndS() > last.groupEndS()) {
        last = group;
      }
    }
    return last;
  }

  /** Walks the path of the last simulated sample. */
  public void walk(SegmentVisitor segmentVisitor) {
    GroupTrace group = lastEnding();
    while (true) {
      int first = trained(group, segmentVisitor);
      GroupTrace waited = provisioned(group, first, segmentVisitor);
      if (waited.step.after().length == 0) {
        return;
      }
      group = before(waited);
    }
  }

  /** Walks back over the trials of a slot and returns the first of them. */
  private static int trained(GroupTrace group, SegmentVisitor segmentVisitor) {
    int trial = group.lastEnded();
    segmentVisitor.trained(group, trial);
    while (group.before[trial] != GroupTrace.NONE) {
      trial = group.before[trial];
      segmentVisitor.trained(group, trial);
    }
    return trial;
  }

  /**
   * Walks back over the boot that the first trial of a slot waited for, if any. Returns the group
   * at whose start the path continues, because the instance may have been requested for an earlier
   * group.
   */
  private GroupTrace provisioned(GroupTrace group, int first, SegmentVisitor segmentVisitor) {
    double freeS = group.startS[first];
    if (freeS <= group.groupStartS()) {
      return group;
    }
    Cluster cluster = run.cluster(group.step.chain());
    int instance = latestMember(group, group.team(first), cluster);
    int requester = run.requesters(group.step.chain())[instance];
    GroupTrace requested = run.group(requester);
    double runningS = cluster.runningS[instance];
    segmentVisitor.provisioned(requester, runningS - requested.groupStartS(), freeS - runningS);
    return requested;
  }

  private static int latestMember(GroupTrace group, int team, Cluster cluster) {
    int latest = group.teams.member(team, 0);
    for (int i = 1; i < group.teams.size(); i++) {
      int member = group.teams.member(team, i);
      if (cluster.readyS[member] > cluster.readyS[latest]) {
        latest = member;
      }
    }
    return latest;
  }

  private GroupTrace before(GroupTrace group) {
    GroupTrace latest = run.group(group.step.after()[0]);
    for (int before : group.step.after()) {
      if (run.group(before).groupEndS() > latest.groupEndS()) {
        latest = run.group(before);
      }
    }
    return latest;
  }
}
