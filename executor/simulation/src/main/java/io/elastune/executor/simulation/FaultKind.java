package io.elastune.executor.simulation;

/** The kinds of injected faults; each occurrence is counted. */
public enum FaultKind {
  REFUSED("refused"),
  PARTIAL("partial fulfilment"),
  SLOW_BOOT("slow boot"),
  INSTANCE_FAILED("broken"),
  UNREACHABLE("unreachable"),
  PREEMPTED("preempted"),
  SELF_SHUTDOWN("ended itself in time"),
  EVENT_LATE("event late"),
  EVENT_OVERTAKEN("event overtaken"),
  EVENT_DUPLICATED("event doubled"),
  EVENT_LOST("event lost"),
  THROTTLED("call throttled"),
  TIMED_OUT_BEFORE("call timed out before its effect"),
  TIMED_OUT_AFTER("call timed out after its effect"),
  TRIAL_CRASHED("trial died"),
  TRIAL_HUNG("trial hung"),
  TRIAL_SILENT("trial fell silent"),
  INVALID_REPORTS("trial reported rubbish"),
  TRIAL_OVERRAN("trial ran on"),
  CHECKPOINT_TORN("checkpoint torn"),
  CHECKPOINT_LOST("checkpoint lost"),
  DISK_FULL("disk full"),
  CONTROLLER_KILLED("controller killed"),
  CLOCK_JUMPED("clock jumped");

  private final String word;

  FaultKind(String word) {
    this.word = word;
  }

  /** Returns the name on screens and in JSON. */
  public String word() {
    return word;
  }
}
