package io.elastune.core.timeline;

import io.elastune.core.search.PoolGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * A second, slow implementation of shared instances, written from docs/searches.md alone. It keeps
 * lists of objects and searches them again at each event.
 */
final class ReferencePool {
  final double[] releasedS;
  final Map<String, Double> endS = new TreeMap<>();
  final List<Task> tasks = new ArrayList<>();

  private final List<List<PoolGroup>> chains;
  private final int gpus;
  private final double[] readyS;
  private final Durations durations;
  private final int[] group;
  private double nowS;

  /** The durations of tasks. */
  interface Durations {
    /** Returns the seconds of a task, start-up included. */
    double seconds(int chain, int group, int trial, int instance);
  }

  /** One task, with the GPUs on which it runs once it has started. */
  static final class Task {
    int chain;
    int group;
    int trial;
    int width;
    int order = -1;
    int instance = -1;
    List<Integer> on = List.of();
    double startS;
    double endS = Double.POSITIVE_INFINITY;
    boolean ended;

    boolean isWaiting() {
      return instance < 0;
    }

    boolean isRunning() {
      return instance >= 0 && !ended;
    }
  }

  ReferencePool(List<List<PoolGroup>> chains, int gpus, double[] readyS, Durations durations) {
    this.chains = chains;
    this.gpus = gpus;
    this.readyS = readyS;
    this.durations = durations;
    releasedS = new double[readyS.length];
    Arrays.fill(releasedS, Double.NaN);
    group = new int[chains.size()];
    for (int chain = 0; chain < chains.size(); chain++) {
      begin(chain);
    }
  }

  private void begin(int chain) {
    if (group[chain] < chains.get(chain).size()) {
      PoolGroup present = chains.get(chain).get(group[chain]);
      for (int trial = 0; trial < present.trials(); trial++) {
        Task task = new Task();
        task.chain = chain;
        task.group = group[chain];
        task.trial = trial;
        task.width = present.gpus();
        tasks.add(task);
      }
    }
  }

  double run() {
    boolean[] isReady = new boolean[readyS.length];
    while (tasks.stream().anyMatch(task -> !task.ended)) {
      int instance = -1;
      for (int i = 0; i < readyS.length; i++) {
        if (!isReady[i] && (instance < 0 || nanos(readyS[i]) < nanos(readyS[instance]))) {
          instance = i;
        }
      }
      Task first = null;
      for (Task task : tasks) {
        if (task.isRunning()
            && (first == null
                || nanos(task.endS) < nanos(first.endS)
                || (nanos(task.endS) == nanos(first.endS) && task.order < first.order))) {
          first = task;
        }
      }
      if (first == null || (instance >= 0 && nanos(readyS[instance]) <= nanos(first.endS))) {
        nowS = readyS[instance];
        isReady[instance] = true;
      } else {
        nowS = first.endS;
        first.ended = true;
        endGroup(first.chain);
      }
      serve(isReady);
      release();
    }
    for (int i = 0; i < releasedS.length; i++) {
      releasedS[i] = Double.isNaN(releasedS[i]) ? nowS : releasedS[i];
    }
    return nowS;
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * 1e9);
  }

  private void endGroup(int chain) {
    if (tasks.stream().allMatch(task -> task.chain != chain || task.ended)) {
      endS.put(chain + "." + group[chain], nowS);
      group[chain]++;
      begin(chain);
    }
  }

  private double pathS(int chain) {
    double seconds = 0;
    List<PoolGroup> groups = chains.get(chain);
    for (int i = groups.size() - 1; i >= group[chain]; i--) {
      seconds += groups.get(i).taskS();
    }
    return seconds;
  }

  private void serve(boolean[] isReady) {
    List<Integer> order = new ArrayList<>();
    for (int chain = 0; chain < chains.size(); chain++) {
      order.add(chain);
    }
    order.sort((a, b) -> Double.compare(pathS(b), pathS(a)));
    int reserved = -1;
    for (int chain : order) {
      for (Task task : tasks) {
        if (task.chain == chain && task.isWaiting() && !place(task, isReady, reserved)) {
          reserved = reserved < 0 ? freest() : reserved;
          break;
        }
      }
    }
  }

  private boolean place(Task task, boolean[] isReady, int reserved) {
    for (int i = 0; i < readyS.length; i++) {
      if (!isReady[i] || i == reserved || !Double.isNaN(releasedS[i])) {
        continue;
      }
      List<Integer> free = free(i);
      for (int slot = 0; slot < gpus / task.width; slot++) {
        List<Integer> on = new ArrayList<>();
        for (int gpu = slot * task.width; gpu < (slot + 1) * task.width; gpu++) {
          on.add(gpu);
        }
        if (free.containsAll(on)) {
          task.instance = i;
          task.on = on;
          task.startS = nowS;
          task.order = (int) tasks.stream().filter(other -> other.order >= 0).count();
          task.endS = nowS + durations.seconds(task.chain, task.group, task.trial, i);
          return true;
        }
      }
    }
    return false;
  }

  private List<Integer> free(int instance) {
    List<Integer> free = new ArrayList<>();
    for (int gpu = 0; gpu < gpus; gpu++) {
      free.add(gpu);
    }
    for (Task task : tasks) {
      if (task.isRunning() && task.instance == instance) {
        free.removeAll(task.on);
      }
    }
    return free;
  }

  private int freest() {
    int best = -1;
    for (int i = 0; i < readyS.length; i++) {
      if (Double.isNaN(releasedS[i]) && (best < 0 || free(i).size() > free(best).size())) {
        best = i;
      }
    }
    return best;
  }

  private void release() {
    for (int i = readyS.length - 1; i >= 0; i--) {
      long held = DoubleStream.of(releasedS).filter(Double::isNaN).count();
      if (Double.isNaN(releasedS[i])
          && free(i).size() == gpus
          && demand() <= (held - 1) * gpus + 1e-9) {
        releasedS[i] = nowS;
      }
    }
  }

  private double demand() {
    double sum = 0;
    for (int chain = 0; chain < chains.size(); chain++) {
      double most = 0;
      for (int g = group[chain]; g < chains.get(chain).size(); g++) {
        PoolGroup one = chains.get(chain).get(g);
        int of = chain;
        int at = g;
        long count =
            g > group[chain]
                ? one.trials()
                : tasks.stream().filter(t -> t.chain == of && t.group == at && !t.ended).count();
        int perInstance = gpus / one.gpus();
        most = Math.max(most, (double) count * gpus / perInstance);
      }
      sum += most;
    }
    return sum;
  }
}
