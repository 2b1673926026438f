package io.elastune.executor.decision.model;

/**
 * The configuration of a trial that the sampler was asked for.
 *
 * @param request the number of the request, from 1; 0 if the sampler has not been asked yet
 * @param config the proposed configuration as JSON, with the types of the search space; empty if
 *     there is none
 */
public record TrialProposal(int request, Status status, String config) {
  /** What the sampler has answered. */
  public enum Status {
    /** Nothing yet: the trial waits. */
    REQUESTED,
    /** The configuration. */
    PROPOSED,
    /** No usable configuration: the trial has a random one. */
    FAILED
  }

  /** Returns a request that is still to be made: the trial waits. */
  public static TrialProposal due() {
    return requested(0);
  }

  /** Whether the sampler has not been asked yet. */
  public boolean isDue() {
    return request == 0 && isOpen();
  }

  /** Returns a request without an answer. */
  public static TrialProposal requested(int request) {
    return new TrialProposal(request, Status.REQUESTED, "");
  }

  /** Whether the sampler has not answered yet. */
  public boolean isOpen() {
    return status == Status.REQUESTED;
  }

  /** Whether the trial uses the configuration. */
  public boolean isUsed() {
    return status == Status.PROPOSED;
  }

  /** Returns the proposal with its answer. */
  public TrialProposal as(Status other, String proposed) {
    return new TrialProposal(request, other, proposed);
  }
}
