package io.elastune.core.timeline;

import io.elastune.core.policy.HyperSchedPolicy;

/** How many tasks a search issues to a policy that divides a fixed cluster among them. */
@FunctionalInterface
public interface Admission {
  /** All that the search issues at all. */
  Admission ALL = (issued, started, unfinished) -> true;

  /** No other tasks than those that were issued before. */
  Admission NONE = (issued, started, unfinished) -> false;

  /**
   * Whether another task may be issued.
   *
   * @param issued tasks that were issued
   * @param started those that have started
   * @param unfinished those that have not ended
   */
  boolean admits(int issued, int started, int unfinished);

  /** Returns the rule of a search that has at most so many unfinished tasks. */
  static Admission unfinished(int most) {
    return (issued, started, unfinished) -> unfinished < most;
  }

  /**
   * Returns the rule of a search all of whose trials could start, with {@link
   * HyperSchedPolicy#lastStartable}.
   *
   * @param trials all trials
   * @param gpus the GPUs of the cluster
   */
  static Admission startable(int trials, int gpus) {
    return (issued, started, unfinished) ->
        issued < HyperSchedPolicy.lastStartable(trials, started, gpus);
  }

  /** Returns the same rule after a number of tasks were issued and have started before. */
  default Admission after(int issuedBefore, int startedBefore) {
    return (issued, started, unfinished) ->
        admits(issuedBefore + issued, startedBefore + started, unfinished);
  }
}
