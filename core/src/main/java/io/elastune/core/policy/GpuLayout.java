package io.elastune.core.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The GPUs of a cluster and how many trials use each. Mutable. */
final class GpuLayout {
  private static final int[] NO_GPUS = {};

  private final Map<Integer, PolicyView.Instance> instances = new TreeMap<>();
  private final Map<Integer, int[]> load = new TreeMap<>();
  private final int share;
  private int room;

  /** A place for a task. */
  record Place(PolicyView.Instance instance, List<Integer> gpus) {}

  /**
   * Creates a layout without trials.
   *
   * @param share the trials that may share a GPU
   */
  GpuLayout(List<PolicyView.Instance> cluster, int share) {
    this.share = share;
    for (PolicyView.Instance instance : cluster) {
      instances.put(instance.number(), instance);
      load.put(instance.number(), new int[instance.gpus()]);
      room += share * instance.gpus();
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
    int[] on = loadOf(instance);
    if (on.length == 0) {
      return;
    }
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
    return instances.keySet().stream().mapToInt(this::free).max().orElse(0);
  }

  private int[] loadOf(int instance) {
    return load.getOrDefault(instance, NO_GPUS);
  }

  private int free(int instance) {
    return (int) IntStream.of(loadOf(instance)).filter(trials -> trials == 0).count();
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
    return instances.values().stream()
        .filter(instance -> free(instance.number()) >= gpus)
        .min(
            Comparator.comparing((PolicyView.Instance instance) -> !instance.isReady())
                .thenComparingInt(instance -> free(instance.number())))
        .map(instance -> new Place(instance, firstFree(instance.number(), gpus)));
  }

  private List<Integer> firstFree(int instance, int gpus) {
    int[] on = loadOf(instance);
    return IntStream.range(0, on.length).filter(gpu -> on[gpu] == 0).limit(gpus).boxed().toList();
  }

  /** The GPU with the most trials that has room for one more; on a ready instance if possible. */
  private Optional<Place> partlyUsed() {
    List<Place> places = new ArrayList<>();
    for (PolicyView.Instance instance : instances.values()) {
      int[] on = loadOf(instance.number());
      IntStream.range(0, on.length)
          .filter(gpu -> on[gpu] > 0 && on[gpu] < share)
          .forEach(gpu -> places.add(new Place(instance, List.of(gpu))));
    }
    return places.stream()
        .min(
            Comparator.comparing((Place place) -> !place.instance().isReady())
                .thenComparingInt(place -> -load(place)));
  }

  private int load(Place place) {
    return loadOf(place.instance().number())[place.gpus().get(0)];
  }
}
