package io.elastune.executor.world;

/** The kinds of injected faults; each occurrence is counted. */
public enum Mishap {
  REFUSED("refused"),
  PARTIAL("partial fulfilment"),
  SLOW_BOOT("slow boot"),
  BROKEN("broken"),
  UNREACHABLE("unreachable"),
  PREEMPTED("preempted"),
  ENDED_ITSELF("ended itself in time"),
  EVENT_LATE("event late"),
  EVENT_OVERTAKEN("event overtaken"),
  EVENT_DOUBLED("event doubled"),
  EVENT_LOST("event lost"),
  THROTTLED("call throttled"),
  TIMED_OUT_BEFORE("call timed out before its effect"),
  TIMED_OUT_AFTER("call timed out after its effect"),
  TRIAL_DIED("trial died"),
  TRIAL_HUNG("trial hung"),
  TRIAL_SILENT("trial fell silent"),
  TRIAL_RUBBISH("trial reported rubbish"),
  TRIAL_OVERRAN("trial ran on"),
  CHECKPOINT_TORN("checkpoint torn"),
  CHECKPOINT_LOST("checkpoint lost"),
  DISK_FULL("disk full"),
  CONTROLLER_KILLED("controller killed"),
  CLOCK_JUMPED("clock jumped");

  private final String word;

  Mishap(String word) {
    this.word = word;
  }

  /** Returns the name on screens and in JSON. */
  public String word() {
    return word;
  }
}
