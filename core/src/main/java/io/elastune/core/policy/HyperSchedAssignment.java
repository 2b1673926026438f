package io.elastune.core.policy;

import io.elastune.core.policy.HyperSchedState.Change;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** One call of HyperSched: pauses trials, admits others, and divides the GPUs that are left. */
final class HyperSchedAssignment {
  private final HyperSchedRule rule;
  private final WidthSeconds seconds;
  private final PolicyView view;
  private final HyperSchedResults results;
  private final BitSet started;
  private final BitSet paused;
  private final BitSet resumable;
  private final List<PolicyDecision> decisions = new ArrayList<>();
  private final GpuLayout now;
  private SortedMap<Integer, Change> changes;
  private boolean areChangesCopied;
  private double longestS;
  private boolean isClosed;

  HyperSchedAssignment(
      HyperSchedRule rule, WidthSeconds seconds, HyperSchedState state, PolicyView view) {
    this.rule = rule;
    this.seconds = seconds;
    this.view = view;
    results = new HyperSchedResults(rule, state);
    started = (BitSet) state.started().clone();
    paused = (BitSet) state.paused().clone();
    resumable = (BitSet) state.resumable().clone();
    changes = state.changes();
    longestS = state.longestS();
    isClosed = state.isClosed();
    now = new GpuLayout(view.instances(), 1);
    view.running().forEach(now::add);
    view.running().stream()
        .filter(running -> !running.isEnding()) // the controller that paused it was killed
        .forEach(running -> continues(running.task().trial()));
  }

  PolicyStep<HyperSchedState> run() {
    view.running().forEach(running -> add(running.task()));
    view.waiting().forEach(this::add);
    if (results.update()) {
      resumable.clear();
      paused.stream().filter(trial -> !results.isBehind(trial)).forEach(resumable::set);
    }
    pause();
    reserve();
    boolean isMoreToStart = start();
    if (!isMoreToStart) {
      isClosed |= view.running().isEmpty() && decisions.isEmpty();
      stopRest();
      reallocate();
    }
    return new PolicyStep<>(
        new HyperSchedState(
            results.all(),
            results.cutOffs(),
            started,
            paused,
            resumable,
            changes,
            longestS,
            isClosed,
            now.mostFree() == 0),
        decisions);
  }

  private void add(PolicyView.Task task) {
    results.add(task);
    longestS = Math.max(longestS, trainedS(task));
  }

  private void continues(int trial) {
    paused.clear(trial);
    resumable.clear(trial);
  }

  private void change(int trial, Change change) {
    if (!areChangesCopied) {
      areChangesCopied = true;
      changes = new TreeMap<>(changes);
    }
    changes.put(trial, change);
  }

  private static double trainedS(PolicyView.Task task) {
    return task.reports().isEmpty() ? 0 : task.reports().get(task.reports().size() - 1).trainedS();
  }

  private void pause() {
    for (PolicyView.Running running : view.running()) {
      int trial = running.task().trial();
      boolean isConsidered = running.isAtUnitEnd() && !running.isEnding();
      if (isConsidered && results.isBehind(trial) && !isLastOne(trial)) {
        paused.set(trial);
        decisions.add(new PolicyDecision.Preempt(trial));
      }
    }
  }

  /** Whether the GPUs would be idle without a trial: no other one trains, and none may start. */
  private boolean isLastOne(int trial) {
    boolean isAlone =
        view.running().stream()
            .map(running -> running.task().trial())
            .allMatch(other -> other == trial || paused.get(other));
    Optional<PolicyView.Task> next = next(view.waiting());
    return isAlone && (next.isEmpty() || (!isInterrupted(next.get().trial()) && !admits()));
  }

  /** Trials that change their GPUs keep those that they will use. */
  private void reserve() {
    for (PolicyView.Running running : view.running()) {
      int trial = running.task().trial();
      if (running.isEnding() && !paused.get(trial)) {
        int gpus = gpus(trial) - running.width().gpus();
        if (gpus > 0) {
          now.find(Width.of(gpus)).ifPresent(place -> now.add(place, Width.of(gpus)));
        }
      }
    }
  }

  private int gpus(int trial) {
    Change change = changes.get(trial);
    return change == null ? rule.sizes().first() : change.gpus();
  }

  /** Starts trials while GPUs are free, and returns whether one is left that may start. */
  private boolean start() {
    List<PolicyView.Task> queue = new ArrayList<>(view.waiting());
    for (Optional<PolicyView.Task> task = next(queue); task.isPresent(); task = next(queue)) {
      if (now.mostFree() == 0) {
        return true; // nothing is refused before there are GPUs for it
      }
      int trial = task.get().trial();
      boolean isInterrupted = isInterrupted(trial);
      if (!isInterrupted && !admits()) {
        isClosed = true;
        continue;
      }
      Optional<GpuLayout.Place> place = place(trial, isInterrupted);
      if (place.isEmpty() || !place.get().instance().isReady()) {
        return true;
      }
      start(task.get(), place.get());
      queue.remove(task.get());
    }
    return false;
  }

  /** Once none starts any more, those that were not interrupted are stopped. */
  private void stopRest() {
    view.waiting().stream()
        .filter(task -> isClosed && !isInterrupted(task.trial()))
        .forEach(task -> decisions.add(new PolicyDecision.Stop(task.trial())));
  }

  private boolean isInterrupted(int trial) {
    return started.get(trial) && !paused.get(trial);
  }

  private boolean admits() {
    double unitS = view.timing().unitS();
    return rule.admits(view.timing().leftS(), longestS, unitS);
  }

  /** A trial that was interrupted continues with its GPUs; another one starts with the fewest. */
  private Optional<GpuLayout.Place> place(int trial, boolean isInterrupted) {
    int most = isInterrupted ? gpus(trial) : rule.sizes().first();
    Integer fits = rule.sizes().floor(Math.min(most, now.mostFree()));
    return fits == null ? Optional.empty() : now.find(Width.of(fits));
  }

  private void start(PolicyView.Task task, GpuLayout.Place place) {
    Width width = Width.of(place.gpus().size());
    now.add(place, width);
    started.set(task.trial());
    continues(task.trial());
    change(task.trial(), new Change(width.gpus(), task.reports().size()));
    decisions.add(
        new PolicyDecision.Start(task.trial(), width, place.instance().number(), place.gpus()));
  }

  /**
   * The next trial: an interrupted one, then a paused one that is no longer behind, then a new one.
   */
  private Optional<PolicyView.Task> next(List<PolicyView.Task> queue) {
    Optional<PolicyView.Task> interrupted = first(queue, task -> isInterrupted(task.trial()));
    if (interrupted.isPresent() || isClosed) {
      return interrupted;
    }
    return bestResumable(queue).or(() -> first(queue, task -> !started.get(task.trial())));
  }

  private static Optional<PolicyView.Task> first(
      List<PolicyView.Task> queue, Predicate<PolicyView.Task> condition) {
    for (PolicyView.Task task : queue) {
      if (condition.test(task)) {
        return Optional.of(task);
      }
    }
    return Optional.empty();
  }

  private Optional<PolicyView.Task> bestResumable(List<PolicyView.Task> queue) {
    return resumable.isEmpty()
        ? Optional.empty()
        : queue.stream()
            .filter(task -> resumable.get(task.trial()))
            .min(
                Comparator.comparingInt((PolicyView.Task task) -> -results.rungs(task.trial()))
                    .thenComparingDouble(HyperSchedAssignment::lastLoss)
                    .thenComparingInt(PolicyView.Task::trial));
  }

  private static double lastLoss(PolicyView.Task task) {
    List<PolicyView.Report> reports = task.reports();
    return reports.isEmpty() ? Double.NaN : reports.get(reports.size() - 1).loss();
  }

  /** Divides the GPUs among the trials that run, the best ones first. */
  private void reallocate() {
    List<PolicyView.Running> live =
        view.running().stream()
            .filter(running -> !paused.get(running.task().trial()))
            .sorted(
                Comparator.comparingDouble((PolicyView.Running one) -> lastLoss(one.task()))
                    .thenComparingInt(one -> one.task().trial()))
            .toList();
    if (live.isEmpty() || now.mostFree() == 0) {
      return;
    }
    List<Integer> shares = HyperSchedRule.shares(view.gpus(), live.size());
    Map<Integer, Integer> shareOf = new HashMap<>();
    for (int i = 0; i < live.size(); i++) {
      shareOf.put(live.get(i).task().trial(), shares.get(i));
    }
    live.stream()
        .filter(one -> one.isAtUnitEnd() && !one.isEnding())
        .forEach(one -> resize(one, shareOf.getOrDefault(one.task().trial(), 0)));
  }

  private void resize(PolicyView.Running running, int share) {
    int trial = running.task().trial();
    int present = running.width().gpus();
    now.remove(running);
    Integer fits = rule.sizes().floor(Math.min(share, now.mostFree()));
    boolean mayChange = fits != null && fits != present && mayChange(running, fits);
    Optional<GpuLayout.Place> place = mayChange ? now.find(Width.of(fits)) : Optional.empty();
    if (place.filter(found -> found.instance().isReady()).isPresent()) {
      Width width = Width.of(place.get().gpus().size());
      now.add(place.get(), width);
      change(trial, new Change(width.gpus(), running.task().reports().size()));
      decisions.add(new PolicyDecision.Resize(trial, running.width(), width));
    } else {
      now.add(running);
    }
  }

  /** Shrinking is always accepted. */
  private boolean mayChange(PolicyView.Running running, int gpus) {
    Change last = changes.get(running.task().trial());
    int reports = running.task().reports().size() - (last == null ? 0 : last.reports());
    double speedUp = seconds.perUnit(running.width()) / seconds.perUnit(Width.of(gpus));
    return gpus < running.width().gpus()
        || (reports >= rule.resizeAfter()
            && rule.grows(speedUp, view.timing().leftS(), view.timing().startupS()));
  }
}
