package io.elastune.simulator.group;

import io.elastune.simulator.instance.CompiledGroup;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/**
 * The states of samples after the first groups of plans. Another plan that allocates these groups
 * in the same way continues from there. The states of the plans that were sampled last are kept, as
 * memory permits. Samples do not depend on it. Thread-safe.
 */
public final class KnownStates {
  private static final long MOST_BYTES = 8L << 20;

  /** What is free when the sampling of a plan begins. */
  private static final long FREE_BYTES = MOST_BYTES / 4;

  private static final int BYTES_PER_SAMPLE = 8;

  /** Trials of a group from which on it takes longer to simulate than to keep a state. */
  private static final int FEWEST_TRIALS = 256;

  /** The same by instance that the next group keeps. */
  private static final int TRIALS_PER_INSTANCE = 4;

  private final int samples;
  private final int fewestTrials;
  private final int trialsPerInstance;
  private final Map<Object, AfterSteps> byFirstSteps = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /** Creates an empty store of the states of at most {@code samples} samples. */
  public KnownStates(int samples) {
    this(samples, FEWEST_TRIALS, TRIALS_PER_INSTANCE);
  }

  /**
   * Creates an empty store.
   *
   * @param samples most samples
   * @param fewestTrials fewest trials of a group after which states are kept
   * @param trialsPerInstance the same by instance that the next group keeps
   */
  public KnownStates(int samples, int fewestTrials, int trialsPerInstance) {
    this.samples = samples;
    this.fewestTrials = fewestTrials;
    this.trialsPerInstance = trialsPerInstance;
  }

  /** Returns a store that keeps nothing: for a single plan. */
  public static KnownStates none() {
    return new KnownStates(1, Integer.MAX_VALUE, 1);
  }

  /** Returns whether states after a group are kept. */
  boolean keepsAfter(CompiledGroup group) {
    return group.trials() >= Math.max(fewestTrials, trialsPerInstance * group.kept());
  }

  /**
   * Returns the states after some groups.
   *
   * @param firstSteps what plans decide about these groups
   */
  synchronized AfterSteps after(Object firstSteps) {
    AfterSteps found = byFirstSteps.get(firstSteps);
    if (found == null) {
      found = new AfterSteps();
      byFirstSteps.put(firstSteps, found);
    }
    Iterator<AfterSteps> eldest = byFirstSteps.values().iterator();
    while (bytes > MOST_BYTES - FREE_BYTES && eldest.hasNext()) {
      AfterSteps forgotten = eldest.next();
      if (forgotten != found) {
        bytes -= forgotten.bytes;
        forgotten.isForgotten = true;
        eldest.remove();
      }
    }
    return found;
  }

  /** The states after the same groups, by sample. */
  final class AfterSteps {
    private final AtomicReferenceArray<SampleState> states = new AtomicReferenceArray<>(samples);
    private long bytes;
    private boolean isForgotten;

    private AfterSteps() {
      add(this, (long) samples * BYTES_PER_SAMPLE);
    }

    /** Returns the state of a sample, if it is known. */
    Optional<SampleState> of(int sample) {
      return Optional.ofNullable(states.get(sample));
    }

    /** Keeps the state of a sample, if there is memory. */
    void put(int sample, Supplier<SampleState> present) {
      if (hasRoom(this)) {
        SampleState state = present.get();
        states.set(sample, state);
        add(this, state.bytes());
      }
    }
  }

  private synchronized boolean hasRoom(AfterSteps states) {
    return !states.isForgotten && bytes < MOST_BYTES;
  }

  private synchronized void add(AfterSteps states, long more) {
    if (!states.isForgotten) {
      bytes += more;
      states.bytes += more;
    }
  }
}
