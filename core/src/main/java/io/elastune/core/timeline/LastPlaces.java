package io.elastune.core.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where trials ran last, and whether their programs wait there for the next task of their trial
 * (docs/model.md, "Programs that wait"): on the same GPUs of one instance, until other attempts
 * need these, for at most an hour.
 */
final class LastPlaces {
  /** How long a program waits. */
  private static final double LONGEST_S = 3600;

  private final int gpusPerInstance;
  private final boolean keepsAlive;

  // By instance and GPU: the tasks that run there, and those whose programs wait, in their order.
  private int[] running = new int[64];
  private @Nullable List<Task>[] waiting = lists(64);

  private long stamps;

  /** The last stamp before the present timeline. */
  private long before;

  /**
   * @param keepsAlive whether programs wait at all
   */
  LastPlaces(int gpusPerInstance, boolean keepsAlive) {
    this.gpusPerInstance = gpusPerInstance;
    this.keepsAlive = keepsAlive;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of lists
  private static @Nullable List<Task>[] lists(int length) {
    return new List[length];
  }

  /** Begins a timeline, on which no trial has run. */
  void begin() {
    before = stamps;
    Arrays.fill(running, 0);
    Arrays.fill(waiting, null);
  }

  /** Records where the trial of a task, which has ended, ran before the timeline. */
  void ran(Task task, TrialPlace place) {
    task.instance = place.instances().get(0);
    task.others = place.instances().stream().skip(1).mapToInt(Integer::intValue).toArray();
    task.firstGpu = place.firstGpu();
    task.gpus = place.gpus();
    task.trialsPerGpu = place.trialsPerGpu();
    task.attempts = 1;
    task.stamp = ++stamps;
    if (keepsAlive && place.waitsS().isPresent() && task.others.length == 0) {
      int first = first(task);
      boolean hasRoom = true;
      for (int gpu = first; gpu < first + task.gpus; gpu++) {
        makeRoom(gpu, task.trialsPerGpu);
        hasRoom &= running[gpu] < task.trialsPerGpu;
      }
      if (hasRoom) {
        await(task, -place.waitsS().getAsDouble());
      }
    }
  }

  private int first(Task task) {
    int first = task.instance * gpusPerInstance + task.firstGpu;
    if (first + task.gpus > running.length) {
      int room = 2 * (first + task.gpus);
      running = Arrays.copyOf(running, room);
      waiting = Arrays.copyOf(waiting, room);
    }
    return first;
  }

  /**
   * Records that an attempt of a task takes its GPUs.
   *
   * @param continues whether the program of its trial has waited for it there
   */
  void took(Task task, boolean continues) {
    task.attempts++;
    task.stamp = ++stamps;
    if (task.others.length > 0) {
      return; // its instances run nothing else, and no program waited on them
    }
    int first = first(task);
    for (int gpu = first; gpu < first + task.gpus; gpu++) {
      if (!continues) {
        makeRoom(gpu, task.trialsPerGpu);
      }
      running[gpu]++;
    }
  }

  /**
   * Ends the programs that wait on a GPU, the first ones first, until there is room for another.
   */
  private void makeRoom(int gpu, int trialsPerGpu) {
    List<Task> here = waiting[gpu];
    while (here != null && !here.isEmpty() && running[gpu] + 1 + here.size() > trialsPerGpu) {
      end(here.get(0));
    }
  }

  /** Ends a program that waits. */
  private void end(Task task) {
    task.waits = false;
    int first = first(task);
    for (int gpu = first; gpu < first + task.gpus; gpu++) {
      List<Task> here = waiting[gpu];
      if (here != null) {
        here.remove(task);
      }
    }
  }

  /** Records that an attempt of a task has left its GPUs. */
  void left(Task task) {
    if (task.others.length == 0) {
      int first = first(task);
      for (int gpu = first; gpu < first + task.gpus; gpu++) {
        running[gpu]--;
      }
    }
  }

  /** Records that a task has trained all its units; its program may wait where it ran. */
  void completed(Task task, double atS) {
    if (keepsAlive && !task.isLast && task.others.length == 0) {
      await(task, atS);
    }
  }

  private void await(Task task, double atS) {
    task.waits = true;
    task.waitsSinceS = atS;
    int first = first(task);
    for (int gpu = first; gpu < first + task.gpus; gpu++) {
      List<Task> here = waiting[gpu];
      if (here == null) {
        here = new ArrayList<>();
        waiting[gpu] = here;
      }
      here.add(task);
    }
  }

  /** Returns the last task of the trial of a task that has used GPUs; null if there is none. */
  @Nullable Task home(Task task) {
    Task last = task.attempts > 0 ? task : task.earlier;
    return last != null && last.stamp > before ? last : null;
  }

  /**
   * Returns whether the program of the trial of a task waits on these GPUs, and continues there
   * with the task; otherwise it ends. Must precede {@link #took}, before the task has its place.
   *
   * @param isTeam whether the task uses further instances
   */
  boolean continues(Task task, int instance, int firstGpu, int gpus, boolean isTeam, double nowS) {
    Task last = home(task);
    if (last == null || !last.waits) {
      return false;
    }
    end(last);
    return !isTeam
        && last.instance == instance
        && last.firstGpu == firstGpu
        && last.gpus == gpus
        && nowS - last.waitsSinceS <= LONGEST_S;
  }
}
