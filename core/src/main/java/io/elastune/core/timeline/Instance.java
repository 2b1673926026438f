package io.elastune.core.timeline;

import org.jspecify.annotations.Nullable;

/**
 * An instance of a {@link Timeline}. Times are in seconds from the start of the timeline. After a
 * failed boot, another one has the same number.
 */
public final class Instance {
  /** A time that is never reached. */
  static final double NEVER = Double.POSITIVE_INFINITY;

  final int number;
  int requester;
  int gpus;
  double runningS;
  double bootedS;
  boolean bootFails;
  double slowness;
  double lostS;
  boolean isHeld;
  boolean isReady;
  double releasedS;

  /** The nanosecond of its next event, as it was added to the events. */
  long nextNs;

  // Its tasks, in the order in which their attempts started.
  @Nullable Task first;
  @Nullable Task last;
  int running;
  double usedGpus;

  /** The task of which it is a further instance. */
  @Nullable Task member;

  /** Until when its work has been accounted for. */
  double changedS;

  double usedS;
  double usedNowS;
  double busyS;

  Instance(int number) {
    this.number = number;
  }

  /** Lets it stand for an instance that is requested now. */
  void reset(int phase, int ofGpus, double nowS) {
    requester = phase;
    gpus = ofGpus;
    slowness = 1;
    isHeld = true;
    isReady = false;
    releasedS = NEVER;
    first = null;
    last = null;
    running = 0;
    usedGpus = 0;
    member = null;
    changedS = nowS;
    usedS = 0;
    usedNowS = 0;
    busyS = 0;
  }

  /** Returns the time of its next event, unless it is released before. */
  double nextS() {
    return isReady ? lostS : Math.min(lostS, bootedS);
  }

  /** Whether this event is its loss. */
  boolean isLostNext() {
    return isReady || lostS < bootedS;
  }

  /** Returns its number, from 0, in the order of requests. */
  public int number() {
    return number;
  }

  /** Returns the phase in which it was requested. */
  public int requester() {
    return requester;
  }

  /**
   * Sets the times of its boot.
   *
   * @param fromS when it runs, from which it is billed
   * @param toS when it is ready, or its boot fails
   */
  public void boots(double fromS, double toS, boolean fails) {
    runningS = fromS;
    bootedS = toS;
    bootFails = fails;
  }

  /** Sets the factor by which training on it is slower than on an average one. */
  public void isSlowerBy(double factor) {
    slowness = factor;
  }

  /** Sets when it is lost; infinite if it is not. */
  public void lostAt(double atS) {
    lostS = atS;
  }

  /** Returns when it runs, or would run. */
  public double runningS() {
    return runningS;
  }

  /** Returns when its boot ends: it is ready then, unless it fails. */
  public double bootedS() {
    return bootedS;
  }

  /** Whether its boot fails. */
  public boolean bootFails() {
    return bootFails;
  }

  /** Returns the factor by which training on it is slower than on an average one. */
  public double slowness() {
    return slowness;
  }

  /** Whether it is held: requested, and neither released nor lost. */
  public boolean isHeld() {
    return isHeld;
  }

  /** Whether tasks can start on it. */
  public boolean isReady() {
    return isReady;
  }

  /** Returns when it was released or lost. */
  public double releasedS() {
    return releasedS;
  }

  /** Returns the seconds in which a task ran on it. */
  public double usedS() {
    return usedS;
  }

  /** Returns the same since the present phase began. */
  public double usedNowS() {
    return usedNowS;
  }

  /** Returns the seconds in which a task ran on it, weighted by the fraction of GPUs in use. */
  public double busyS() {
    return busyS;
  }
}
