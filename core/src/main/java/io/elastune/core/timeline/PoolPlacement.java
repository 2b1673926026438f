package io.elastune.core.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which GPUs of the instances of a pool are in use, and where waiting tasks start: on adjacent GPUs
 * of the ready instance with the lowest number on which they fit. The first queue whose next task
 * does not fit reserves the held instance with the most free GPUs, so that wide tasks never starve
 * (docs/searches.md, "Shared instances").
 */
public final class PoolPlacement {
  /** No instance. */
  static final int NONE = -1;

  /** A number in which each six adjacent bits differ. */
  private static final long DE_BRUIJN = 0x03f79d71b4cb0a89L;

  /** By six of these bits: how far the number was shifted. */
  private static final int[] NUMBERS = numbers();

  private final int gpusPerInstance;
  private final long allGpus;

  // By instance: a bit for each GPU in use, their number, whether it is held, and whether tasks can
  // start on it.
  private long[] taken = new long[8];
  private int[] used = new int[8];
  private boolean[] held = new boolean[8];
  private boolean[] ready = new boolean[8];
  private int count;

  /** A bit for each instance that is held and ready and has a free GPU, 64 in each number. */
  private long[] open = new long[1];

  private int openInstances;

  /** The same for each of them that has no GPU in use. */
  private long[] empty = new long[1];

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
    Arrays.fill(open, 0);
    Arrays.fill(empty, 0);
    openInstances = 0;
    unreserve();
  }

  /** Adds an instance that is held and not ready; the first one has the number 0. */
  void add() {
    if (count == taken.length) {
      taken = Arrays.copyOf(taken, 2 * count);
      used = Arrays.copyOf(used, 2 * count);
      held = Arrays.copyOf(held, 2 * count);
      ready = Arrays.copyOf(ready, 2 * count);
    }
    if (count / Long.SIZE == open.length) {
      open = Arrays.copyOf(open, 2 * open.length);
      empty = Arrays.copyOf(empty, open.length);
    }
    taken[count] = 0;
    used[count] = 0;
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
    used[count - 1] = Long.bitCount(takenGpus);
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
    used[instance] += gpus;
    note(instance);
  }

  /** Frees GPUs. */
  void free(int instance, int firstGpu, int gpus) {
    taken[instance] &= ~mask(firstGpu, gpus);
    used[instance] -= gpus;
    note(instance);
  }

  private void note(int instance) {
    boolean isUsable = held[instance] && ready[instance];
    boolean isOpen = isUsable && taken[instance] != allGpus;
    int word = instance / Long.SIZE;
    long bit = 1L << instance;
    if (isOpen != ((open[word] & bit) != 0)) {
      open[word] ^= bit;
      openInstances += isOpen ? 1 : -1;
    }
    empty[word] = isUsable && taken[instance] == 0 ? empty[word] | bit : empty[word] & ~bit;
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
    if (openInstances == 0) {
      return false;
    }
    if (reserves && reserved == NONE) {
      reserved = mostFree();
    }
    return true;
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
    long[] fitting = gpus == gpusPerInstance ? empty : open;
    for (int word = 0; word * Long.SIZE < count; word++) {
      for (long bits = fitting[word]; bits != 0; bits &= bits - 1) {
        int i = word * Long.SIZE + lowest(bits);
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
      if (held[i] && (best < 0 || used[i] < used[best])) {
        best = i;
      }
    }
    return best;
  }

  /** Returns the first of as many adjacent free GPUs of an instance, or -1 if there are none. */
  int firstFree(int instance, int gpus) {
    return firstFree(taken[instance], gpus, gpusPerInstance);
  }

  /** Returns the number of the lowest bit; 64 without one. */
  private static int lowest(long bits) {
    // Long.numberOfTrailingZeros takes several times as long before it is optimized.
    return bits == 0 ? Long.SIZE : NUMBERS[(int) (((bits & -bits) * DE_BRUIJN) >>> 58)];
  }

  private static int[] numbers() {
    int[] numbers = new int[Long.SIZE];
    for (int bit = 0; bit < Long.SIZE; bit++) {
      numbers[(int) (((1L << bit) * DE_BRUIJN) >>> 58)] = bit;
    }
    return numbers;
  }

  /** Whether adjacent GPUs of an instance are free. */
  boolean isFree(int instance, int firstGpu, int gpus) {
    return (taken[instance] & mask(firstGpu, gpus)) == 0;
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
      int first = lowest(~taken);
      return first < gpusPerInstance ? first : -1;
    }
    long wanted = mask(0, gpus);
    for (int first = 0; first + gpus <= gpusPerInstance; first += gpus) {
      if ((taken & (wanted << first)) == 0) {
        return first;
      }
    }
    return -1;
  }
}
