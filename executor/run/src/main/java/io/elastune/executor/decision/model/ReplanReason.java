package io.elastune.executor.decision.model;

/**
 * The reason for a request to the planner.
 *
 * @param offer the offer that has changed; empty if the cause is not an offer
 */
public record ReplanReason(Cause cause, String offer) {
  /** What has changed since the last request. */
  public enum Cause {
    PACE("pace"),
    DEADLINE("deadline"),
    BUDGET("budget"),
    BUDGET_INCREASED("budget_increased"),
    GROUP_STARTED("group_started"),
    INSTANCE_LOST("instance_lost"),
    OFFER_UNAVAILABLE("offer_unavailable"),
    PRICE_CHANGED("price_changed"),
    /** The time to the deadline that the forecast leaves has become much shorter. */
    SLACK("slack"),
    /** The tasks on one instance fit on the others, and its cost is more than that of the move. */
    MOVABLE("movable"),
    /** The controller ended before the planner responded. */
    RESUMED("resumed");

    private final String wireName;

    Cause(String wireName) {
      this.wireName = wireName;
    }

    /** The name of the cause in the journal, which does not depend on the name in the code. */
    public String wireName() {
      return wireName;
    }
  }

  public static ReplanReason of(Cause cause) {
    return new ReplanReason(cause, "");
  }
}
