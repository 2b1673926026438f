package io.elastune.core.search;

import io.elastune.core.plan.BracketShares;
import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.TaskSource;
import io.elastune.core.search.SearchDecision.Train;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Issues the tasks of a search made of rungs to a policy that divides a fixed cluster among them
 * (docs/searches.md, "Fluid"). There are at most as many unfinished tasks as the search may run at
 * once. Not for the variant stopping.
 */
public final class RungTaskSource implements TaskSource {
  /** The name of the open group that all tasks form. */
  public static final String GROUP = "rungs";

  /** By rung: tasks that were issued. */
  public final int[] tasks;

  private final RungTransition live;
  private final int most;
  private final TrialLosses losses;
  private final List<Task> begun = new ArrayList<>();
  private final SortedMap<Integer, Train> last = new TreeMap<>();
  private double closingS = Double.NaN;
  private double stopS = Double.POSITIVE_INFINITY;
  private double newUnitS;

  /**
   * Creates the source of a search.
   *
   * @param state the state of the search; its tasks are issued first
   * @param begun those tasks, with the units that they have left
   * @param gpus the GPUs of the cluster: the most unfinished tasks, unless the search states it
   */
  public RungTaskSource(
      RungRule rule, RungState state, List<Task> begun, int gpus, TrialLosses losses) {
    this.losses = losses;
    live = new RungTransition(rule, state);
    most = mostTasks(rule, gpus);
    tasks = new int[rule.targets().size()];
    this.begun.addAll(begun);
    BracketShares shares = rule.shares();
    state
        .tasks()
        .forEach(
            (trial, rung) -> {
              int from = rule.fromUnit(shares.bracket(trial), rung);
              last.put(trial, new Train(trial, rung, from, rule.target(rung)));
            });
  }

  /** Creates the source of a search that begins. */
  public RungTaskSource(RungRule rule, int gpus, TrialLosses losses) {
    this(rule, RungState.initial(rule.brackets(), rule.targets().size()), List.of(), gpus, losses);
  }

  /**
   * Returns the most unfinished tasks on a cluster that a policy divides.
   *
   * @param gpus GPUs of the cluster
   */
  public static int mostTasks(RungRule rule, int gpus) {
    return rule.concurrency().orElse(gpus);
  }

  /**
   * Ends the search at a time, with whatever it has reached.
   *
   * @param atS the time
   * @param unitS seconds per unit of a new trial, which decides whether one may still start
   */
  public void stopAt(double atS, double unitS) {
    stopS = atS;
    newUnitS = unitS;
  }

  @Override
  public List<Task> issue(double nowS, int unfinished) {
    if (nowS >= stopS) {
      return List.of(); // the timeline discards what runs
    }
    List<Task> issued = new ArrayList<>(begun);
    begun.clear();
    boolean isMore = true;
    while (isMore && unfinished + issued.size() < most) {
      int before = issued.size();
      if (!live.admits(stopS - nowS, newUnitS)) {
        live.apply(new SearchEvent.Close(SearchEvent.CloseReason.TIME));
      }
      live.apply(new SearchEvent.Fits());
      live.takeDecisions().forEach(decision -> add(decision, issued));
      isMore = issued.size() > before;
    }
    if (Double.isNaN(closingS) && live.phase() != RungState.Phase.OPEN) {
      closingS = nowS;
    }
    return issued;
  }

  private void add(SearchDecision decision, List<Task> issued) {
    if (decision instanceof Train task) {
      tasks[task.rung()]++;
      last.put(task.trial(), task);
      issued.add(new Task(task.trial(), RungRule.name(task.rung()), task.to() - task.from()));
    }
  }

  @Override
  public void ended(int trial) {
    live.apply(new SearchEvent.Reached(trial, losses.loss(trial, task(trial).rung()), false));
    live.takeDecisions();
  }

  @Override
  public boolean hasEnded() {
    return live.phase() == RungState.Phase.FINISHED;
  }

  /**
   * Returns the last task of a trial.
   *
   * @throws IllegalArgumentException if none was issued
   */
  public Train task(int trial) {
    Train task = last.get(trial);
    if (task == null) {
      throw new IllegalArgumentException("trial " + trial + " has no task");
    }
    return task;
  }

  /** Returns when the last new trial was issued, in seconds; NaN before that. */
  public double closingS() {
    return closingS;
  }
}
