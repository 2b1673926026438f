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

  private final int gpusPerInstance;
  private final long[] taken;
  private final boolean[] held;
  private final boolean[] ready;

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
    this.taken = taken;
    this.held = held;
    this.ready = ready;
  }

  /**
   * Returns the tasks that start now, in order, for chains in the order in which they are served:
   * the one with the longest remaining path first.
   */
  public List<Start> place(List<Request> requests) {
    List<Start> starts = new ArrayList<>();
    int reserved = -1;
    for (Request request : requests) {
      int left = request.tasks();
      while (left > 0) {
        int instance = instanceFor(request.gpus(), reserved);
        if (instance < 0) {
          break;
        }
        int firstGpu = firstFree(instance, request.gpus());
        taken[instance] |= mask(firstGpu, request.gpus());
        starts.add(new Start(request.chain(), instance, firstGpu, request.gpus()));
        left--;
      }
      if (left > 0 && reserved < 0) {
        reserved = mostFree();
      }
    }
    return starts;
  }

  /** Returns the bits of adjacent GPUs. */
  public static long mask(int firstGpu, int gpus) {
    return (gpus >= Long.SIZE ? -1L : (1L << gpus) - 1) << firstGpu;
  }

  private int instanceFor(int gpus, int reserved) {
    for (int i = 0; i < taken.length; i++) {
      if (held[i] && ready[i] && i != reserved && firstFree(i, gpus) >= 0) {
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
