package io.elastune.core.properties;

/**
 * The tier of tests that runs: the everyday tiers (commit and merge), or the nightly tier, which
 * {@code -Delastune.tier=nightly} selects. Tests that count over many random inputs run a sample of
 * them every day and all of them at night. CONTRIBUTING.md states what each tier guarantees.
 *
 * <p>Tests that make sense only with their full count, and those that repeat a test with another
 * cloud, interpreter or example, have JUnit's tag {@value #NIGHTLY} instead: the everyday tiers
 * leave them out.
 */
public final class Tier {
  /** The value of the system property {@code elastune.tier}, and JUnit's tag. */
  public static final String NIGHTLY = "nightly";

  private static final String SELECTED = System.getProperty("elastune.tier", "");

  private Tier() {}

  /** Returns whether the nightly tier runs. */
  public static boolean isNightly() {
    return SELECTED.equals(NIGHTLY);
  }

  /** Returns {@code nightly} in the nightly tier, and {@code everyday} otherwise. */
  public static int runs(int everyday, int nightly) {
    return isNightly() ? nightly : everyday;
  }

  /**
   * Returns the value of the system property {@code name}, which overrides the count of the tier.
   *
   * @param everyday the count of the everyday tiers
   * @param nightly the count of the nightly tier
   */
  public static int runs(String name, int everyday, int nightly) {
    return Integer.getInteger(name, runs(everyday, nightly));
  }
}
