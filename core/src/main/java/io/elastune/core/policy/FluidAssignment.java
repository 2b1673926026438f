package io.elastune.core.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** One call of Fluid: gives widths to new tasks, starts waiting ones, and resizes running ones. */
final class FluidAssignment {
  private final FluidRule rule;
  private final FluidWidths widths;
  private final boolean isOpen;
  private final PolicyView view;
  private SortedMap<Integer, Width> widthOf;
  private boolean ownsWidths;
  private final SortedSet<Integer> candidates;
  private final boolean hasFreed;
  private final List<PolicyDecision> decisions = new ArrayList<>();
  // GPUs in use or reserved; and those that are in use once all changes of width are complete.
  private final GpuLayout now;
  private final GpuLayout later;

  /**
   * @param isOpen whether tasks are added to the group one by one
   */
  FluidAssignment(
      FluidRule rule, FluidWidths widths, boolean isOpen, FluidState state, PolicyView view) {
    this.rule = rule;
    this.widths = widths;
    this.isOpen = isOpen;
    this.view = view;
    FluidState before = state.group().equals(view.group()) ? state : FluidState.INITIAL;
    widthOf = before.widths();
    candidates = new TreeSet<>(before.candidates());
    hasFreed = before.hasFreed() || view.tasks() < before.unfinished();
    addNewTasks();
    now = new GpuLayout(view.instances(), rule.share());
    later = new GpuLayout(view.instances(), rule.share());
    view.running().forEach(now::add);
  }

  PolicyStep<FluidState> run() {
    reserve();
    boolean allStarted = start();
    boolean isConsidered = hasFreed && allStarted && rule.isDynamic();
    if (isConsidered) {
      view.running().forEach(running -> candidates.add(running.task().trial()));
    }
    if (allStarted) {
      resize();
    }
    return new PolicyStep<>(
        new FluidState(view.group(), widthOf, view.tasks(), hasFreed && !isConsidered, candidates),
        decisions);
  }

  /**
   * A group begins, or tasks were added to it: they share the GPUs that no task uses. In an open
   * group, all tasks share all GPUs.
   */
  private void addNewTasks() {
    List<PolicyView.Task> fresh =
        view.waiting().stream().filter(task -> !widthOf.containsKey(task.trial())).toList();
    if (isOpen) {
      double allS = widths.totalS(view.waiting()) + widths.totalS(running());
      fresh.forEach(task -> setWidth(task.trial(), widths.width(task, view.gpus(), allS)));
      return;
    }
    double totalS = widths.totalS(fresh);
    double used = view.running().stream().mapToDouble(running -> running.width().value()).sum();
    int idle = view.gpus() - (int) Math.ceil(used);
    fresh.forEach(task -> setWidth(task.trial(), widths.width(task, idle, totalS)));
  }

  private List<PolicyView.Task> running() {
    return view.running().stream().map(PolicyView.Running::task).toList();
  }

  /** Tasks that change their width keep the GPUs that they will use. */
  private void reserve() {
    for (PolicyView.Running running : view.running()) {
      if (!isChanging(running)) {
        later.add(running);
      }
    }
    for (PolicyView.Running running : view.running()) {
      if (isChanging(running)) {
        Width width = width(running.task());
        later.find(width).ifPresent(place -> reserve(place, width));
      }
    }
  }

  private boolean isChanging(PolicyView.Running running) {
    return running.isEnding() && !running.width().equals(width(running.task()));
  }

  private Width width(PolicyView.Task task) {
    return widthOf.getOrDefault(task.trial(), Width.of(rule.sizes().first()));
  }

  private void setWidth(int trial, Width width) {
    if (!ownsWidths) {
      widthOf = new TreeMap<>(widthOf);
      ownsWidths = true;
    }
    widthOf.put(trial, width);
  }

  /** Starts the waiting tasks that fit, and returns whether none is left. */
  private boolean start() {
    if (later.isFull()) {
      return view.waiting().isEmpty();
    }
    boolean allStarted = true;
    List<PolicyView.Task> queue =
        view.waiting().stream().sorted(widths.order(this::width)).toList();
    for (PolicyView.Task task : queue) {
      allStarted &= !later.isFull() && start(task);
    }
    return allStarted;
  }

  private boolean start(PolicyView.Task task) {
    Optional<GpuLayout.Place> found = later.find(width(task));
    while (found.isEmpty() && lower(task)) {
      found = later.find(width(task));
    }
    if (found.isEmpty()) {
      return false;
    }
    Optional<GpuLayout.Place> free = now.find(width(task));
    reserve(free.orElse(found.get()), width(task));
    free.filter(place -> place.instance().isReady())
        .ifPresent(
            place ->
                decisions.add(
                    new PolicyDecision.Start(
                        task.trial(), width(task), place.instance().number(), place.gpus())));
    return free.filter(place -> place.instance().isReady()).isPresent();
  }

  private void reserve(GpuLayout.Place place, Width width) {
    now.add(place, width);
    later.add(place, width);
  }

  /**
   * Gives a task that fits on no instance the next smaller number of GPUs, if one fits somewhere.
   * In an open group, it may also share a GPU.
   */
  private boolean lower(PolicyView.Task task) {
    Integer smaller = rule.sizes().floor(Math.min(later.mostFree(), width(task).gpus() - 1));
    if (smaller != null) {
      setWidth(task.trial(), Width.of(smaller));
      return true;
    }
    Width shared = Width.shared(rule.share());
    boolean isShared = isOpen && shared.isShared() && !width(task).isShared();
    if (isShared && rule.sizes().first() == 1 && later.find(shared).isPresent()) {
      setWidth(task.trial(), shared);
      return true;
    }
    return false;
  }

  /** Considers each candidate once, when it has completed a unit. */
  private void resize() {
    double totalS = widths.totalS(running());
    Comparator<PolicyView.Task> order =
        widths.order(task -> widths.width(task, view.gpus(), totalS));
    view.running().stream()
        .filter(running -> running.isAtUnitEnd() && !running.isEnding())
        .filter(running -> candidates.remove(running.task().trial()))
        .sorted(Comparator.comparing(PolicyView.Running::task, order))
        .forEach(running -> resize(running, widths.width(running.task(), view.gpus(), totalS)));
    candidates.retainAll(view.running().stream().map(running -> running.task().trial()).toList());
  }

  private void resize(PolicyView.Running running, Width wanted) {
    PolicyView.Task task = running.task();
    later.remove(running);
    Width width = fitting(wanted);
    Optional<GpuLayout.Place> place = later.find(width);
    if (place.isPresent() && place.get().instance().isReady() && pays(running, width)) {
      later.add(place.get(), width);
      setWidth(task.trial(), width);
      decisions.add(new PolicyDecision.Resize(task.trial(), running.width(), width));
    } else {
      later.add(running);
    }
  }

  private Width fitting(Width wanted) {
    Integer size =
        wanted.isShared() ? null : rule.sizes().floor(Math.min(wanted.gpus(), later.mostFree()));
    return size == null ? wanted : Width.of(size);
  }

  /** Whether a change of width ends the task earlier, or saves GPU time. */
  private boolean pays(PolicyView.Running running, Width width) {
    double presentS = widths.heightS(running.task(), running.width());
    double changedS = widths.heightS(running.task(), width) + rule.resizeS();
    double change = width.value() - running.width().value();
    return change > 0
        ? changedS < presentS
        : change < 0 && width.value() * changedS < running.width().value() * presentS;
  }
}
