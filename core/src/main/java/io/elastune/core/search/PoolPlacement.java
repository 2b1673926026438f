package io.elastune.core.search;

import java.util.ArrayList;
import java.util.List;

/**
 * Places the waiting tasks of chains that share instances (docs/searches.md, "Shared instances").
 * The first chain whose next task does not fit reserves the held instance with the most free GPUs,
 * so that wide tasks never starve.
 */
public final class PoolPlacement {
  /** The most GPUs of an instance. */
  public static final int MOST_GPUS = Long.SIZE;

  private static final int NONE = -1;

  private final int gpusPerInstance;
  private final long allGpus;
  private final long[] taken;
  private final boolean[] held;
  private final boolean[] ready;

  /** The instance on which no later chain starts a task, or {@link #NONE}. */
  private int reserved = NONE;

  /** Whether an instance is to be reserved, which matters only if another chain is placed. */
  private boolean reserves;

  /**
   * The waiting tasks of one chain.
   *
   * @param chain its index
   * @param tasks how many wait
   * @param gpus GPUs of each, at most those of an instance
   */
  public record Request(int chain, int tasks, int gpus) {}

  /** A task that starts on adjacent GPUs of an instance. */
  public record Start(int chain, int instance, int firstGpu, int gpus) {}

  /**
   * Creates the placement on instances by index.
   *
   * @param taken by instance: a bit for each GPU in use; updated by {@link #place}
   * @param held by instance: whether it is held
   * @param ready by instance: whether tasks can start on it
   */
  public PoolPlacement(int gpusPerInstance, long[] taken, boolean[] held, boolean[] ready) {
    this.gpusPerInstance = gpusPerInstance;
    this.allGpus = mask(0, gpusPerInstance);
    this.taken = taken;
    this.held = held;
    this.ready = ready;
  }

  /** Receives the tasks that start, in order. */
  public interface Starts {
    void start(int chain, int instance, int firstGpu, int gpus);
  }

  /**
   * Returns the tasks that start now, in order, for chains in the order in which they are served:
   * the one with the longest remaining path first.
   */
  public List<Start> place(List<Request> requests) {
    List<Start> starts = new ArrayList<>();
    begin();
    for (Request request : requests) {
      place(
          request.chain(),
          request.tasks(),
          request.gpus(),
          (chain, instance, firstGpu, gpus) ->
              starts.add(new Start(chain, instance, firstGpu, gpus)));
    }
    return starts;
  }

  /** Begins the placement of the waiting tasks of all chains at another time. */
  public void begin() {
    reserved = NONE;
    reserves = false;
  }

  /**
   * Places the waiting tasks of one chain. Chains are placed in the order in which they are served.
   *
   * @param tasks how many wait
   * @param gpus GPUs of each, at most those of an instance
   */
  public void place(int chain, int tasks, int gpus, Starts starts) {
    if (reserves && reserved < 0) {
      reserved = mostFree();
    }
    for (int left = tasks; left > 0; left--) {
      int instance = instanceFor(gpus);
      if (instance < 0) {
        reserves = true;
        return;
      }
      int firstGpu = firstFree(instance, gpus);
      taken[instance] |= mask(firstGpu, gpus);
      starts.start(chain, instance, firstGpu, gpus);
    }
  }

  /** Returns the bits of adjacent GPUs. */
  public static long mask(int firstGpu, int gpus) {
    return (gpus >= Long.SIZE ? -1L : (1L << gpus) - 1) << firstGpu;
  }

  private int instanceFor(int gpus) {
    for (int i = 0; i < taken.length; i++) {
      if (taken[i] != allGpus && held[i] && ready[i] && i != reserved && firstFree(i, gpus) >= 0) {
        return i;
      }
    }
    return -1;
  }

  private int firstFree(int instance, int gpus) {
    return firstFree(taken[instance], gpus, gpusPerInstance);
  }

  /**
   * Returns the first of as many adjacent free GPUs, a multiple of their number; -1 if there are
   * none.
   *
   * @param taken the bits of the GPUs in use
   */
  public static int firstFree(long taken, int gpus, int gpusPerInstance) {
    if (gpus == 1) {
      int first = Long.numberOfTrailingZeros(~taken);
      return first < gpusPerInstance ? first : -1;
    }
    for (int first = 0; first + gpus <= gpusPerInstance; first += gpus) {
      if ((taken & mask(first, gpus)) == 0) {
        return first;
      }
    }
    return -1;
  }

  private int mostFree() {
    int best = -1;
    for (int i = 0; i < taken.length; i++) {
      boolean isBetter = best < 0 || Long.bitCount(taken[i]) < Long.bitCount(taken[best]);
      if (held[i] && isBetter) {
        best = i;
      }
    }
    return best;
  }
}
