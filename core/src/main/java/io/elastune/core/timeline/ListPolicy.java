package io.elastune.core.timeline;

import io.elastune.core.allocation.SlotCounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * List scheduling on one pool of instances: a task starts when it fits, on the ready instance with
 * the lowest number, and idle instances that are not needed are released, the highest number first
 * (docs/searches.md, "Shared instances" and "Prediction").
 */
public final class ListPolicy implements PolicyRun {
  private final SearchRun search;
  private final ListSizes sizes;
  private final PoolPlacement placement;
  private boolean fills;

  /** The instances that were requested, of which none after {@link #last} is held. */
  private int known;

  private int last;

  /**
   * Creates the policy of a plan.
   *
   * @param gpusPerInstance at most {@link SlotCounts#MOST_SHARED_GPUS}
   */
  public ListPolicy(SearchRun search, ListSizes sizes, int gpusPerInstance) {
    this.search = search;
    this.sizes = sizes;
    placement = new PoolPlacement(gpusPerInstance);
  }

  /** Lets trials fill one instance after the other, because only the time of use is billed. */
  public ListPolicy filling() {
    fills = true;
    return this;
  }

  @Override
  public void begin(ManagedCluster cluster) {
    placement.clear();
    known = 0;
    int requested = sizes.requested();
    for (int i = 0; i < requested; i++) {
      placement.add();
      cluster.request();
    }
  }

  @Override
  public void runs(Task task) {
    placement.take(task.instance(), task.firstGpu, task.gpus);
  }

  @Override
  public void decide(ManagedCluster cluster) {
    placement.unreserve();
    int queues = search.queues();
    for (int place = 0; place < queues && placement.mayFit(); place++) {
      serve(sizes.queue(place), cluster);
    }
    release(cluster);
  }

  private void serve(int queue, ManagedCluster cluster) {
    if (cluster.knowsPlaces() && search instanceof ChainsRun) {
      serveAtHome(queue, cluster);
      return;
    }
    while (search.mayIssue(queue)) {
      int gpus = sizes.gpus(queue);
      int instance = placement.find(gpus, sizes.used(), Task.NONE);
      if (instance == PoolPlacement.NONE) {
        placement.reserve();
        return;
      }
      if (cluster.closesNow()) {
        continue; // tasks may have another size now
      }
      Task task = cluster.issue(queue);
      if (task == null) {
        return;
      }
      if (task.avoided != Task.NONE && sizes.avoidsInstanceOfHang()) {
        instance = placement.find(gpus, sizes.used(), task.avoided);
      }
      int firstGpu = firstGpu(task, instance, gpus, cluster);
      placement.take(instance, firstGpu, gpus);
      cluster.start(task, cluster.instance(instance), firstGpu, gpus);
    }
  }

  /** The GPUs on which the trial of a task ran last, or else the first that are free. */
  private int firstGpu(Task task, int instance, int gpus, ManagedCluster cluster) {
    Task home = cluster.home(task);
    boolean isThere =
        home != null
            && home.instance == instance
            && home.gpus == gpus
            && placement.isFree(instance, home.firstGpu, gpus);
    return isThere && home != null ? home.firstGpu : placement.firstFree(instance, gpus);
  }

  /**
   * Starts tasks of a queue as long as they fit, in the same places and in their order. Each task
   * gets the place where its trial ran, if that is one of them.
   */
  private void serveAtHome(int queue, ManagedCluster cluster) {
    if (!search.mayIssue(queue)) {
      return;
    }
    List<Task> tasks = new ArrayList<>();
    SortedMap<Integer, List<Integer>> byInstance = new TreeMap<>();
    List<HomeSlots.Slot> places = new ArrayList<>();
    int gpus = sizes.gpus(queue);
    while (search.mayIssue(queue)) {
      int instance = placement.find(gpus, sizes.used(), Task.NONE);
      if (instance == PoolPlacement.NONE) {
        placement.reserve();
        break;
      }
      Task task = cluster.issue(queue);
      if (task == null) {
        break;
      }
      int firstGpu = placement.firstFree(instance, gpus);
      placement.take(instance, firstGpu, gpus);
      tasks.add(task);
      byInstance.computeIfAbsent(instance, any -> new ArrayList<>()).add(firstGpu);
      places.add(new HomeSlots.Slot(instance, firstGpu));
    }
    if (tasks.isEmpty()) {
      return;
    }
    List<HomeSlots.Site> sites = new ArrayList<>();
    byInstance.forEach(
        (instance, firstGpus) ->
            sites.add(
                new HomeSlots.Site(
                    List.of(cluster.instance(instance)), firstGpus.stream().sorted().toList())));
    List<HomeSlots.Slot> assigned = HomeSlots.assign(cluster, tasks, sites, gpus, fills);
    Map<HomeSlots.Slot, Task> taskAt = new HashMap<>();
    for (int i = 0; i < assigned.size(); i++) {
      int instance = sites.get(assigned.get(i).site()).members().get(0).number();
      taskAt.put(new HomeSlots.Slot(instance, assigned.get(i).firstGpu()), tasks.get(i));
    }
    for (HomeSlots.Slot place : places) {
      Task task = Objects.requireNonNull(taskAt.get(place));
      cluster.start(task, cluster.instance(place.site()), place.firstGpu(), gpus);
    }
  }

  private void release(ManagedCluster cluster) {
    if (cluster.idle() == 0) {
      return;
    }
    int kept = sizes.kept();
    if (cluster.held() <= kept) {
      return;
    }
    boolean unreadyAreIdle = sizes.unreadyAreIdle();
    int idle = cluster.idle();
    for (int number = lastHeld(cluster); idle > 0 && cluster.held() > kept; number--) {
      Instance instance = cluster.instance(number);
      if (instance.isHeld && instance.running == 0) {
        idle--;
        if (instance.isReady || unreadyAreIdle) {
          placement.release(number);
          cluster.release(instance);
        }
      }
    }
  }

  /** Returns the highest number of an instance that is held; there must be one. */
  private int lastHeld(ManagedCluster cluster) {
    if (cluster.requested() != known) {
      known = cluster.requested();
      last = known - 1;
    }
    while (!cluster.instance(last).isHeld) {
      last--;
    }
    return last;
  }

  @Override
  public void ready(Instance instance) {
    placement.ready(instance.number);
  }

  @Override
  public void ended(Task task) {
    placement.free(task.instance(), task.firstGpu, task.gpus);
  }

  @Override
  public void lost(Instance instance, ManagedCluster cluster) {
    placement.release(instance.number);
    if (cluster.held() < sizes.replaced()) {
      placement.add();
      cluster.replace(instance);
    }
  }
}
