package io.elastune.core.policy;

import io.elastune.core.policy.HermesState.Gpu;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One call of Hermes: places new trials, and selects the trial that runs on each GPU. */
final class HermesAssignment {
  private final HermesRule rule;
  private final Convergence convergence;
  private final PolicyView view;
  private final TrialMap.Draft<Gpu> gpuOf;
  private final TrialMap.Draft<Integer> slices;

  /** The trials whose tasks have not ended. */
  private final BitSet trials = new BitSet();

  private final List<PolicyDecision> decisions = new ArrayList<>();

  HermesAssignment(HermesRule rule, HermesState state, PolicyView view) {
    this.rule = rule;
    this.view = view;
    convergence = new Convergence(rule);
    HermesState before = state.group().equals(view.group()) ? state : HermesState.INITIAL;
    gpuOf = before.gpus().edit();
    slices = before.slices().edit();
    view.waiting().forEach(task -> trials.set(task.trial()));
    view.running().forEach(running -> trials.set(running.task().trial()));
    removeEnded();
  }

  /** Removes trials that have ended, and places on instances that have gone. */
  private void removeEnded() {
    BitSet held = new BitSet();
    view.instances().forEach(instance -> held.set(instance.number()));
    for (int trial = 0; trial <= Math.max(gpuOf.bound(), slices.bound()); trial++) {
      Gpu gpu = gpuOf.of(trial);
      if (!trials.get(trial)) {
        gpuOf.remove(trial);
        slices.remove(trial);
      } else if (gpu != null && !held.get(gpu.instance())) {
        gpuOf.remove(trial);
      }
    }
  }

  PolicyStep<HermesState> run() {
    place();
    preempt();
    start();
    return new PolicyStep<>(new HermesState(view.group(), gpuOf.done(), slices.done()), decisions);
  }

  /** Places trials, in order of their numbers, on the GPUs that have the fewest. */
  private void place() {
    int free = view.gpus() * rule.jobsPerGpu() - gpuOf.size();
    if (free <= 0 || gpuOf.size() == trials.cardinality()) {
      return;
    }
    List<Gpu> all = gpus();
    Map<Gpu, Integer> load = new HashMap<>();
    all.forEach(gpu -> load.put(gpu, 0));
    for (int trial = 0; trial <= gpuOf.bound(); trial++) {
      Gpu gpu = gpuOf.of(trial);
      if (gpu != null) {
        load.merge(gpu, 1, Integer::sum);
      }
    }
    for (int trial = trials.nextSetBit(0); trial >= 0 && free > 0; ) {
      if (gpuOf.of(trial) == null) {
        Gpu least = Collections.min(all, Comparator.comparing(load::get));
        gpuOf.put(trial, least);
        load.merge(least, 1, Integer::sum);
        free--;
      }
      trial = trials.nextSetBit(trial + 1);
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
      if (!running.isAtUnitEnd() || running.isEnding() || completed <= compared(trial)) {
        continue;
      }
      slices.put(trial, completed);
      double own = convergence.of(running.task());
      boolean isBehind =
          Optional.ofNullable(gpuOf.of(trial))
              .flatMap(this::next)
              .filter(other -> convergence.of(other) > own)
              .isPresent();
      if (isBehind) {
        decisions.add(new PolicyDecision.Preempt(trial));
      }
    }
  }

  /** The slices that a trial had completed when it was last compared. */
  private int compared(int trial) {
    Integer completed = slices.of(trial);
    return completed == null ? 0 : completed;
  }

  /** The waiting trial of a GPU that comes first. */
  private Optional<PolicyView.Task> next(Gpu gpu) {
    PolicyView.@Nullable Task first = null;
    double fastest = 0;
    for (PolicyView.Task task : view.waiting()) {
      if (gpu.equals(gpuOf.of(task.trial()))) {
        double own = convergence.of(task);
        int order = Double.compare(own, fastest);
        if (first == null || order > 0 || (order == 0 && task.trial() < first.trial())) {
          first = task;
          fastest = own;
        }
      }
    }
    return Optional.ofNullable(first);
  }

  private void start() {
    for (PolicyView.Instance instance : view.instances()) {
      BitSet used = new BitSet();
      for (PolicyView.Running running : view.running()) {
        if (running.instance() == instance.number()) {
          running.gpus().forEach(used::set);
        }
      }
      for (int gpu = 0; gpu < instance.gpus() && instance.isReady(); gpu++) {
        if (!used.get(gpu)) {
          start(new Gpu(instance.number(), gpu));
        }
      }
    }
  }

  private void start(Gpu gpu) {
    next(gpu)
        .ifPresent(
            task ->
                decisions.add(
                    new PolicyDecision.Start(
                        task.trial(), Width.of(1), gpu.instance(), List.of(gpu.gpu()))));
  }
}
