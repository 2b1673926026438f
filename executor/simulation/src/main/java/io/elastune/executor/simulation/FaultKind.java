package io.elastune.executor.simulation;

/** The kinds of injected faults; each occurrence is counted. */
public enum FaultKind {
  REFUSED("refused", "request refused"),
  PARTIAL("partial fulfilment", "partial fulfillment"),
  SLOW_BOOT("slow boot"),
  BAD_NODE("node not ready"),
  INSTANCE_FAILED("broken", "instance failed"),
  UNREACHABLE("unreachable", "instance unreachable"),
  PREEMPTED("preempted", "instance preempted"),
  SELF_SHUTDOWN("ended itself in time", "shut itself down in time"),
  EVENT_LATE("event late"),
  EVENT_OVERTAKEN("event overtaken", "event out of order"),
  EVENT_DUPLICATED("event doubled", "event duplicated"),
  EVENT_LOST("event lost"),
  THROTTLED("call throttled"),
  TIMED_OUT_BEFORE("call timed out before its effect"),
  TIMED_OUT_AFTER("call timed out after its effect"),
  TRIAL_CRASHED("trial died", "trial crashed"),
  TRIAL_HUNG("trial hung"),
  TRIAL_SILENT("trial fell silent", "trial stopped reporting"),
  INVALID_REPORTS("trial reported rubbish", "invalid report"),
  TRIAL_OVERRAN("trial ran on", "trial overran"),
  CHECKPOINT_TORN("checkpoint torn"),
  CHECKPOINT_LOST("checkpoint lost"),
  DISK_FULL("disk full"),
  CONTROLLER_KILLED("controller killed"),
  CLOCK_JUMPED("clock jumped");

  private final String word;
  private final String label;

  FaultKind(String word) {
    this(word, word);
  }

  FaultKind(String word, String label) {
    this.word = word;
    this.label = label;
  }

  /** Returns the name in JSON, which does not change. */
  public String word() {
    return word;
  }

  /** Returns the name on screens. */
  public String label() {
    return label;
  }
}
