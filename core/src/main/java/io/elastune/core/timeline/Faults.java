package io.elastune.core.timeline;

import io.elastune.core.plan.SilenceLimit;
import java.util.List;

/**
 * The faults that occur while tasks run: each instance and each trial of a group has a clock
 * (docs/model.md, "Faults").
 */
public interface Faults {
  /** No faults. */
  Faults NONE =
      new Faults() {
        @Override
        public double lostS(Instance requested, double nowS) {
          return Double.POSITIVE_INFINITY;
        }

        @Override
        public Loss lostWith(Instance struck, ManagedCluster cluster) {
          return Loss.NONE;
        }

        @Override
        public double strikesAfterS(Task task, double passS) {
          return Double.POSITIVE_INFINITY;
        }

        @Override
        public Strike strike(Task task) {
          return Strike.NONE;
        }
      };

  /** What a fault does to an attempt. */
  enum Strike {
    /** Nothing. */
    NONE,
    /** Its program crashes. */
    CRASH,
    /** It hangs until it is stopped. */
    HANG
  }

  /**
   * Instances that are lost at once.
   *
   * @param isNoticed whether attempts on them have the time to save a checkpoint
   */
  record Loss(List<Instance> lost, boolean isNoticed) {
    /** No instance. */
    public static final Loss NONE = new Loss(List.of(), false);

    /** The loss of some instances. */
    public Loss {
      lost = List.copyOf(lost);
    }
  }

  /** Begins the clock of an instance that is requested now, and returns when it is lost. */
  double lostS(Instance requested, double nowS);

  /**
   * Returns the instances that are lost with one whose clock strikes. If it stays, its clock starts
   * again, by {@link Instance#lostAt}.
   */
  Loss lostWith(Instance struck, ManagedCluster cluster);

  /**
   * Returns at how many seconds of attempts the clock of a trial strikes since it began.
   *
   * @param passS seconds up to the end of its present attempt: if it strikes later, any higher
   *     number
   */
  double strikesAfterS(Task task, double passS);

  /**
   * Returns after how many seconds without a report an attempt is taken to hang.
   *
   * @param neededS seconds that it still needs
   */
  default double silenceS(Task task, double neededS) {
    return SilenceLimit.PREDICTED.afterS(neededS, 0);
  }

  /** Starts the clock of a trial again that has struck, and returns what it does. */
  Strike strike(Task task);
}
