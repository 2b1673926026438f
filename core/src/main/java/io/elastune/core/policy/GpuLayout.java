package io.elastune.core.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The GPUs of a cluster and how many trials use each. Mutable. */
final class GpuLayout {
  private static final int GONE = -1;

  private final List<PolicyView.Instance> instances;

  /** By instance and GPU: the trials that use it. */
  private final int[][] load;

  private final int share;
  private int room;

  /** A place for a task. */
  record Place(PolicyView.Instance instance, List<Integer> gpus) {}

  /**
   * Creates a layout without trials.
   *
   * @param cluster the instances in ascending order of their numbers
   * @param share the trials that may share a GPU
   */
  GpuLayout(List<PolicyView.Instance> cluster, int share) {
    this.instances = cluster;
    this.share = share;
    load = new int[cluster.size()][];
    for (int i = 0; i < load.length; i++) {
      load[i] = new int[cluster.get(i).gpus()];
      room += share * load[i].length;
    }
  }

  /** Adds a task that runs on some GPUs. An instance that has gone is ignored. */
  void add(PolicyView.Running running) {
    change(running.instance(), running.gpus(), weight(running.width()));
  }

  /** Removes a task that was added. */
  void remove(PolicyView.Running running) {
    change(running.instance(), running.gpus(), -weight(running.width()));
  }

  /** Adds a task at a place that {@link #find} returned. */
  void add(Place place, Width width) {
    change(place.instance().number(), place.gpus(), weight(width));
  }

  private void change(int instance, List<Integer> gpus, int weight) {
    int index = index(instance);
    if (index == GONE) {
      return;
    }
    int[] on = load[index];
    for (int gpu : gpus) {
      room -= Math.max(0, share - on[gpu]);
      on[gpu] += weight;
      room += Math.max(0, share - on[gpu]);
    }
  }

  /** Whether no GPU has room for a trial. */
  boolean isFull() {
    return room == 0;
  }

  private int weight(Width width) {
    return width.isShared() ? 1 : share;
  }

  /** Returns the most GPUs that are free on one instance. */
  int mostFree() {
    int most = 0;
    for (int i = 0; i < load.length; i++) {
      most = Math.max(most, free(i));
    }
    return most;
  }

  private int index(int number) {
    for (int i = 0; i < load.length; i++) {
      if (instances.get(i).number() == number) {
        return i;
      }
    }
    return GONE;
  }

  private int free(int index) {
    int free = 0;
    for (int trials : load[index]) {
      free += trials == 0 ? 1 : 0;
    }
    return free;
  }

  /**
   * Returns the place for a task: on a ready instance if possible, and there on the instance with
   * the fewest free GPUs on which it fits. Trials that share GPUs fill one before the next, but do
   * not wait for an instance while another one has a free GPU.
   */
  Optional<Place> find(Width width) {
    if (!width.isShared()) {
      return whole(width.gpus());
    }
    Optional<Place> beside = partlyUsed();
    Optional<Place> alone = whole(1);
    return beside
        .filter(place -> place.instance().isReady())
        .or(() -> alone.filter(place -> place.instance().isReady()))
        .or(() -> beside)
        .or(() -> alone);
  }

  private Optional<Place> whole(int gpus) {
    int best = GONE;
    int fewest = 0;
    for (int i = 0; i < load.length; i++) {
      int free = free(i);
      if (free >= gpus && (best == GONE || comesFirst(i, -free, best, -fewest))) {
        best = i;
        fewest = free;
      }
    }
    return best == GONE
        ? Optional.empty()
        : Optional.of(new Place(instances.get(best), firstFree(best, gpus)));
  }

  /** Whether instance {@code a} comes first: it alone is ready, or it is used more. */
  private boolean comesFirst(int a, int usedA, int b, int usedB) {
    boolean isReadyA = instances.get(a).isReady();
    return isReadyA == instances.get(b).isReady() ? usedA > usedB : isReadyA;
  }

  private List<Integer> firstFree(int index, int gpus) {
    List<Integer> free = new ArrayList<>(gpus);
    for (int gpu = 0; free.size() < gpus; gpu++) {
      if (load[index][gpu] == 0) {
        free.add(gpu);
      }
    }
    return free;
  }

  /** The GPU with the most trials that has room for one more; on a ready instance if possible. */
  private Optional<Place> partlyUsed() {
    int best = GONE;
    int bestGpu = 0;
    for (int i = 0; i < load.length; i++) {
      for (int gpu = 0; gpu < load[i].length; gpu++) {
        int trials = load[i][gpu];
        if (trials > 0
            && trials < share
            && (best == GONE || comesFirst(i, trials, best, load[best][bestGpu]))) {
          best = i;
          bestGpu = gpu;
        }
      }
    }
    return best == GONE
        ? Optional.empty()
        : Optional.of(new Place(instances.get(best), List.of(bestGpu)));
  }
}
