package io.elastune.core.policy;

/** The default policy: waiting trials start in order with the size of their allocation. */
public record ListOptions() implements PolicyOptions {
  /** The only value. */
  public static final ListOptions DEFAULT = new ListOptions();

  @Override
  public PolicyType type() {
    return PolicyType.LIST;
  }

  @Override
  public boolean choosesSizes() {
    return false;
  }

  @Override
  public boolean preempts() {
    return false;
  }
}
