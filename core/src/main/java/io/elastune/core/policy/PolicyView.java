package io.elastune.core.policy;

import java.util.List;

/**
 * What a scheduling policy knows of a run.
 *
 * @param group names the trial group in progress
 * @param instances all instances of the cluster in ascending order of their numbers
 * @param waiting tasks that were issued and do not run, in the order of the queue
 * @param running tasks that use GPUs, in the order of their start
 * @param timing the time that is left, and what trials need
 */
public record PolicyView(
    String group,
    List<Instance> instances,
    List<Task> waiting,
    List<Running> running,
    Timing timing) {
  /** Creates the view of a run without a deadline. */
  public PolicyView(
      String group, List<Instance> instances, List<Task> waiting, List<Running> running) {
    this(group, instances, waiting, running, Timing.NONE);
  }

  public PolicyView {
    instances = List.copyOf(instances);
    waiting = List.copyOf(waiting);
    running = List.copyOf(running);
  }

  /**
   * The time that is left, and what trials need.
   *
   * @param leftS seconds to the deadline; infinite without one
   * @param startupS the 90th percentile of the seconds until a first unit starts
   * @param unitS the median of the seconds per unit on the smallest number of GPUs
   */
  public record Timing(double leftS, double startupS, double unitS) {
    /** The timing of a run without a deadline. */
    public static final Timing NONE = new Timing(Double.POSITIVE_INFINITY, 0, 0);
  }

  /**
   * An instance.
   *
   * @param gpus GPUs on it
   * @param isReady whether tasks can start on it now
   */
  public record Instance(int number, int gpus, boolean isReady) {}

  /**
   * The training of one trial in one trial group.
   *
   * @param unitsLeft units that are still to be trained
   * @param pace its seconds per unit relative to those of a trial of average speed
   * @param reports its reports in ascending order of units; none for a policy that does not use
   *     metrics
   */
  public record Task(int trial, double unitsLeft, double pace, List<Report> reports) {
    public Task {
      reports = List.copyOf(reports);
    }

    /** Creates a task without reports. */
    public Task(int trial, double unitsLeft, double pace) {
      this(trial, unitsLeft, pace, List.of());
    }
  }

  /**
   * A report of a trial.
   *
   * @param loss the metric, negated if it is maximized; NaN for none
   * @param trainedS seconds for which the trial had been trained by then, without waiting times and
   *     start-ups
   */
  public record Report(int unit, double loss, double trainedS) {}

  /**
   * A task that uses GPUs.
   *
   * @param instance the number of the instance
   * @param gpus the GPUs that it uses there
   * @param isAtUnitEnd whether it has completed a unit just now
   * @param isEnding whether it was asked to end
   */
  public record Running(
      Task task,
      Width width,
      int instance,
      List<Integer> gpus,
      boolean isAtUnitEnd,
      boolean isEnding) {
    public Running {
      gpus = List.copyOf(gpus);
    }
  }

  /** Returns the number of tasks that have not ended. */
  int tasks() {
    return waiting.size() + running.size();
  }

  /** Returns the GPUs of all instances, those that are not ready included. */
  int gpus() {
    return instances.stream().mapToInt(Instance::gpus).sum();
  }
}
