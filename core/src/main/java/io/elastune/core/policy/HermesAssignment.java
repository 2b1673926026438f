package io.elastune.core.policy;

import io.elastune.core.policy.HermesState.Gpu;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One call of Hermes: places new trials, and selects the trial that runs on each GPU. */
final class HermesAssignment {
  private final HermesRule rule;
  private final Convergence convergence;
  private final PolicyView view;
  private final SortedMap<Integer, Gpu> gpuOf;
  private final SortedMap<Integer, Integer> slices;
  private final Map<Integer, PolicyView.Task> tasks = new TreeMap<>();
  private final List<PolicyDecision> decisions = new ArrayList<>();

  HermesAssignment(HermesRule rule, HermesState state, PolicyView view) {
    this.rule = rule;
    this.view = view;
    convergence = new Convergence(rule);
    HermesState before = state.group().equals(view.group()) ? state : HermesState.INITIAL;
    gpuOf = new TreeMap<>(before.gpus());
    slices = new TreeMap<>(before.slices());
    Stream.concat(view.waiting().stream(), view.running().stream().map(PolicyView.Running::task))
        .forEach(task -> tasks.put(task.trial(), task));
    gpuOf.keySet().retainAll(tasks.keySet());
    slices.keySet().retainAll(tasks.keySet());
    Set<Integer> held = new HashSet<>();
    view.instances().forEach(instance -> held.add(instance.number()));
    gpuOf.values().removeIf(gpu -> !held.contains(gpu.instance()));
  }

  PolicyStep<HermesState> run() {
    place();
    preempt();
    start();
    return new PolicyStep<>(new HermesState(view.group(), gpuOf, slices), decisions);
  }

  /** Places trials, in order of their numbers, on the GPUs that have the fewest. */
  private void place() {
    List<Gpu> all = gpus();
    Map<Gpu, Integer> load = new HashMap<>();
    all.forEach(gpu -> load.put(gpu, 0));
    gpuOf.values().forEach(gpu -> load.merge(gpu, 1, Integer::sum));
    int free = all.size() * rule.jobsPerGpu() - gpuOf.size();
    for (int trial : tasks.keySet()) {
      if (free > 0 && !gpuOf.containsKey(trial)) {
        Gpu least = Collections.min(all, Comparator.comparing(load::get));
        gpuOf.put(trial, least);
        load.merge(least, 1, Integer::sum);
        free--;
      }
    }
  }

  private List<Gpu> gpus() {
    List<Gpu> all = new ArrayList<>();
    for (PolicyView.Instance instance : view.instances()) {
      for (int gpu = 0; gpu < instance.gpus(); gpu++) {
        all.add(new Gpu(instance.number(), gpu));
      }
    }
    return all;
  }

  /** Ends running trials at the end of a slice if another one on their GPU comes first. */
  private void preempt() {
    for (PolicyView.Running running : view.running()) {
      int trial = running.task().trial();
      int completed = convergence.slices(running.task());
      if (!running.isAtUnitEnd()
          || running.isEnding()
          || completed <= slices.getOrDefault(trial, 0)) {
        continue;
      }
      slices.put(trial, completed);
      double own = convergence.of(running.task());
      boolean isBehind =
          Optional.ofNullable(gpuOf.get(trial))
              .flatMap(this::next)
              .filter(other -> convergence.of(other) > own)
              .isPresent();
      if (isBehind) {
        decisions.add(new PolicyDecision.Preempt(trial));
      }
    }
  }

  /** The waiting trial of a GPU that comes first. */
  private Optional<PolicyView.Task> next(Gpu gpu) {
    return view.waiting().stream()
        .filter(task -> gpu.equals(gpuOf.get(task.trial())))
        .min(
            Comparator.comparingDouble((PolicyView.Task task) -> -convergence.of(task))
                .thenComparingInt(PolicyView.Task::trial));
  }

  private void start() {
    Set<Gpu> used = new HashSet<>();
    for (PolicyView.Running running : view.running()) {
      running.gpus().forEach(gpu -> used.add(new Gpu(running.instance(), gpu)));
    }
    Set<Integer> ready = new HashSet<>();
    view.instances().stream()
        .filter(PolicyView.Instance::isReady)
        .forEach(instance -> ready.add(instance.number()));
    for (Gpu gpu : gpus()) {
      if (ready.contains(gpu.instance()) && !used.contains(gpu)) {
        next(gpu)
            .ifPresent(
                task ->
                    decisions.add(
                        new PolicyDecision.Start(
                            task.trial(), Width.of(1), gpu.instance(), List.of(gpu.gpu()))));
      }
    }
  }
}
