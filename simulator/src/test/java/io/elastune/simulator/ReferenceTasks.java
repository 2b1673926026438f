package io.elastune.simulator;

import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.random.RandomStreams;
import io.elastune.simulator.draw.DrawTable;
import java.util.ArrayList;
import java.util.List;

/** The tasks of a search, which {@link ReferencePolicyFaults} plays. */
interface ReferenceTasks {
  /** Returns the name that the policy sees as the group of all present tasks. */
  String group();

  /** Returns the tasks that are issued now. */
  List<Job> issue(double nowS, int unfinished);

  /** Records that a trial has trained its last unit. */
  void ended(Job job);

  /** Whether nothing is left to be trained. */
  boolean hasEnded();

  /**
   * The draws of a task.
   *
   * @param column the index in all tables
   * @param isResumed whether the trial continues from checkpoints
   */
  record Numbers(
      DrawTable faults,
      RandomStreams faultStreams,
      DrawTable tornCounts,
      DrawTable tornStops,
      RandomStreams tornStreams,
      int column,
      boolean isResumed) {}

  /** A trial in a group or rung. */
  final class Job {
    final int trial;
    final TrialGroup group;
    final Numbers numbers;
    final double startupS;
    final double factor;

    /** Whether the policy knows the factor as soon as the trial has reported. */
    final boolean hasPace;

    int done;
    double trainedS;
    int repeats;
    double hazard = Double.NaN;
    int faults;
    double tornHazard = Double.NaN;
    int tornStops;
    List<PolicyView.Report> reports = new ArrayList<>();

    Job(
        int trial,
        TrialGroup group,
        Numbers numbers,
        double startupS,
        double factor,
        boolean hasPace) {
      this.trial = trial;
      this.group = group;
      this.numbers = numbers;
      this.startupS = startupS;
      this.factor = factor;
      this.hasPace = hasPace;
    }

    int left() {
      return group.units() - done;
    }

    /** Returns the task as a policy sees it after further units. */
    PolicyView.Task viewed(int completed, List<PolicyView.Report> shown) {
      boolean hasReported = hasPace && done + completed > 0;
      return new PolicyView.Task(trial, left() - completed, hasReported ? factor : 1, shown);
    }
  }
}
