package io.elastune.core.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Which GPUs of the instances of a pool are in use, and where waiting tasks start: on adjacent GPUs
 * of the ready instance with the lowest number on which they fit. The first queue whose next task
 * does not fit reserves the held instance with the most free GPUs, so that wide tasks never starve
 * (docs/searches.md, "Shared instances").
 */
public final class PoolPlacement {
  /** The most GPUs of an instance. */
  public static final int MOST_GPUS = Long.SIZE;

  /** No instance. */
  static final int NONE = -1;

  private final int gpusPerInstance;
  private final long allGpus;

  // By instance: a bit for each GPU in use, whether it is held, and whether tasks can start on it.
  private long[] taken = new long[8];
  private boolean[] held = new boolean[8];
  private boolean[] ready = new boolean[8];
  private int count;

  /** The instances that are held and ready and have a free GPU. */
  private final BitSet open = new BitSet();

  /** The instance on which no other queue starts a task, or {@link #NONE}. */
  private int reserved;

  /** Whether an instance is to be reserved, which matters only if another queue is served. */
  private boolean reserves;

  /**
   * The waiting tasks of one queue.
   *
   * @param queue its index
   * @param tasks how many wait
   * @param gpus GPUs of each, at most those of an instance
   */
  public record Request(int queue, int tasks, int gpus) {}

  /** A task that starts on adjacent GPUs of an instance. */
  public record Start(int queue, int instance, int firstGpu, int gpus) {}

  /** Creates the placement on no instances. */
  public PoolPlacement(int gpusPerInstance) {
    this.gpusPerInstance = gpusPerInstance;
    allGpus = mask(0, gpusPerInstance);
    clear();
  }

  /** Removes all instances. */
  void clear() {
    count = 0;
    open.clear();
    unreserve();
  }

  /** Adds an instance that is held and not ready; the first one has the number 0. */
  void add() {
    if (count == taken.length) {
      taken = Arrays.copyOf(taken, 2 * count);
      held = Arrays.copyOf(held, 2 * count);
      ready = Arrays.copyOf(ready, 2 * count);
    }
    taken[count] = 0;
    held[count] = true;
    ready[count] = false;
    count++;
  }

  /**
   * Adds an instance that is held.
   *
   * @param takenGpus a bit for each GPU in use
   * @param isReady whether tasks can start on it
   */
  public void add(long takenGpus, boolean isReady) {
    add();
    taken[count - 1] = takenGpus;
    ready[count - 1] = isReady;
    note(count - 1);
  }

  /** Lets tasks start on an instance. */
  void ready(int instance) {
    ready[instance] = true;
    note(instance);
  }

  /** Removes an instance; the others keep their numbers. */
  void release(int instance) {
    held[instance] = false;
    note(instance);
  }

  /** Takes GPUs. */
  void take(int instance, int firstGpu, int gpus) {
    taken[instance] |= mask(firstGpu, gpus);
    note(instance);
  }

  /** Frees GPUs. */
  void free(int instance, int firstGpu, int gpus) {
    taken[instance] &= ~mask(firstGpu, gpus);
    note(instance);
  }

  private void note(int instance) {
    open.set(instance, held[instance] && ready[instance] && taken[instance] != allGpus);
  }

  /**
   * Returns the tasks that start now, in order, and takes their GPUs.
   *
   * @param requests in the order in which the queues are served
   */
  public List<Start> place(List<Request> requests) {
    List<Start> starts = new ArrayList<>();
    unreserve();
    for (Request request : requests) {
      for (int left = request.tasks(); left > 0; left--) {
        int instance = find(request.gpus(), Integer.MAX_VALUE, NONE);
        if (instance == NONE) {
          reserve();
          break;
        }
        int firstGpu = firstFree(instance, request.gpus());
        take(instance, firstGpu, request.gpus());
        starts.add(new Start(request.queue(), instance, firstGpu, request.gpus()));
      }
    }
    return starts;
  }

  /** Forgets the reservation: all queues are served again. */
  void unreserve() {
    reserved = NONE;
    reserves = false;
  }

  /** Reserves an instance for a queue whose next task does not fit, unless another one has. */
  void reserve() {
    reserves = true;
  }

  /** Whether an instance may have a free GPU for tasks. */
  boolean mayFit() {
    if (reserves && reserved == NONE) {
      reserved = mostFree();
    }
    return !open.isEmpty();
  }

  /**
   * Returns the ready instance with the lowest number that has as many adjacent free GPUs, or
   * {@link #NONE}.
   *
   * @param most only so many held instances are used, from the lowest number on
   * @param avoided the instance that is used only if there is no other, or {@link #NONE}
   */
  int find(int gpus, int most, int avoided) {
    if (!mayFit()) {
      return NONE;
    }
    int found = NONE;
    for (int i = open.nextSetBit(0); i >= 0; i = open.nextSetBit(i + 1)) {
      if (most < count && heldBelow(i) >= most) {
        return found;
      }
      if (i != reserved && firstFree(i, gpus) >= 0) {
        if (i != avoided) {
          return i;
        }
        found = i;
      }
    }
    return found;
  }

  private int heldBelow(int instance) {
    int below = 0;
    for (int i = 0; i < instance; i++) {
      below += held[i] ? 1 : 0;
    }
    return below;
  }

  private int mostFree() {
    int best = NONE;
    for (int i = 0; i < count; i++) {
      boolean isBetter = best < 0 || Long.bitCount(taken[i]) < Long.bitCount(taken[best]);
      if (held[i] && isBetter) {
        best = i;
      }
    }
    return best;
  }

  /** Returns the first of as many adjacent free GPUs of an instance, or -1 if there are none. */
  int firstFree(int instance, int gpus) {
    return firstFree(taken[instance], gpus, gpusPerInstance);
  }

  /** Returns the bits of adjacent GPUs. */
  public static long mask(int firstGpu, int gpus) {
    return (gpus >= Long.SIZE ? -1L : (1L << gpus) - 1) << firstGpu;
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
}
