package io.elastune.planner.model;

/**
 * One way to place a trial on instances of one offer.
 *
 * @param index its index in the choice set
 * @param perTeam trials that a team runs at once
 * @param team instances that form a team; 1 unless a trial is larger than an instance
 */
public record TrialShape(
    int index, OfferChoice offerChoice, int gpusPerTrial, int trialsPerGpu, int perTeam, int team) {
  /**
   * Whether the program of a trial can wait for its next group (docs/model.md, "Programs that
   * wait").
   */
  boolean mayWait() {
    return team == 1;
  }

  /** Returns the instances on which {@code trials} all run at once. */
  public int instancesFor(int trials) {
    return (trials + perTeam - 1) / perTeam * team;
  }

  /** The part of an instance that one running trial uses; above 1 for a team. */
  public double share() {
    return (double) team / perTeam;
  }
}
